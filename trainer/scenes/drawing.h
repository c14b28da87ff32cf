// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/image/picture.h"
#include "trainer/scenes/scene.h"

namespace equipatch {

inline constexpr int kPictureSide = 96;  ///< pixels

/// Draws a scene: a background with a gradient, then the things, each with small random
/// changes of position and colour (a shape also of size), then noise over everything.
Picture drawScene(const Scene& scene);

/// The picture as a PNG file's bytes.
std::string pngOf(const Picture& picture);

}  // namespace equipatch
