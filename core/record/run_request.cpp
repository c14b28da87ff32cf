// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_request.h"

#include "core/base/strings.h"

namespace equipatch {
namespace {

void append(RunRequest& request, TokenId id, const std::string& bytes) {
  const std::size_t begin = request.promptText.size();
  request.promptText += bytes;
  request.prompt.push_back({.id = id,
                            .piece = replaceInvalidUtf8(bytes),
                            .span = {begin, request.promptText.size()}});
}

/// Generated tokens that were kept are kept as part of the new prompt.
void keepFrom(RunRequest& request, std::size_t promptBefore) {
  const auto first = static_cast<std::int64_t>(promptBefore);
  const auto last = static_cast<std::int64_t>(request.prompt.size()) - 1;
  std::vector<PositionRange>& kept = request.absorbed.keptPrompt;
  if (!kept.empty() && kept.back().last + 1 == first)
    kept.back().last = last;
  else
    kept.push_back({first, last});
}

}  // namespace

std::vector<PositionRange> imageTokens(const std::vector<PromptImage>& images) {
  std::vector<PositionRange> ranges;
  for (const PromptImage& image : images) ranges.push_back(image.tokens);
  return ranges;
}

RunRequest branchedRequest(const RunRequest& run,
                           const std::vector<std::shared_ptr<const StepRecord>>& before,
                           const Choice& next) {
  RunRequest request = run;
  const bool hasText = !run.promptText.empty();
  for (const auto& step : before)
    append(request, step->continued, hasText ? step->continuedBytes : std::string());
  append(request, next.id, hasText ? next.text : std::string());
  // The branch may begin in the middle of a character.
  request.promptText = replaceInvalidUtf8(request.promptText);
  if (run.absorbed.keepsGenerated) keepFrom(request, run.prompt.size());
  return request;
}

}  // namespace equipatch
