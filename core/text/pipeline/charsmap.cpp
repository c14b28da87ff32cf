// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/charsmap.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch {

namespace {

// The bits of a unit of a Darts trie. A unit is either a value or a node. A node holds
// its label in the low byte and the offset of its children from bit 10 on.
constexpr std::uint32_t kIsValue = std::uint32_t{1} << 31;
constexpr std::uint32_t kHasValue = std::uint32_t{1} << 8;  ///< a key ends here
constexpr std::uint32_t kIsFar = std::uint32_t{1} << 9;     ///< offset in units of 256

/// The unit at index i has its child with the label c at index i ^ offset ^ c.
std::uint32_t offsetOf(std::uint32_t unit) {
  return (unit >> 10) << (unit & kIsFar ? 8 : 0);
}

bool isContinuation(char byte) {
  return (byte & 0xC0) == 0x80;
}

}  // namespace

Charsmap Charsmap::parse(std::string_view bytes, const std::string& source) {
  Charsmap result;
  if (bytes.empty()) return result;
  const auto require = [&](bool holds) {
    if (!holds)
      throw badInput(source +
                     " is damaged: its table of characters to normalize points "
                     "outside itself; copy it again");
  };
  std::uint32_t size = 0;
  require(bytes.size() > sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  require(size < bytes.size() && size % sizeof(std::uint32_t) == 0 && size > 0);
  result.m_texts = bytes.substr(size);
  require(result.m_texts.back() == '\0');
  if (firstInvalidUtf8(result.m_texts) != std::string::npos)
    throw badInput(source +
                   " is damaged: its table of characters to normalize replaces some by "
                   "bytes that are not UTF-8; copy it again");

  std::vector<std::uint32_t>& units = result.m_units;
  units.resize(size / sizeof(std::uint32_t));
  std::memcpy(units.data(), bytes.data(), size);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i] & kIsValue) continue;
    const std::size_t child = i ^ offsetOf(units[i]);
    require((child | 0xFF) < units.size());
    if (!(units[i] & kHasValue)) continue;
    const std::size_t text = units[child] & ~kIsValue;
    require(text < result.m_texts.size() && !isContinuation(result.m_texts[text]));
  }
  return result;
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  if (m_units.empty()) return std::nullopt;
  // A hostile table may mark the root as a value.
  if (m_units[0] & kIsValue) return std::nullopt;
  std::uint32_t at = offsetOf(m_units[0]);
  for (const char byte : text) {
    const auto label = static_cast<unsigned char>(byte);
    if (label == 0) break;
    at ^= label;
    const std::uint32_t unit = m_units[at];
    if ((unit & (kIsValue | 0xFFu)) != label) break;
    at ^= offsetOf(unit);
    if (unit & kHasValue) return m_texts.data() + (m_units[at] & ~kIsValue);
  }
  return std::nullopt;
}

namespace {

/// Bytes; longer clusters are replaced character by character.
constexpr std::size_t kLongestCluster = 5;

bool isAscii(char byte) {
  return (byte & 0x80) == 0;
}

void requireSuccess(UErrorCode code) {
  if (U_FAILURE(code))
    throw Error(ErrorKind::Resource,
                std::string("finding the characters of a text failed in ICU with ") +
                    u_errorName(code));
}

/// The grapheme clusters of a text.
class Clusters {
 public:
  explicit Clusters(std::string_view text) : m_text(text) {
    UErrorCode code = U_ZERO_ERROR;
    m_source = utext_openUTF8(nullptr, text.data(),
                              static_cast<std::int64_t>(text.size()), &code);
    m_breaks = ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &code);
    ubrk_setUText(m_breaks, m_source, &code);
    if (U_FAILURE(code)) close();
    requireSuccess(code);
  }
  ~Clusters() { close(); }
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;

  std::size_t endAfter(std::size_t begin) const {
    // Two ASCII characters have a boundary between them, except CR LF.
    if (begin + 1 < m_text.size() && isAscii(m_text[begin]) && isAscii(m_text[begin + 1]))
      return begin + (m_text[begin] == '\r' && m_text[begin + 1] == '\n' ? 2 : 1);
    const std::int32_t end = ubrk_following(m_breaks, static_cast<std::int32_t>(begin));
    return end == UBRK_DONE ? m_text.size() : static_cast<std::size_t>(end);
  }

 private:
  void close() {
    if (m_breaks) ubrk_close(std::exchange(m_breaks, nullptr));
    if (m_source) utext_close(std::exchange(m_source, nullptr));
  }

  std::string_view m_text;
  UText* m_source = nullptr;
  UBreakIterator* m_breaks = nullptr;
};

class Precompiled : public Normalizer {
 public:
  explicit Precompiled(Charsmap table) : m_table(std::move(table)) {}

  AlignedText normalize(const AlignedText& text) const override {
    const std::string_view bytes = text.text();
    const Clusters clusters(bytes);
    TextRewriter rewriter(text);
    for (std::size_t begin = 0; begin < bytes.size();) {
      const std::size_t end = clusters.endAfter(begin);
      rewrite(rewriter, bytes.substr(begin, end - begin));
      begin = end;
    }
    return rewriter.finish();
  }

 private:
  void rewrite(TextRewriter& rewriter, std::string_view cluster) const {
    if (cluster.size() <= kLongestCluster && replaced(rewriter, cluster)) return;
    for (std::size_t at = 0; at < cluster.size();) {
      const std::string_view character = cluster.substr(at, utf8Length(cluster[at]));
      if (!replaced(rewriter, character)) rewriter.keep(character.size());
      at += character.size();
    }
  }

  bool replaced(TextRewriter& rewriter, std::string_view part) const {
    const auto text = m_table.find(part);
    if (text) rewriter.replace(part.size(), *text);
    return text.has_value();
  }

  Charsmap m_table;
};

}  // namespace

std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table) {
  return std::make_shared<Precompiled>(std::move(table));
}

}  // namespace equipatch
