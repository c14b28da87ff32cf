// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/pipeline/charsmap.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/regex.h"

namespace equipatch {

namespace {

class Chain : public Normalizer {
 public:
  explicit Chain(std::vector<std::shared_ptr<const Normalizer>> links)
      : m_links(std::move(links)) {}

  AlignedText normalize(const AlignedText& text) const override {
    AlignedText result = text;
    for (const auto& link : m_links) result = link->normalize(result);
    return result;
  }

 private:
  std::vector<std::shared_ptr<const Normalizer>> m_links;
};

/// A normalizer whose errors name its place in the file.
class Placed : public Normalizer {
 public:
  Placed(std::string place, std::shared_ptr<const Normalizer> inner)
      : m_place(std::move(place)), m_inner(std::move(inner)) {}

  AlignedText normalize(const AlignedText& text) const override {
    return namedBy(m_place, [&] {
      text.limits().requireTime();
      return m_inner->normalize(text);
    });
  }

 private:
  std::string m_place;
  std::shared_ptr<const Normalizer> m_inner;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : m_prefix(std::move(prefix)) {}

  AlignedText normalize(const AlignedText& text) const override {
    if (text.text().empty()) return text;
    TextRewriter rewriter(text);
    rewriter.replace(0, m_prefix);
    return rewriter.finish();
  }

 private:
  std::string m_prefix;
};

class Replace : public Normalizer {
 public:
  Replace(std::shared_ptr<const Pattern> pattern, std::string content)
      : m_pattern(std::move(pattern)), m_content(std::move(content)) {}

  AlignedText normalize(const AlignedText& text) const override {
    return m_pattern->replace(text, m_content);
  }

 private:
  std::shared_ptr<const Pattern> m_pattern;
  std::string m_content;
};

std::shared_ptr<const Normalizer> parseChain(Component& component) {
  std::vector<std::shared_ptr<const Normalizer>> links;
  for (const Json* child : component.children("normalizers"))
    links.push_back(Normalizer::parse(child, component.childPlace()));
  return std::make_shared<Chain>(std::move(links));
}

std::shared_ptr<const Normalizer> parseStrip(Component& component) {
  std::vector<std::shared_ptr<const Normalizer>> links;
  if (component.boolean("strip_left", true))
    links.push_back(stripNormalizer(TextEnd::Left));
  if (component.boolean("strip_right", true))
    links.push_back(stripNormalizer(TextEnd::Right));
  return std::make_shared<Chain>(std::move(links));
}

std::shared_ptr<const Normalizer> parsePrecompiled(Component& component) {
  // A missing value and null mean an empty table.
  const auto text = component.fields().optionalString("precompiled_charsmap");
  const auto bytes = decodeBase64(text.value_or(""));
  if (!bytes)
    throw badInput(component.place() +
                   " should have its precompiled_charsmap in base 64");
  return precompiledNormalizer(Charsmap::parse(*bytes, component.place()));
}

std::shared_ptr<const Normalizer> parseKnown(Component& component) {
  const std::string& type = component.type();
  if (type == "Sequence") return parseChain(component);
  if (type == "Prepend") return std::make_shared<Prepend>(component.string("prepend"));
  if (type == "Replace")
    return std::make_shared<Replace>(
        Pattern::parse(component.fields().member("pattern"), component.place()),
        component.string("content"));
  if (type == "NFC") return unicodeNormalizer(NormalForm::Nfc);
  if (type == "NFD") return unicodeNormalizer(NormalForm::Nfd);
  if (type == "NFKC") return unicodeNormalizer(NormalForm::Nfkc);
  if (type == "NFKD") return unicodeNormalizer(NormalForm::Nfkd);
  if (type == "Precompiled") return parsePrecompiled(component);
  if (type == "Nmt") return nmtNormalizer();
  if (type == "StripAccents") return stripAccentsNormalizer();
  if (type == "ByteLevel") return byteLevelNormalizer();
  if (type == "Lowercase") return lowercaseNormalizer();
  if (type == "Strip") return parseStrip(component);
  throw component.unknownType();
}

}  // namespace

std::shared_ptr<const Normalizer> Normalizer::parse(const Json* json,
                                                    const std::string& place) {
  using Links = std::vector<std::shared_ptr<const Normalizer>>;
  if (!json || json->is_null()) return std::make_shared<Chain>(Links{});
  Component component(*json, place);
  auto result = parseKnown(component);
  component.requireAllRead();
  if (component.type() == "Sequence") return result;
  return std::make_shared<Placed>(component.place(), std::move(result));
}

}  // namespace equipatch
