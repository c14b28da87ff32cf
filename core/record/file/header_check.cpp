// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/header_check.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace equipatch {
namespace {

void expectWithin(const std::string& what, std::int64_t number, std::int64_t least,
                  std::int64_t most) {
  if (number >= least && number <= most) return;
  const std::string expected =
      least == most  ? std::to_string(least)
      : least > most ? "none"
                     : std::to_string(least) + " to " + std::to_string(most);
  throw badInput(what + " is " + std::to_string(number) + ", expected " + expected);
}

/// Checks that the ranges are ascending, disjoint and within the prompt.
void checkRanges(const std::string& what, const std::vector<PositionRange>& ranges,
                 const RunRequest& request) {
  std::int64_t next = 0;
  for (const PositionRange& range : ranges) {
    const std::int64_t last = std::ssize(request.prompt) - 1;
    expectWithin(what, range.first, next, last);
    expectWithin(what, range.last, range.first, last);
    next = range.last + 1;
  }
}

/// Also limits the total length of all tokens: in a damaged file many tokens may share
/// bytes, and their texts would fill the memory.
void checkSpans(const RunRequest& request) {
  constexpr std::int64_t kMostSharing = 64;  // tokens for each byte, on average
  std::int64_t bytes = 0;
  for (const Token& token : request.prompt) {
    if (token.span.begin > token.span.end || token.span.end > request.promptText.size())
      throw badInput("a token of the prompt is outside the prompt's text");
    bytes += static_cast<std::int64_t>(token.span.end - token.span.begin);
  }
  expectWithin("the number of bytes of all tokens", bytes, 0,
               kMostSharing * std::ssize(request.promptText));
}

void checkPrompt(const RunRequest& request) {
  if (request.prompt.empty()) throw badInput("the prompt has no tokens");
  checkSpans(request);
  checkRanges("a kept position", request.absorbed.keptPrompt, request);
  checkRanges("an image's position", imageTokens(request.images), request);
  for (const PromptImage& image : request.images)  // the prompt ends with a text token
    expectWithin("the last position of an image", image.tokens.last, 0,
                 std::ssize(request.prompt) - 2);
  expectWithin("the number of a branch's tokens", request.branch.tokens,
               BranchOrigin::kNotRecorded, std::ssize(request.prompt) - 1);
}

/// The stored tensor consists of `groups` groups, each of `parts` parts with
/// outputs / groups rows. The parameter is part `index` of every group.
void checkPart(const std::string& name, const PatchedParameter& parameter) {
  const TensorPart& part = parameter.part;
  const std::int64_t outputs = parameter.shape.front();
  expectWithin(name + "'s number of parts", part.parts, 1, kMostTensorParts);
  expectWithin(name + "'s part", part.index, 0, part.parts - 1);
  expectWithin(name + "'s number of groups", part.groups, 1, outputs);
  if (outputs % part.groups != 0)
    throw badInput(name + "'s number of groups is " + std::to_string(part.groups) +
                   ", expected a divisor of its " + std::to_string(outputs) + " outputs");
  expectWithin(name + "'s number of stored outputs", outputs * part.parts, 1,
               kMostExtent);
}

void checkMatrices(const std::vector<std::string>& names) {
  expectWithin("the number of patched matrices", std::ssize(names), 0,
               kMostPatchedMatrices);
  for (const std::string& name : names)
    if (std::ranges::count(names, name) > 1)
      throw badInput("the patched matrix " + inQuotes(name) + " is listed twice");
}

void checkParameter(const PatchedParameter& parameter, std::int64_t width) {
  const std::string name = inQuotes(parameter.name);
  expectWithin(name + "'s number of dimensions", std::ssize(parameter.shape), 1, 2);
  for (const std::int64_t extent : parameter.shape)
    expectWithin(name + "'s extent", extent, 1, kMostExtent);
  if (parameter.shape.size() == 1)
    expectWithin(name + "'s extent", parameter.shape.front(), width, width);
  checkPart(name, parameter);
}

}  // namespace

void checkHeader(const RunHeader& header) {
  expectWithin("the number of layers", header.layers, 0, kMostRunLayers);
  expectWithin("the width", header.width, 0, kMostRunWidth);
  checkPrompt(header.request);
  checkMatrices(header.patchedMatrices);
  for (const std::int64_t layer : header.request.strength.layers)
    expectWithin("a patched layer", layer, 0, header.layers - 1);
  for (const std::int64_t layer : header.recurrentLayers)
    expectWithin("a recurrent layer", layer, 0, header.layers - 1);
  for (const PatchedParameter& parameter : header.parameters)
    checkParameter(parameter, header.width);
}

}  // namespace equipatch
