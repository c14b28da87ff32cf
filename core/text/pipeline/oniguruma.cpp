// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/oniguruma.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string_view>

#include "core/base/error.h"

namespace equipatch {

namespace {

constexpr std::string_view kWordMembers = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
/// Oniguruma's \w also matches these, but only outside a character class.
constexpr std::string_view kWordMembersOutsideClass = "²³¹¼½¾";

/// A POSIX bracket such as [:alpha:] and its members in Oniguruma. PCRE2's members differ
/// (those of [:xdigit:] only from 10.43 on). Brackets that are not listed have the same
/// members in Oniguruma and PCRE2, except [:graph:] and [:print:].
struct PosixBracket {
  std::string_view name;
  std::string_view members;
};
constexpr PosixBracket kPosixBrackets[] = {
    {"alpha", "\\p{Alphabetic}"}, {"alnum", "\\p{Alphabetic}\\p{Nd}"},
    {"blank", "\\p{Zs}\\t"},      {"lower", "\\p{Lowercase}"},
    {"punct", "\\p{P}"},          {"space", "\\p{White_Space}"},
    {"upper", "\\p{Uppercase}"},  {"word", kWordMembers},
    {"xdigit", "\\p{AHex}"}};

class Translation {
 public:
  explicit Translation(const std::string& pattern) : m_pattern(pattern) {}

  std::string run() {
    while (m_at < m_pattern.size()) step();
    return std::move(m_result);
  }

 private:
  void step() {
    const char c = m_pattern[m_at];
    if (c == '\\')
      escape();
    else if (m_inClass)
      withinClass(c);
    else if (c == '[')
      openClass();
    else if (c == '{')
      interval();
    else if (m_pattern.compare(m_at, 2, "(?") == 0)
      openGroup();
    else
      copy(1);
  }

  void copy(std::size_t count) {
    m_result.append(m_pattern, m_at, count);
    m_at += count;
  }

  /// Copies an escape with its braces, such as \p{L} or \x{1F600}. Replaces an escape
  /// that has another meaning in PCRE2.
  void escape() {
    const char c = m_at + 1 < m_pattern.size() ? m_pattern[m_at + 1] : '\0';
    if (replaceEscape(c)) {
      m_at += 2;
      return;
    }
    copy(std::min<std::size_t>(2, m_pattern.size() - m_at));
    const bool takesBraces = c == 'p' || c == 'P' || c == 'x' || c == 'o' || c == 'N';
    if (!takesBraces || m_at == m_pattern.size() || m_pattern[m_at] != '{') return;
    const std::size_t close = m_pattern.find('}', m_at);
    const std::size_t end = close == std::string::npos ? m_at + 1 : close + 1;
    if (c == 'p' || c == 'P') qualifyScript(end);
    copy(end - m_at);
  }

  /// If the property in braces is a script, writes its beginning with "sc:": \p{Han}
  /// becomes \p{sc:Han}. PCRE2 reads a script's name alone as Script_Extensions, which
  /// holds more characters, such as "、". @param end the offset after the braces
  void qualifyScript(std::size_t end) {
    std::size_t name = m_at + 1;
    if (name < end && m_pattern[name] == '^') ++name;
    if (name + 1 >= end) return;
    const std::string script = m_pattern.substr(name, end - 1 - name);
    if (u_getPropertyValueEnum(UCHAR_SCRIPT, script.c_str()) == UCHAR_INVALID_CODE)
      return;
    copy(name - m_at);
    m_result += "sc:";
  }

  bool replaceEscape(char c) {
    switch (c) {
      case 's':
        m_result += "\\p{White_Space}";
        return true;
      case 'S':
        m_result += "\\P{White_Space}";
        return true;
      case 'h':
        m_result += m_inClass ? "0-9a-fA-F" : "[0-9a-fA-F]";
        return true;
      case 'H':
        if (m_inClass) refuse("\\H within a character class");
        m_result += "[^0-9a-fA-F]";
        return true;
      case 'v':
        m_result += "\\x0B";
        return true;
      case 'p':
      case 'P':
        if (m_pattern.compare(m_at + 2, 1, "{") == 0) return false;
        m_result += c;  // PCRE2 reads \pL as \p{L}
        return true;
      case 'Q':
      case 'E':
        m_result += c;
        return true;
      case 'w':
        m_result += m_inClass ? std::string(kWordMembers) : wordClass("[");
        return true;
      case 'W':
        if (m_inClass) refuse("\\W within a character class");
        m_result += wordClass("[^");
        return true;
      case 'X':
        refuse("\\X");  // PCRE2 10.42 joins neighbouring emoji
      case 'G':
        refuse("\\G");  // Regex searches a text in several calls
      case 'b':
      case 'B':
        if (m_inClass) return false;  // \b is a backspace
        m_result += wordBoundary(c == 'b');
        return true;
      default:
        return false;
    }
  }

  static std::string wordClass(const char* opening) {
    return opening + std::string(kWordMembers) + std::string(kWordMembersOutsideClass) +
           "]";
  }

  /// \b if `isPresent`, otherwise \B. PCRE2's own boundaries differ, because its \w
  /// contains all numbers, but not all marks.
  static std::string wordBoundary(bool isPresent) {
    const std::string word = wordClass("[");
    return "(?(?<=" + word + (isPresent ? ")(?!" : ")(?=") + word +
           (isPresent ? ")|(?=" : ")|(?!") + word + "))";
  }

  void openClass() {
    m_inClass = true;
    copy(1);
    if (m_at < m_pattern.size() && m_pattern[m_at] == '^') copy(1);
    if (m_at < m_pattern.size() && m_pattern[m_at] == ']') copy(1);
  }

  void withinClass(char c) {
    if (m_pattern.compare(m_at, 2, "&&") == 0) refuse("an intersection of classes (&&)");
    if (m_pattern.compare(m_at, 2, "[:") == 0) return posixBracket();
    if (c == '[') refuse("a character class within a character class");
    if (c == ']') m_inClass = false;
    copy(1);
  }

  void posixBracket() {
    const std::size_t end = m_pattern.find(']', m_at);
    if (end == std::string::npos) return copy(2);  // PCRE2 refuses a class without end
    // Without ":]", the "[:" begins a nested class whose first character is a colon:
    // [[:a]].
    if (end < m_at + 3 || m_pattern[end - 1] != ':')
      refuse("a character class within a character class");
    const std::size_t close = end - 1;
    std::string_view name(m_pattern.data() + m_at + 2, close - (m_at + 2));
    const bool isNegated = name.starts_with('^');
    if (isNegated) name.remove_prefix(1);
    if (name == "graph" || name == "print") refuse("[:" + std::string(name) + ":]");
    const auto* bracket = std::ranges::find(kPosixBrackets, name, &PosixBracket::name);
    if (bracket == std::end(kPosixBrackets)) return copy(close + 2 - m_at);
    std::string members(bracket->members);
    const bool isOneProperty = members.ends_with('}') && members.rfind('\\') == 0;
    if (isNegated && !isOneProperty) refuse("[:^" + std::string(name) + ":]");
    if (isNegated) members[1] = 'P';
    m_result += members;
    m_at = close + 2;
  }

  /// Copies "(?" and the options after it. Oniguruma's option m lets a dot match line
  /// ends; PCRE2 calls this option s. PCRE2's option m is always set.
  void openGroup() {
    copy(2);
    const std::size_t end = m_pattern.find_first_not_of("imsx-", m_at);
    if (end == std::string::npos || (m_pattern[end] != ')' && m_pattern[end] != ':'))
      return;
    for (; m_at < end; ++m_at) m_result += m_pattern[m_at] == 'm' ? 's' : m_pattern[m_at];
  }

  /// Refuses {n,m}+, which repeats the interval in Oniguruma but is possessive in PCRE2.
  /// Refuses {n}?, which is an optional {n} in Oniguruma but equals {n} in PCRE2. Writes
  /// {0,m} for {,m}, which is not an interval in PCRE2 before 10.43.
  void interval() {
    const std::size_t close = m_pattern.find('}', m_at);
    if (close == std::string::npos) return copy(1);
    if (m_pattern.compare(close + 1, 1, "+") == 0) refuse("an interval followed by '+'");
    const auto isNumber = [&](std::size_t from) {
      return close > from && m_pattern.find_first_not_of("0123456789", from) == close;
    };
    if (isNumber(m_at + 1) && m_pattern.compare(close + 1, 1, "?") == 0)
      refuse("an interval {n} followed by '?'");
    const bool startsAtZero = m_pattern[m_at + 1] == ',' && isNumber(m_at + 2);
    copy(1);
    if (startsAtZero) m_result += '0';
  }

  [[noreturn]] void refuse(const std::string& construct) const {
    throw unsupported("the regular expression " + inQuotes(m_pattern) + " has " +
                      construct + " at byte " + std::to_string(m_at) +
                      ", which cannot be translated exactly");
  }

  const std::string& m_pattern;
  std::size_t m_at = 0;
  bool m_inClass = false;
  std::string m_result;
};

}  // namespace

std::string pcreFromOniguruma(const std::string& pattern) {
  return Translation(pattern).run();
}

}  // namespace equipatch
