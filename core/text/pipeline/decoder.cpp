// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/decoder.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/pipeline/byte_level.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/regex.h"

namespace equipatch {

namespace {

using Link = std::shared_ptr<const Decoder>;
using Pieces = std::vector<std::string>;

std::string concatenated(const Pieces& pieces) {
  std::string result;
  for (const std::string& piece : pieces) result += piece;
  return result;
}

std::size_t bytesOf(const Pieces& pieces) {
  std::size_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  return bytes;
}

class Chain : public Decoder {
 public:
  explicit Chain(std::vector<Link> links) : m_links(std::move(links)) {}

  Pieces apply(Pieces pieces) const override {
    const TextLimits limits = TextLimits::of(bytesOf(pieces));
    for (const Link& link : m_links) {
      pieces = link->apply(std::move(pieces));
      limits.requireSize(bytesOf(pieces));
      limits.requireTime();
    }
    return pieces;
  }
  std::string surface(std::string piece) const override {
    const TextLimits limits = TextLimits::of(piece.size());
    for (const Link& link : m_links) {
      piece = link->surface(std::move(piece));
      limits.requireSize(piece.size());
      limits.requireTime();
    }
    return piece;
  }

 private:
  std::vector<Link> m_links;
};

/// Puts the decoder's place in the file into its errors.
class Placed : public Decoder {
 public:
  Placed(std::string place, Link inner)
      : m_place(std::move(place)), m_inner(std::move(inner)) {}

  Pieces apply(Pieces pieces) const override {
    return namedBy(m_place, [&] { return m_inner->apply(std::move(pieces)); });
  }
  std::string surface(std::string piece) const override {
    return namedBy(m_place, [&] { return m_inner->surface(std::move(piece)); });
  }

 private:
  std::string m_place;
  Link m_inner;
};

class SpacesBetween : public Decoder {
 public:
  Pieces apply(Pieces pieces) const override {
    for (std::size_t i = 1; i < pieces.size(); ++i) pieces[i] = surface(pieces[i]);
    return pieces;
  }
  std::string surface(std::string piece) const override {
    std::string spaced(1, ' ');
    spaced += piece;
    return spaced;
  }
};

class Replace : public Decoder {
 public:
  Replace(std::shared_ptr<const Pattern> pattern, std::string content)
      : m_pattern(std::move(pattern)), m_content(std::move(content)) {}

  Pieces apply(Pieces pieces) const override {
    TextLimits limits = TextLimits::of(bytesOf(pieces));
    for (std::string& piece : pieces) {
      piece = replaced(std::move(piece), limits);
      limits.countBytes(piece.size());
    }
    return pieces;
  }
  std::string surface(std::string piece) const override {
    const TextLimits limits = TextLimits::of(piece.size());
    return replaced(std::move(piece), limits);
  }

 private:
  std::string replaced(std::string piece, const TextLimits& limits) const {
    // Patterns cannot search invalid UTF-8, which earlier decoders may produce.
    if (firstInvalidUtf8(piece) != std::string::npos) return piece;
    return m_pattern->replace(AlignedText(piece, 0, limits), m_content).text();
  }

  std::shared_ptr<const Pattern> m_pattern;
  std::string m_content;
};

/// The byte of a piece such as "<0xE2>"; empty for other pieces.
std::optional<char> byteOf(const std::string& piece) {
  if (piece.size() != 6 || piece.compare(0, 3, "<0x") != 0 || piece[5] != '>')
    return std::nullopt;
  unsigned value = 0;
  for (const char digit : {piece[3], piece[4]}) {
    if (!std::isxdigit(static_cast<unsigned char>(digit))) return std::nullopt;
    const int lower = std::tolower(static_cast<unsigned char>(digit));
    value =
        value * 16 + static_cast<unsigned>(lower <= '9' ? lower - '0' : lower - 'a' + 10);
  }
  return static_cast<char>(value);
}

class ByteFallback : public Decoder {
 public:
  /// A run of byte tokens becomes text, or one U+FFFD per byte if the run is not UTF-8.
  Pieces apply(Pieces pieces) const override {
    Pieces result;
    std::string run;
    const auto endRun = [&] {
      if (firstInvalidUtf8(run) != std::string::npos) {
        const std::size_t count = run.size();
        run.clear();
        for (std::size_t i = 0; i < count; ++i) run += "\uFFFD";
      }
      if (!run.empty()) result.push_back(std::exchange(run, {}));
    };
    for (std::string& piece : pieces) {
      if (const auto byte = byteOf(piece)) {
        run += *byte;
        continue;
      }
      endRun();
      result.push_back(std::move(piece));
    }
    endRun();
    return result;
  }
  std::string surface(std::string piece) const override {
    if (const auto byte = byteOf(piece)) return std::string(1, *byte);
    return piece;
  }
};

class Fuse : public Decoder {
 public:
  Pieces apply(Pieces pieces) const override { return {concatenated(pieces)}; }
  std::string surface(std::string piece) const override { return piece; }
};

/// Removes a character from each piece, at most `start` times at the piece's beginning
/// and `stop` times at its end. Usually follows Fuse, which makes the text one piece.
/// Therefore `surface`, which converts a piece within a text, changes nothing.
class Strip : public Decoder {
 public:
  struct Settings {
    std::string content;
    std::int64_t start = 0;
    std::int64_t stop = 0;
  };
  explicit Strip(Settings settings) : m_settings(std::move(settings)) {}

  Pieces apply(Pieces pieces) const override {
    const std::string& content = m_settings.content;
    for (std::string& piece : pieces) {
      std::size_t begin = 0;
      for (std::int64_t i = 0;
           i < m_settings.start && piece.compare(begin, content.size(), content) == 0;
           ++i)
        begin += content.size();
      std::size_t end = piece.size();
      for (std::int64_t i = 0;
           i < m_settings.stop && end >= begin + content.size() &&
           piece.compare(end - content.size(), content.size(), content) == 0;
           ++i)
        end -= content.size();
      piece = piece.substr(begin, end - begin);
    }
    return pieces;
  }
  std::string surface(std::string piece) const override { return piece; }

 private:
  Settings m_settings;
};

class ByteLevel : public Decoder {
 public:
  /// Keeps a piece with a character outside the byte mapping, such as an added token.
  Pieces apply(Pieces pieces) const override {
    for (std::string& piece : pieces) piece = surface(std::move(piece));
    return {replaceInvalidUtf8(concatenated(pieces))};
  }
  std::string surface(std::string piece) const override {
    return bytesOfByteLevel(piece).value_or(piece);
  }
};

class Metaspace : public Decoder {
 public:
  explicit Metaspace(MetaspaceSettings settings)
      : m_pattern(Pattern::literal(settings.replacement)),
        m_dropsFirst(settings.scheme != PrependScheme::Never) {}

  Pieces apply(Pieces pieces) const override {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      pieces[i] =
          m_pattern->replace(AlignedText(pieces[i]), i == 0 && m_dropsFirst ? "" : " ")
              .text();
    return pieces;
  }
  std::string surface(std::string piece) const override {
    return m_pattern->replace(AlignedText(piece), " ").text();
  }

 private:
  std::shared_ptr<const Pattern> m_pattern;
  bool m_dropsFirst;
};

Link parseChain(Component& component) {
  std::vector<Link> links;
  for (const Json* child : component.children("decoders"))
    links.push_back(Decoder::parse(child, component.childPlace()));
  return std::make_shared<Chain>(std::move(links));
}

Link parseStrip(Component& component) {
  constexpr std::int64_t kMost = 1 << 20;
  Strip::Settings settings{component.string("content"),
                           component.fields().integer("start", 0, kMost),
                           component.fields().integer("stop", 0, kMost)};
  if (settings.content.empty() ||
      utf8Length(settings.content[0]) != settings.content.size())
    throw badInput(component.place() + " should have one character as content, found \"" +
                   settings.content + "\"");
  return std::make_shared<Strip>(std::move(settings));
}

Link parseKnown(Component& component) {
  const std::string& type = component.type();
  if (type == "Sequence") return parseChain(component);
  if (type == "Replace")
    return std::make_shared<Replace>(
        Pattern::parse(component.fields().member("pattern"), component.place()),
        component.string("content"));
  if (type == "ByteFallback") return std::make_shared<ByteFallback>();
  if (type == "Fuse") return std::make_shared<Fuse>();
  if (type == "Strip") return parseStrip(component);
  if (type == "Metaspace") {
    component.fields().ignore({"split"});
    return std::make_shared<Metaspace>(readMetaspace(component));
  }
  if (type == "ByteLevel") {
    component.fields().ignore({"add_prefix_space", "trim_offsets", "use_regex"});
    return std::make_shared<ByteLevel>();
  }
  throw component.unknownType();
}

}  // namespace

std::shared_ptr<const Decoder> Decoder::parse(const Json* json,
                                              const std::string& place) {
  if (!json || json->is_null()) return std::make_shared<SpacesBetween>();
  Component component(*json, place);
  Link result = parseKnown(component);
  component.requireAllRead();
  return std::make_shared<Placed>(component.place(), std::move(result));
}

std::shared_ptr<const Decoder> Decoder::sentencePiece(DummyPrefix prefix) {
  std::vector<Link> links{std::make_shared<Replace>(Pattern::literal("▁"), " "),
                          std::make_shared<ByteFallback>(), std::make_shared<Fuse>()};
  if (prefix == DummyPrefix::Present)
    links.push_back(std::make_shared<Strip>(Strip::Settings{" ", 1, 0}));
  return std::make_shared<Chain>(std::move(links));
}

}  // namespace equipatch
