// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_request.h"

#include <algorithm>
#include <string_view>

#include "core/base/strings.h"
#include "core/record/context_effect.h"
#include "core/text/visible_text.h"

namespace equipatch {
namespace {

void append(RunRequest& request, TokenId id, const std::string& bytes) {
  const std::size_t begin = request.promptText.size();
  // A prompt of ids has no text.
  if (begin > 0) request.promptText += bytes;
  request.prompt.push_back({.id = id,
                            .piece = replaceInvalidUtf8(bytes),
                            .span = {begin, request.promptText.size()}});
}

/// What the candidate adds to the text; may begin or end within a character.
std::string bytesOf(const Choice& choice) {
  if (choice.bytes.empty()) return choice.text;
  return bytesOfHexadecimal(choice.bytes).value_or(choice.text);
}

/// Replaces invalid UTF-8 in the prompt's text and adapts the tokens' spans. A token that
/// has only the rest of an invalid sequence gets an empty span.
void mendText(RunRequest& request) {
  if (request.promptText.empty()) return;
  std::vector<std::size_t> places;
  request.promptText = replaceInvalidUtf8(request.promptText, &places);
  for (Token& token : request.prompt)
    token.span = {places.at(token.span.begin), places.at(token.span.end)};
}

/// Marks all positions from `begin` on as kept.
void keepFrom(RunRequest& request, std::size_t begin) {
  const auto first = static_cast<std::int64_t>(begin);
  const auto last = static_cast<std::int64_t>(request.prompt.size()) - 1;
  std::vector<PositionRange>& kept = request.absorbed.keptPrompt;
  if (!kept.empty() && kept.back().last + 1 == first)
    kept.back().last = last;
  else
    kept.push_back({first, last});
}

/// The bytes of `promptText` that belong to an image: those of its tokens and, where
/// present, of the begin and end tokens around these and of an empty line on either side.
ByteSpan writtenSpan(const RunRequest& request, const PositionRange& image) {
  constexpr std::string_view kEmptyLine = "\n\n";
  const std::vector<Token>& prompt = request.prompt;
  auto first = static_cast<std::size_t>(image.first);
  auto last = static_cast<std::size_t>(image.last);
  if (first > 0 && prompt[first - 1].special) --first;
  if (last + 1 < prompt.size() && prompt[last + 1].special) ++last;
  ByteSpan span{prompt[first].span.begin, prompt[last].span.end};
  const std::string_view text = request.promptText;
  if (text.substr(0, span.begin).ends_with(kEmptyLine)) span.begin -= kEmptyLine.size();
  if (text.substr(span.end).starts_with(kEmptyLine)) span.end += kEmptyLine.size();
  return span;
}

std::string shownIds(const std::vector<Token>& prompt) {
  std::string shown = "ids";
  for (const Token& token : prompt) shown += ' ' + std::to_string(token.id.value);
  return prompt.empty() ? std::string() : shown;
}

}  // namespace

std::string shownPrompt(const RunRequest& request) {
  if (request.promptText.empty()) return shownIds(request.prompt);
  std::string shown;
  std::size_t done = 0;
  for (const PromptImage& image : request.images) {
    const ByteSpan span = writtenSpan(request, image.tokens);
    // Two images may share the empty line between them.
    shown.append(request.promptText, done, std::max(span.begin, done) - done);
    shown += '[' + replaceInvalidUtf8(image.picture->name) + ']';
    done = std::max(span.end, done);
  }
  return shown + request.promptText.substr(done);
}

std::vector<PositionRange> imageTokens(const std::vector<PromptImage>& images) {
  std::vector<PositionRange> ranges;
  for (const PromptImage& image : images) ranges.push_back(image.tokens);
  return ranges;
}

RunRequest branchedRequest(const RunRequest& run,
                           const std::vector<std::shared_ptr<const StepRecord>>& before,
                           const Choice& next, const std::string& file) {
  RunRequest request = run;
  const std::int64_t inherited = std::max<std::int64_t>(run.branch.tokens, 0);
  request.branch = {.file = file, .tokens = inherited + std::ssize(before) + 1};
  const bool hasText = !run.promptText.empty();
  for (const auto& step : before)
    append(request, step->continued,
           hasText ? step->continuedBytes : continuedText(*step));
  append(request, next.id, hasText ? bytesOf(next) : next.text);
  // The steps before may end within a character, and so may `next`.
  mendText(request);
  if (run.absorbed.keepsGenerated) keepFrom(request, run.prompt.size());
  return request;
}

std::string branchWords(const RunRequest& branch, std::int64_t tokens) {
  constexpr std::size_t kEnough = 24;  // bytes, for a legend
  const Token& token = branch.prompt.back();
  std::string word = branch.promptText.empty() ? "id " + std::to_string(token.id.value)
                                               : visibleText(token, branch.promptText);
  if (word != kVisibleSpace && word.starts_with(kVisibleSpace))
    word.erase(0, kVisibleSpace.size());
  if (word.size() > kEnough) word = std::string(cutUtf8(word, kEnough)) + "…";
  return "step " + std::to_string(tokens - 1) + ": " + word;
}

}  // namespace equipatch
