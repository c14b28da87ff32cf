// SPDX-License-Identifier: GPL-3.0-or-later
// Images of prompts.
#include "core/image/picture.h"
#include "core/image/pixels.h"
#include "tests/fuzz/harness.h"

namespace equipatch::fuzz {

void readPicture(std::string_view input) {
  attempt([&] {
    const Picture picture = decodePicture(std::as_bytes(std::span(input)), "picture");
    require(picture.width * picture.height <= kMostPicturePixels,
            "an image is within the limits");
    require(static_cast<std::int64_t>(picture.rgb.size()) ==
                picture.width * picture.height * 3,
            "an image has all its pixels");
    constexpr std::int64_t kSide = 16;
    require(pixelValues(picture, {}, kSide).size() == 3 * kSide * kSide,
            "a tower gets all its pixels");
  });
}

}  // namespace equipatch::fuzz
