// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/figure/run_figures.h"

namespace equipatch {
namespace {

bool isInImage(const RunRequest& request, std::int64_t position) {
  return std::ranges::any_of(request.images, [&](const PromptImage& image) {
    return image.tokens.first <= position && position <= image.tokens.last;
  });
}

/// Appends "[image 2] ". One space replaces the spaces and line breaks before it.
void appendReference(std::size_t number, std::string& words) {
  words.resize(words.find_last_not_of(" \n") + 1);
  words += (words.empty() ? "[image " : " [image ") + std::to_string(number) + "] ";
}

/// The prompt's text without special tokens and image tokens. "[image 1]", "[image 2]", …
/// stand for several images.
std::string promptCaption(const RunRequest& request) {
  std::string words;
  bool afterImage = false;
  std::size_t images = 0;
  for (std::size_t at = 0; at < request.prompt.size(); ++at) {
    const Token& token = request.prompt[at];
    const auto position = static_cast<std::int64_t>(at);
    const bool begins = std::ranges::any_of(
        request.images,
        [&](const PromptImage& image) { return image.tokens.first == position; });
    if (begins && request.images.size() > 1) {
      appendReference(++images, words);
      afterImage = true;
    }
    if (token.special || isInImage(request, position)) continue;
    std::string part =
        request.promptText.substr(token.span.begin, token.span.end - token.span.begin);
    if (afterImage) part.erase(0, part.find_first_not_of(" \n"));
    if (!part.empty()) afterImage = false;
    words += part;
  }
  return replaceInvalidUtf8(trimmed(words));
}

std::vector<std::string> hashesOf(const RunRequest& request) {
  std::vector<std::string> hashes;
  for (const PromptImage& image : request.images) hashes.push_back(image.picture->sha256);
  return hashes;
}

void requirePictures(const std::vector<FigureRun>& runs) {
  const RunRequest& first = runs.front().header->request;
  if (first.images.empty())
    throw badInput(
        "the prompt of this run has no image to draw; choose a run with images, or "
        "the figure \"generation\"");
  for (const FigureRun& run : runs)
    if (hashesOf(run.header->request) != hashesOf(first))
      throw badInput(
          "a run's prompt has other images than the first run's; choose runs of one "
          "prompt");
}

FigurePicture pictureOf(const PictureFile& file) {
  if (file.bytes.empty())
    throw badInput("the run was recorded without its image " + inQuotes(file.name) +
                   ", so there is nothing to draw; record it again with the image");
  return decodedPicture(file.name, file.bytes);
}

}  // namespace

bool hasPictures(const FigureRun& run) {
  return !run.header->request.images.empty();
}

Figure imageFigure(const std::vector<FigureRun>& runs) {
  requirePictures(runs);
  const RunRequest& request = runs.front().header->request;
  Figure figure{.kind = "image", .title = "An image's effect as a patch"};
  FigurePanel pictures;
  for (const PromptImage& image : request.images)
    pictures.pictures.push_back(pictureOf(*image.picture));
  pictures.caption = promptCaption(request);
  figure.panels.push_back(std::move(pictures));
  Figure generation = generationFigure(runs);
  std::ranges::move(generation.panels, std::back_inserter(figure.panels));
  return figure;
}

}  // namespace equipatch
