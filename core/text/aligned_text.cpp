#include "core/text/aligned_text.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

void requireSize(std::size_t size) {
  if (size > AlignedText::kLargestSize)
    throw Error(ErrorKind::Resource,
                "the text to tokenize grows to more than " +
                    std::to_string(AlignedText::kLargestSize) +
                    " bytes, the most a tokenizer takes; give a shorter text");
}

}  // namespace

AlignedText::AlignedText(std::string_view text, std::size_t offset) : m_offset(offset) {
  requireSize(text.size());
  m_text = text;
}

AlignedText AlignedText::slice(ByteSpan range) const {
  AlignedText part(std::string_view(m_text).substr(range.begin, range.end - range.begin),
                   m_offset + range.begin);
  if (!m_origins.empty())
    part.m_origins.assign(m_origins.begin() + static_cast<std::ptrdiff_t>(range.begin),
                          m_origins.begin() + static_cast<std::ptrdiff_t>(range.end) + 1);
  return part;
}

TextRewriter::TextRewriter(const AlignedText& source)
    : m_source(source), m_next(source.origin(0)) {
  m_text.reserve(source.text().size());
  m_origins.reserve(source.text().size() + 1);
}

void TextRewriter::keep(std::size_t count) {
  if (count == 0) return;
  requireSize(m_text.size() + count);
  m_text.append(m_source.text(), m_position, count);
  m_origins.push_back(static_cast<std::uint32_t>(m_next));
  for (std::size_t i = 1; i < count; ++i)
    m_origins.push_back(static_cast<std::uint32_t>(m_source.origin(m_position + i)));
  m_position += count;
  m_next = m_source.origin(m_position);
}

void TextRewriter::replace(std::size_t count, std::string_view text) {
  m_position += count;
  if (text.empty()) return;
  requireSize(m_text.size() + text.size());
  const std::size_t end = m_source.origin(m_position);
  const std::size_t first = std::min(utf8Length(text[0]), text.size());
  // Bytes within the first character, for tokens that split it: one for one where nothing
  // grew or shrank.
  const auto within = [&](std::size_t i) {
    return count == text.size() ? m_source.origin(m_position - count + i)
                                : std::min(m_next + i, end);
  };
  m_origins.push_back(static_cast<std::uint32_t>(m_next));
  for (std::size_t i = 1; i < text.size(); ++i)
    m_origins.push_back(static_cast<std::uint32_t>(i < first ? within(i) : end));
  m_text += text;
  m_next = end;
}

AlignedText TextRewriter::finish() {
  keep(m_source.text().size() - m_position);
  m_origins.push_back(
      static_cast<std::uint32_t>(m_source.origin(m_source.text().size())));
  AlignedText result(std::string_view{});
  result.m_text = std::move(m_text);
  result.m_origins = std::move(m_origins);
  return result;
}

}  // namespace equipatch
