// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/prompt_words.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

/// The length of the texts' common prefix, in bytes.
std::size_t commonLength(const std::vector<std::string>& texts) {
  const std::string& first = texts.front();
  std::size_t common = first.size();
  for (const std::string& text : texts) {
    const auto differ = std::ranges::mismatch(first, text).in1 - first.begin();
    common = std::min(common, static_cast<std::size_t>(differ));
  }
  return common;
}

/// The byte from which on the texts are shown: the beginning of the first word that
/// differs. If that is near the beginning of the texts or before `after`, the texts are
/// shown from byte 0 if `after` is 0, otherwise from the first differing character, which
/// may be before `after`.
std::size_t differingPart(const std::vector<std::string>& texts, std::size_t after) {
  constexpr std::size_t kInSight = 12;
  const std::string& first = texts.front();
  const std::size_t common = commonLength(texts);
  const std::size_t word = common == 0 ? 0 : first.rfind(' ', common - 1);
  if (word != std::string::npos && word >= std::max(kInSight, after)) return word + 1;
  if (after == 0) return 0;
  return cutUtf8(first, common).size();
}

/// The ids, or as many of them as fit, followed by " …".
std::string shortenedIds(const std::string& ids) {
  constexpr std::string_view kCut = "…";
  const std::string shown = shortenedWords(ids);
  return shown == ids
             ? ids
             : shown.substr(0, shown.size() - kCut.size()) + " " + std::string(kCut);
}

/// A prompt from byte `begin` on, shortened: “…a cat”; if given as ids: "ids 2 651 …".
std::string promptFrom(const RunHeader& header, const std::string& text,
                       std::size_t begin) {
  const std::string part = text.substr(begin);
  if (header.request.promptText.empty())
    return (begin > 0 ? "ids … " : "") + shortenedIds(part);
  return (begin > 0 ? "“…" : "“") + shortenedWords(visibleText(part)) + "”";
}

/// “In Paris…a cat” from “In Paris…” and “…a cat”. If `words` do not end with "…" (a
/// quotation mark may follow), returns them unchanged.
std::string withLater(const std::string& words, const std::string& later) {
  constexpr std::string_view kCut = "…";
  if (!words.ends_with("…") && !words.ends_with("…”")) return words;
  return words.substr(0, words.rfind(kCut)) + later.substr(later.find(kCut));
}

class PromptWords {
 public:
  explicit PromptWords(const RunHeaders& headers) : m_headers(headers) {
    std::vector<std::size_t> all;
    for (const auto& header : headers) {
      all.push_back(m_texts.size());
      m_texts.push_back(shownPrompt(header->request));
    }
    m_words.resize(all.size());
    m_allWords.resize(all.size());
    if (!all.empty()) shorten(all, 0);
    tellEndsApart();
  }

  std::vector<std::string> words() && { return std::move(m_words); }

 private:
  /// Sets the words of these runs' prompts. The words begin at byte `after` or later; if
  /// the prompts differ before this byte, does nothing. If different prompts get equal
  /// words, shortens these prompts again, from a later byte.
  void shorten(const std::vector<std::size_t>& runs, std::size_t after) {
    std::vector<std::string> texts;
    for (const std::size_t run : runs) texts.push_back(m_texts[run]);
    const std::size_t begin = differingPart(texts, after);
    if (begin < after) return;
    std::map<std::string, std::vector<std::size_t>> uses;
    for (const std::size_t run : runs) {
      m_words[run] = promptFrom(*m_headers[run], m_texts[run], begin);
      std::string& all = m_allWords[run];
      all = all.empty() ? m_words[run] : withLater(all, m_words[run]);
      uses[m_words[run]].push_back(run);
    }
    for (const auto& [words, alike] : uses)
      if (std::ranges::any_of(alike, [&](std::size_t run) {
            return m_texts[run] != m_texts[alike.front()];
          }))
        shorten(alike, begin + 1);
  }

  /// Prompts that differ early may get equal words because they end alike. These prompts
  /// get their words of all rounds.
  void tellEndsApart() {
    std::map<std::string, std::set<std::string>> uses;
    for (std::size_t run = 0; run < m_words.size(); ++run)
      uses[m_words[run]].insert(m_allWords[run]);
    for (std::size_t run = 0; run < m_words.size(); ++run)
      if (uses[m_words[run]].size() > 1) m_words[run] = m_allWords[run];
  }

  const RunHeaders& m_headers;
  std::vector<std::string> m_texts;
  std::vector<std::string> m_words;
  std::vector<std::string> m_allWords;  // of all rounds of `shorten`, joined by withLater
};

}  // namespace

std::string shortenedWords(const std::string& text) {
  constexpr std::size_t kEnough = 24, kLeast = 12;
  if (text.size() <= kEnough) return text;
  const std::string cut(cutUtf8(text, kEnough));
  const std::size_t space = text[cut.size()] == ' ' ? cut.size() : cut.rfind(' ');
  return (space == std::string::npos || space < kLeast ? cut : cut.substr(0, space)) +
         "…";
}

bool haveOnePrompt(const RunRequest& a, const RunRequest& b) {
  return a.promptText == b.promptText &&
         std::ranges::equal(a.prompt, b.prompt, {}, &Token::id, &Token::id);
}

std::vector<std::string> promptWords(const RunHeaders& headers) {
  return PromptWords(headers).words();
}

}  // namespace equipatch
