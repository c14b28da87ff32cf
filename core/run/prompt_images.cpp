// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/prompt_images.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/image/picture.h"

namespace equipatch {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  if (part.empty()) return count;  // another model's tokenizer has no such token
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}

constexpr std::string_view kEmptyLine = "\n\n";  // before and after an image

}  // namespace

std::shared_ptr<const PictureFile> readPicture(const std::filesystem::path& path) {
  std::string bytes = readFile(path, kMostPictureBytes);
  decodePicture(std::as_bytes(std::span(bytes)), path.string());
  std::string hash = sha256(bytes);
  return std::make_shared<const PictureFile>(PictureFile{.name = path.filename().string(),
                                                         .sha256 = std::move(hash),
                                                         .bytes = std::move(bytes)});
}

std::vector<PromptImage> withPictures(std::vector<PromptImage> images,
                                      const Pictures& given) {
  for (const auto& picture : given) {
    const auto isIt = [&](const PromptImage& image) {
      return image.picture->sha256 == picture->sha256;
    };
    if (std::ranges::none_of(images, isIt))
      throw badInput(picture->name +
                     " is not one of the run's images, by its SHA-256; give the files "
                     "that the run was recorded with");
    for (PromptImage& image : images)
      if (isIt(image) && image.picture->bytes.empty()) image.picture = picture;
  }
  for (const PromptImage& image : images) requireBytes(*image.picture);
  return images;
}

void requireBytes(const PictureFile& picture) {
  if (picture.bytes.empty())
    throw badInput("the run was recorded without its image " + inQuotes(picture.name) +
                   ", whose SHA-256 is " + picture.sha256 +
                   "; give the file to compare --continue or --rerun, with --image, or "
                   "record the run again with its images");
}

const VisionSpec& requireVision(const VisionSpec* vision) {
  if (!vision)
    throw badInput(
        "this model reads text only and takes no images; choose a multimodal one, such "
        "as bundled-vision or Gemma 3 from 4B on");
  if (!vision->problem.empty()) throw badInput(vision->problem);
  return *vision;
}

const VisionSpec& requireVision(const ModelSpec& model) {
  return requireVision(model.vision ? &*model.vision : nullptr);
}

std::string imagePlaceholder(const VisionSpec& vision, const Tokenizer& tokenizer) {
  return tokenizer.piece(vision.beginToken);
}

std::string withImageTokens(const std::string& text, std::size_t images,
                            const VisionSpec& vision, const Tokenizer& tokenizer) {
  const std::string placeholder = imagePlaceholder(vision, tokenizer);
  const std::size_t places = occurrences(text, placeholder);
  if (places != images)
    throw badInput("the text has " + countText(places, "place") + " for images (" +
                   placeholder + "), but " + countText(images, "image") +
                   (images == 1 ? " was" : " were") + " given; write " + placeholder +
                   " once for each image, where it belongs");
  if (places == 0) return text;
  std::string expanded = std::string(kEmptyLine) + placeholder;
  const std::string soft = tokenizer.piece(vision.imageToken);
  for (std::int64_t token = 0; token < vision.tokens; ++token) expanded += soft;
  expanded.append(tokenizer.piece(vision.endToken)).append(kEmptyLine);
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, begin)) {
    result.append(text, begin, at - begin).append(expanded);
    begin = at + placeholder.size();
  }
  return result.append(text, begin);
}

std::vector<ImageSpan> imageSpans(const std::string& text,
                                  const std::vector<Token>& prompt,
                                  const std::vector<PromptImage>& images) {
  std::vector<ImageSpan> spans;
  for (const PromptImage& image : images) {
    if (image.tokens.first < 1 || image.tokens.last + 1 >= std::ssize(prompt)) continue;
    const auto first = static_cast<std::size_t>(image.tokens.first);
    const Token& begin = prompt[first - 1];
    const Token& end = prompt[static_cast<std::size_t>(image.tokens.last) + 1];
    const std::size_t before = spans.empty() ? 0 : spans.back().written.end;
    const std::size_t firstToken = prompt[first].span.begin;
    if (begin.span.empty() || end.span.empty() || begin.span.begin < before ||
        firstToken < begin.span.end || end.span.begin < firstToken ||
        end.span.end > text.size())
      continue;
    ByteSpan written{begin.span.begin, end.span.end};
    if (written.begin >= before + kEmptyLine.size() &&
        text.compare(written.begin - kEmptyLine.size(), kEmptyLine.size(), kEmptyLine) ==
            0)
      written.begin -= kEmptyLine.size();
    if (text.compare(written.end, kEmptyLine.size(), kEmptyLine) == 0)
      written.end += kEmptyLine.size();
    spans.push_back({written, firstToken});
  }
  return spans;
}

/// A decoder may treat the first token of a sequence in its own way, as SentencePiece's
/// does. Therefore each text is the end of the decoded prompt up to the next image.
std::vector<std::string> textAroundImages(const std::vector<Token>& prompt,
                                          const std::vector<PromptImage>& images,
                                          const Tokenizer& tokenizer) {
  std::vector<std::string> texts;
  std::vector<TokenId> ids;  // of the prompt's text up to here
  std::size_t shown = 0;     // bytes of the decoded text that `texts` holds
  const auto addText = [&] {
    const std::string decoded = tokenizer.decode(ids, SpecialTokens::Omit);
    texts.push_back(decoded.substr(std::min(shown, decoded.size())));
    shown = decoded.size();
  };
  std::int64_t at = 0;
  for (const PromptImage& image : images) {
    for (; at < image.tokens.first; ++at)
      ids.push_back(prompt[static_cast<std::size_t>(at)].id);
    addText();
    at = image.tokens.last + 1;
  }
  for (; at < std::ssize(prompt); ++at)
    ids.push_back(prompt[static_cast<std::size_t>(at)].id);
  addText();
  for (std::size_t i = 0; i + 1 < texts.size(); ++i) {
    if (texts[i].ends_with(kEmptyLine))
      texts[i].erase(texts[i].size() - kEmptyLine.size());
    if (texts[i + 1].starts_with(kEmptyLine)) texts[i + 1].erase(0, kEmptyLine.size());
  }
  return texts;
}

std::vector<PromptImage> placeImages(const std::vector<Token>& prompt,
                                     const Pictures& pictures, const VisionSpec& vision) {
  std::vector<std::int64_t> places;
  for (std::size_t at = 0; at < prompt.size(); ++at)
    if (prompt[at].id == vision.imageToken)
      places.push_back(static_cast<std::int64_t>(at));
  const auto each = static_cast<std::size_t>(vision.tokens);
  if (places.size() != each * pictures.size())
    throw badInput("the prompt has " + countText(places.size(), "image token") + " (id " +
                   std::to_string(vision.imageToken.value) + "), expected " +
                   std::to_string(each * pictures.size()) + ": " + std::to_string(each) +
                   " for each of " + countText(pictures.size(), "image"));
  std::vector<PromptImage> images;
  for (const auto& picture : pictures) {
    const std::size_t first = images.size() * each;
    const PositionRange tokens{places[first], places[first + each - 1]};
    if (tokens.last - tokens.first + 1 != vision.tokens)
      throw badInput("the tokens of image " + std::to_string(images.size() + 1) +
                     " are apart, at positions " + std::to_string(tokens.first) + " to " +
                     std::to_string(tokens.last) + "; expected " + std::to_string(each) +
                     " side by side");
    images.push_back({picture, tokens});
  }
  return images;
}

}  // namespace equipatch
