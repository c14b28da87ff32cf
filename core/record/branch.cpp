// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/branch.h"

#include <algorithm>
#include <span>

namespace equipatch {
namespace {

bool haveSameImages(const RunRequest& a, const RunRequest& b) {
  return std::ranges::equal(a.images, b.images,
                            [](const PromptImage& first, const PromptImage& second) {
                              return first.tokens == second.tokens &&
                                     first.picture->sha256 == second.picture->sha256;
                            });
}

std::span<const Token> rootPrompt(const RunRequest& request) {
  return std::span(request.prompt).first(rootLength(request));
}

/// The first of the runs whose earliest ancestor equals that of `run`.
std::size_t firstLike(const RunHeader& run, const std::vector<PlacedRun>& runs) {
  const auto alike = [&run](const PlacedRun& other) {
    return other.header->modelName == run.modelName &&
           haveSameImages(other.header->request, run.request) &&
           std::ranges::equal(rootPrompt(other.header->request), rootPrompt(run.request),
                              {}, &Token::id, &Token::id);
  };
  return static_cast<std::size_t>(std::ranges::find_if(runs, alike) - runs.begin());
}

struct Parent {
  std::size_t run;    // index
  std::int64_t step;  // of the parent; corresponds to the child's step 0
};

std::optional<Parent> parentOf(const RunHeader& run, const std::vector<PlacedRun>& runs) {
  std::optional<Parent> parent;
  for (std::size_t other = 0; other < runs.size(); ++other) {
    const auto point = branchPoint(run, *runs[other].header, *runs[other].steps);
    if (point && isRecordedParent(runs[other], run)) return Parent{other, *point};
    if (point && (!parent || *point < parent->step)) parent = Parent{other, *point};
  }
  return parent;
}

RunPlace placeOf(std::size_t run, const std::vector<PlacedRun>& runs) {
  RunPlace place{.root = run};
  // This loop ends, because a parent's prompt is shorter than its child's.
  while (const auto parent = parentOf(*runs[place.root].header, runs)) {
    if (!place.parent) place.parent = parent->run;
    place.root = parent->run;
    place.step += parent->step;
  }
  const RunHeader& earliest = *runs[place.root].header;
  place.step += std::max<std::int64_t>(earliest.request.branch.tokens, 0);
  place.root = firstLike(earliest, runs);
  return place;
}

}  // namespace

std::optional<std::int64_t> branchPoint(const RunHeader& branch, const RunHeader& other,
                                        const Steps& steps) {
  const std::vector<Token>& longer = branch.request.prompt;
  const std::vector<Token>& prompt = other.request.prompt;
  if (branch.modelName != other.modelName || longer.size() <= prompt.size() ||
      !haveSameImages(branch.request, other.request))
    return std::nullopt;
  const std::size_t more = longer.size() - prompt.size();
  const std::int64_t recorded = branch.request.branch.tokens;
  if (recorded != BranchOrigin::kNotRecorded &&
      static_cast<std::int64_t>(more) > recorded)
    return std::nullopt;
  if (more > steps.size() ||
      !std::ranges::equal(
          prompt,
          std::ranges::subrange(longer.begin(), longer.begin() + std::ssize(prompt)), {},
          &Token::id, &Token::id))
    return std::nullopt;
  // The last token of `longer` replaces a generated one, so it is not compared.
  for (std::size_t i = 0; i + 1 < more; ++i)
    if (longer[prompt.size() + i].id != steps[i]->continued) return std::nullopt;
  return static_cast<std::int64_t>(more);
}

bool isRecordedParent(const PlacedRun& run, const RunHeader& branch) {
  return !run.file.empty() && run.file == branch.request.branch.file;
}

std::size_t rootLength(const RunRequest& request) {
  const auto added =
      static_cast<std::size_t>(std::max<std::int64_t>(request.branch.tokens, 0));
  return request.prompt.size() - std::min(added, request.prompt.size());
}

RunRequest rootRequest(RunRequest request) {
  const std::size_t length = rootLength(request);
  if (length == request.prompt.size()) return request;
  const Token& firstCut = request.prompt[length];
  request.promptText.resize(std::min(request.promptText.size(), firstCut.span.begin));
  request.prompt.resize(length);
  // Only a damaged file has images among the tokens that branches added.
  std::erase_if(request.images, [length](const PromptImage& image) {
    return static_cast<std::size_t>(image.tokens.last) >= length;
  });
  request.branch = {};
  return request;
}

std::shared_ptr<const RunHeader> rootHeader(std::shared_ptr<const RunHeader> header) {
  if (rootLength(header->request) == header->request.prompt.size()) return header;
  RunHeader root = *header;
  root.request = rootRequest(std::move(root.request));
  return std::make_shared<const RunHeader>(std::move(root));
}

std::vector<RunPlace> placesOf(const std::vector<PlacedRun>& runs) {
  std::vector<RunPlace> places;
  for (std::size_t run = 0; run < runs.size(); ++run)
    places.push_back(placeOf(run, runs));
  return places;
}

}  // namespace equipatch
