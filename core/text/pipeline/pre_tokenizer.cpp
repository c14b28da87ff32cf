// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pre_tokenizer.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/text/pipeline/byte_level.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/regex.h"
#include "core/text/pipeline/tokenizer_class.h"

namespace equipatch {

namespace {

using Link = std::shared_ptr<const PreTokenizer>;

/// As in Hugging Face: category P and all ASCII punctuation, even symbols such as "+",
/// whose category is S.
constexpr const char* kPunctuation = "[!-/:-@\\[-`{-~\\p{P}]";
/// \w+|[^\w\s]+ in Rust's syntax, where \w contains the joiners U+200C and U+200D.
constexpr const char* kWordsAndSigns =
    "[\\w\\x{200C}\\x{200D}]+|[^\\w\\x{200C}\\x{200D}\\s]+";

class Chain : public PreTokenizer {
 public:
  explicit Chain(std::vector<Link> links) : m_links(std::move(links)) {}

  void apply(PreTokenizedText& text) const override {
    for (const Link& link : m_links) link->apply(text);
  }

 private:
  std::vector<Link> m_links;
};

/// A pre-tokenizer whose errors name its place in the file.
class Placed : public PreTokenizer {
 public:
  Placed(std::string place, Link inner)
      : m_place(std::move(place)), m_inner(std::move(inner)) {}

  void apply(PreTokenizedText& text) const override {
    namedBy(m_place, [&] {
      text.text.limits().requireTime();
      m_inner->apply(text);
    });
  }

 private:
  std::string m_place;
  Link m_inner;
};

struct SplitRule {
  std::shared_ptr<const Pattern> pattern;
  SplitBehavior behavior = SplitBehavior::Isolated;
  MatchSense sense = MatchSense::Delimiters;
};

class Split : public PreTokenizer {
 public:
  explicit Split(SplitRule rule) : m_rule(std::move(rule)) {}

  void apply(PreTokenizedText& text) const override {
    const TextLimits& limits = text.text.limits();
    text.split(
        [&](std::string_view preToken) {
          return m_rule.pattern->matches(preToken, limits);
        },
        m_rule.behavior, m_rule.sense);
  }

 private:
  SplitRule m_rule;
};

/// GPT-2's mapping of bytes to printable characters.
class ByteCharacters : public PreTokenizer {
 public:
  void apply(PreTokenizedText& text) const override {
    text.rewrite([&](TextRewriter& rewriter, ByteSpan preToken) {
      for (std::size_t at = preToken.begin; at < preToken.end; ++at)
        rewriter.replace(
            1, byteLevelCharacter(static_cast<unsigned char>(text.text.text()[at])));
    });
  }
};

class PrefixSpace : public PreTokenizer {
 public:
  void apply(PreTokenizedText& text) const override {
    text.rewrite([&](TextRewriter& rewriter, ByteSpan preToken) {
      if (text.text.text()[preToken.begin] != ' ') rewriter.replace(0, " ");
      rewriter.keep(preToken.end - preToken.begin);
    });
  }
};

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceSettings settings) : m_settings(std::move(settings)) {}

  void apply(PreTokenizedText& text) const override {
    text.rewrite([&](TextRewriter& rewriter, ByteSpan preToken) {
      if (prepends(text, preToken)) rewriter.replace(0, m_settings.replacement);
      const std::string_view bytes =
          std::string_view(text.text.text()).substr(0, preToken.end);
      while (rewriter.position() < preToken.end) {
        const std::size_t space =
            std::min(bytes.find(' ', rewriter.position()), preToken.end);
        rewriter.keep(space - rewriter.position());
        if (space < preToken.end) rewriter.replace(1, m_settings.replacement);
      }
    });
  }

 private:
  bool prepends(const PreTokenizedText& text, ByteSpan range) const {
    const std::string_view preToken = text.bytes(range);
    if (preToken[0] == ' ' ||
        preToken.substr(0, m_settings.replacement.size()) == m_settings.replacement)
      return false;
    return m_settings.scheme == PrependScheme::Always ||
           (m_settings.scheme == PrependScheme::First &&
            text.text.origin(range.begin) == 0);
  }

  MetaspaceSettings m_settings;
};

Link split(std::shared_ptr<const Pattern> pattern, SplitBehavior behavior,
           MatchSense sense) {
  return std::make_shared<Split>(SplitRule{std::move(pattern), behavior, sense});
}

Link chain(std::vector<Link> links) {
  return std::make_shared<Chain>(std::move(links));
}

Link parseChain(Component& component) {
  std::vector<Link> links;
  for (const Json* child : component.children("pretokenizers"))
    links.push_back(PreTokenizer::parse(child, component.childPlace()));
  return chain(std::move(links));
}

Link parseByteLevel(Component& component) {
  component.fields().ignore({"trim_offsets"});
  std::vector<Link> links;
  if (component.boolean("add_prefix_space", true))
    links.push_back(std::make_shared<PrefixSpace>());
  if (component.boolean("use_regex", true))
    links.push_back(split(Pattern::regex(kGpt2Pattern), SplitBehavior::Isolated,
                          MatchSense::Delimiters));
  links.push_back(std::make_shared<ByteCharacters>());
  return chain(std::move(links));
}

Link parseSplit(Component& component) {
  auto pattern = Pattern::parse(component.fields().member("pattern"), component.place());
  const SplitBehavior behavior =
      parseSplitBehavior(component.string("behavior"), component.place());
  const bool inverted = component.boolean("invert", false);
  return split(std::move(pattern), behavior,
               inverted ? MatchSense::Content : MatchSense::Delimiters);
}

Link parseMetaspace(Component& component) {
  const MetaspaceSettings settings = readMetaspace(component);
  std::vector<Link> links{std::make_shared<Metaspace>(settings)};
  if (component.boolean("split", true))
    links.push_back(split(Pattern::literal(settings.replacement),
                          SplitBehavior::MergedWithNext, MatchSense::Delimiters));
  return chain(std::move(links));
}

Link parseDigits(Component& component) {
  const bool individual = component.boolean("individual_digits", false);
  return split(Pattern::regex("\\p{N}"),
               individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous,
               MatchSense::Delimiters);
}

Link parsePunctuation(Component& component) {
  const auto behavior = component.fields().optionalString("behavior");
  return split(Pattern::regex(kPunctuation),
               parseSplitBehavior(behavior.value_or("Isolated"), component.place()),
               MatchSense::Delimiters);
}

Link whitespaceSplit() {
  return split(Pattern::regex("\\s"), SplitBehavior::Removed, MatchSense::Delimiters);
}

Link parseKnown(Component& component) {
  const std::string& type = component.type();
  if (type == "Sequence") return parseChain(component);
  if (type == "ByteLevel") return parseByteLevel(component);
  if (type == "Split") return parseSplit(component);
  if (type == "Metaspace") return parseMetaspace(component);
  if (type == "Digits") return parseDigits(component);
  if (type == "Punctuation") return parsePunctuation(component);
  if (type == "Whitespace")
    return split(Pattern::regex(kWordsAndSigns), SplitBehavior::Removed,
                 MatchSense::Content);
  if (type == "WhitespaceSplit") return whitespaceSplit();
  if (type == "CharDelimiterSplit")
    return split(Pattern::literal(component.string("delimiter")), SplitBehavior::Removed,
                 MatchSense::Delimiters);
  if (type == "BertPreTokenizer")
    return chain(
        {whitespaceSplit(), split(Pattern::regex(kPunctuation), SplitBehavior::Isolated,
                                  MatchSense::Delimiters)});
  throw component.unknownType();
}

}  // namespace

std::shared_ptr<const PreTokenizer> PreTokenizer::parse(const Json* json,
                                                        const std::string& place) {
  if (!json || json->is_null()) return chain({});
  Component component(*json, place);
  Link result = parseKnown(component);
  component.requireAllRead();
  if (component.type() == "Sequence") return result;
  return std::make_shared<Placed>(component.place(), std::move(result));
}

}  // namespace equipatch
