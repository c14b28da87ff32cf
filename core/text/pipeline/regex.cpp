// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/oniguruma.h"

namespace equipatch {
namespace {

using Clock = TextLimits::Clock;

/// The stride is the number of start positions between two checks of the clock and the
/// stop request. One position may take kFreeSteps steps or more, so a stride that took
/// long is followed by a shorter one.
constexpr std::size_t kFirstStride = 64;
constexpr std::size_t kLargestStride = std::size_t{1} << 16;
constexpr std::chrono::milliseconds kLongTime{5};
constexpr std::chrono::milliseconds kShortTime{1};
/// The clock is also checked once in this many matches: many short matches take time
/// without completing a stride.
constexpr std::size_t kMatchesPerLook = 8;
/// From one start position, PCRE2 may take kFreeSteps backtracking steps, and
/// kStepsPerByte more for each byte of the text.
constexpr std::size_t kFreeSteps = 1'000'000;
constexpr std::size_t kStepsPerByte = 16;
/// The memory that PCRE2's interpreter may use for backtracking.
constexpr std::uint32_t kHeapKibibytes = 256 * 1024;
constexpr std::size_t kLongestPattern = 64 * 1024;

std::string reasonOf(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

template <auto release>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    release(object);
  }
};
using Code = std::unique_ptr<pcre2_code, Release<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Release<pcre2_match_data_free>>;
using MatchContext =
    std::unique_ptr<pcre2_match_context, Release<pcre2_match_context_free>>;

Code compile(const std::string& pattern) {
  if (pattern.size() > kLongestPattern)
    throw badInput("a regular expression of " + std::to_string(pattern.size()) +
                   " bytes is longer than the " + std::to_string(kLongestPattern) +
                   " allowed");
  const std::string translated = pcreFromOniguruma(pattern);
  constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE |
                                     PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
  int code = 0;
  PCRE2_SIZE offset = 0;
  Code program(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()),
                             translated.size(), kOptions, &code, &offset, nullptr));
  if (!program)
    throw badInput("the regular expression " + inQuotes(pattern) +
                   " cannot be compiled: " + reasonOf(code));
  // A failure is ignored: without JIT support, PCRE2 uses its interpreter.
  pcre2_jit_compile(program.get(), PCRE2_JIT_COMPLETE);
  return program;
}

}  // namespace

struct Regex::Program {
  Code code;
};

namespace {

class Search {
 public:
  Search(const pcre2_code* code, const std::string& pattern, std::string_view text,
         const TextLimits& limits)
      : m_code(code),
        m_pattern(pattern),
        m_text(text),
        m_data(pcre2_match_data_create(1, nullptr)),
        m_context(pcre2_match_context_create(nullptr)),
        m_limits(limits) {
    checkClock();
    if (!m_data || !m_context)
      throw Error(ErrorKind::Resource, "no memory for a regular expression's search");
    const std::size_t steps = kFreeSteps + kStepsPerByte * text.size();
    pcre2_set_match_limit(m_context.get(), static_cast<std::uint32_t>(
                                               std::min<std::size_t>(steps, UINT32_MAX)));
    pcre2_set_heap_limit(m_context.get(), kHeapKibibytes);
  }

  /// The first match that starts at `from` or later; its begin is npos if there is none.
  ByteSpan next(std::size_t from) {
    for (std::size_t start = from; start <= m_text.size();) {
      const std::size_t limit = std::min(start + m_stride, m_text.size());
      pcre2_set_offset_limit(m_context.get(), limit);
      const int count = tryFrom(start);
      // 0 means a match with capture groups that do not fit into m_data.
      if (count >= 0) return found(start);
      if (count != PCRE2_ERROR_NOMATCH) throw failure(reasonOf(count));
      if (limit == m_text.size()) break;
      adaptStride();
      start = characterAfter(limit);
    }
    return {std::string_view::npos, std::string_view::npos};
  }

  /// Must be called for each match.
  void countMatch() {
    if (++m_matches % kMatchesPerLook == 0) checkClock();
  }

 private:
  int tryFrom(std::size_t start) const {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(m_text.data());
    const int count = pcre2_match(m_code, subject, m_text.size(), start,
                                  PCRE2_NO_UTF_CHECK, m_data.get(), m_context.get());
    if (count != PCRE2_ERROR_JIT_STACKLIMIT) return count;
    return pcre2_match(m_code, subject, m_text.size(), start,
                       PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, m_data.get(), m_context.get());
  }

  /// The offset of the first character after the start position `tried`.
  std::size_t characterAfter(std::size_t tried) const {
    std::size_t following = tried + 1;
    while (following < m_text.size() &&
           (static_cast<unsigned char>(m_text[following]) & 0xC0) == 0x80)
      ++following;
    return following;
  }

  ByteSpan found(std::size_t start) const {
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(m_data.get());
    // Only a \K in a lookaround, which moves the beginning of the match, causes this.
    if (offsets[0] < start || offsets[1] < offsets[0])
      throw failure(reasonOf(PCRE2_ERROR_INTERNAL));
    return {offsets[0], offsets[1]};
  }

  void checkClock() {
    m_limits.throwIfStopped();
    m_looked = Clock::now();
    if (m_looked > m_limits.deadline) throw failure("out of time");
  }

  void adaptStride() {
    const Clock::time_point before = m_looked;
    checkClock();
    if (m_looked - before > kLongTime)
      m_stride = std::max<std::size_t>(m_stride / 4, 1);
    else if (m_looked - before < kShortTime)
      m_stride = std::min(2 * m_stride, kLargestStride);
  }

  Error failure(const std::string& reason) const {
    return badInput("the regular expression " + inQuotes(m_pattern) +
                    " gave up on a text of " + std::to_string(m_text.size()) +
                    " bytes (" + reason +
                    "); give a shorter text, or download the tokenizer's files again "
                    "from the model's publisher");
  }

  const pcre2_code* m_code;
  const std::string& m_pattern;
  std::string_view m_text;
  std::size_t m_stride = kFirstStride;
  MatchData m_data;
  MatchContext m_context;
  const TextLimits& m_limits;
  Clock::time_point m_looked;
  std::size_t m_matches = 0;
};

}  // namespace

Regex::Regex(const std::string& pattern)
    : m_pattern(pattern), m_program(std::make_shared<const Program>(compile(pattern))) {}

std::vector<ByteSpan> Regex::matches(std::string_view text,
                                     const TextLimits& limits) const {
  std::vector<ByteSpan> result;
  Search search(m_program->code.get(), m_pattern, text, limits);
  std::size_t from = 0;
  while (from <= text.size()) {
    const ByteSpan match = search.next(from);
    if (match.begin == std::string_view::npos) break;
    search.countMatch();
    const bool followsAnother = !result.empty() && result.back().end == match.end;
    if (match.empty() && followsAnother) {
      from = match.end < text.size() ? match.end + utf8Length(text[match.end])
                                     : text.size() + 1;
      continue;
    }
    result.push_back(match);
    from = match.end;
  }
  return result;
}

namespace {

class Literal : public Pattern {
 public:
  explicit Literal(std::string text) : m_text(std::move(text)) {}

  std::vector<ByteSpan> matches(std::string_view text,
                                const TextLimits& limits) const override {
    std::vector<ByteSpan> result;
    if (m_text.empty()) return result;
    StepCounter steps(limits);
    for (std::size_t at = find(text, 0); at != std::string_view::npos;
         at = find(text, at + m_text.size())) {
      result.push_back({at, at + m_text.size()});
      steps.count();
    }
    return result;
  }

 private:
  /// memmem takes linear time; std::string_view::find can take quadratic time.
  std::size_t find(std::string_view text, std::size_t from) const {
    const void* found =
        memmem(text.data() + from, text.size() - from, m_text.data(), m_text.size());
    return found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
                 : std::string_view::npos;
  }

  std::string m_text;
};

class Expression : public Pattern {
 public:
  explicit Expression(const std::string& expression) : m_regex(expression) {}

  std::vector<ByteSpan> matches(std::string_view text,
                                const TextLimits& limits) const override {
    return m_regex.matches(text, limits);
  }

 private:
  Regex m_regex;
};

}  // namespace

AlignedText Pattern::replace(const AlignedText& text, std::string_view content) const {
  const std::vector<ByteSpan> found = matches(text.text(), text.limits());
  if (found.empty()) return text;
  TextRewriter rewriter(text);
  for (const ByteSpan& match : found) {
    rewriter.keep(match.begin - rewriter.position());
    rewriter.replace(match.end - match.begin, content);
  }
  return rewriter.finish();
}

std::shared_ptr<const Pattern> Pattern::literal(const std::string& text) {
  return std::make_shared<Literal>(text);
}

std::shared_ptr<const Pattern> Pattern::regex(const std::string& expression) {
  return std::make_shared<Expression>(expression);
}

std::shared_ptr<const Pattern> Pattern::parse(const Json* json,
                                              const std::string& place) {
  if (json && json->is_object() && json->size() == 1 && json->begin()->is_string()) {
    const auto text = json->begin()->get<std::string>();
    const bool isString = json->begin().key() == "String";
    if (isString && !text.empty()) return literal(text);
    // In Hugging Face an empty string matches at every character, as an empty regex does.
    if (isString || json->begin().key() == "Regex")
      return namedBy(place, [&] { return regex(text); });
  }
  throw badInput(place +
                 " should have a pattern {\"String\": …} or {\"Regex\": …}, found " +
                 (json ? json->type_name() : "none"));
}

}  // namespace equipatch
