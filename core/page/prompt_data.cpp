// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/image/picture.h"
#include "core/page/run_data.h"

namespace equipatch {
namespace {

enum PromptFlag { Special = 1, Kept = 2, OfImage = 4, Newest = 8 };

/// The media type of a PNG, JPEG or WebP file, by its first bytes; empty for others.
std::string_view mediaType(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP"))
    return "image/webp";
  return {};
}

bool isInImage(const RunRequest& request, std::int64_t position) {
  return std::ranges::any_of(request.images, [&](const PromptImage& image) {
    return image.tokens.first <= position && position <= image.tokens.last;
  });
}

int flagsOf(const RunRequest& request, std::int64_t position) {
  const std::int64_t length = std::ssize(request.prompt);
  const bool isNewest = position == length - 1;
  int flags = isNewest ? Newest : 0;
  if (request.prompt[static_cast<std::size_t>(position)].special) flags |= Special;
  if (!isNewest && request.absorbed.keeps(position, length)) flags |= Kept;
  return isInImage(request, position) ? flags | OfImage : flags;
}

}  // namespace

PageObject pictureData(const PromptImage& image) {
  const PictureFile& file = *image.picture;
  PageObject object{{"name", pageText(file.name)},
                    {"first", image.tokens.first},
                    {"last", image.tokens.last}};
  const auto without = [&](const std::string& reason) {
    object["missing"] = pageText(reason);
    return object;
  };
  if (file.bytes.empty()) return without("the run was recorded without its images");
  const std::string_view type = mediaType(file.bytes);
  if (type.empty()) return without("its format is not PNG, JPEG or WebP");
  try {
    const Picture picture =
        decodePicture(std::as_bytes(std::span(file.bytes)), file.name);
    object["width"] = picture.width;
    object["height"] = picture.height;
  } catch (const Error& error) {  // the rest of the run is still shown
    return without(error.what());
  }
  object["uri"] = "data:" + std::string(type) + ";base64," + encodeBase64(file.bytes);
  return object;
}

PageObject promptData(const RunRequest& request) {
  PageObject tokens = PageObject::array(), pictures = PageObject::array();
  for (std::size_t at = 0; at < request.prompt.size(); ++at) {
    const Token& token = request.prompt[at];
    tokens.push_back({pageToken(token, request.promptText), token.id.value,
                      flagsOf(request, static_cast<std::int64_t>(at))});
  }
  for (const PromptImage& image : request.images) pictures.push_back(pictureData(image));
  return {{"tokens", std::move(tokens)},
          {"keepsGenerated", request.absorbed.keepsGenerated},
          {"pictures", std::move(pictures)}};
}

}  // namespace equipatch
