// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/record/lab_result.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

/// Which image of which step a map is of.
struct ImageMapRequest {
  RunRequest run;         ///< the part that it absorbs is replaced
  std::size_t image = 0;  ///< of the run's images
  std::int64_t step = 0;
  std::int64_t cells = 4;  ///< on a side; divides the image's tokens on a side
};

/// The step with everything absorbed but a part of the image.
struct ImageReading {
  std::vector<PositionRange> kept;
  double bareLinf = 0.0;  ///< of the bare pass, which has no patch, to the contextual one
  double bareTvd = 0.0;
  double patchNorm = 0.0;  ///< ‖ΔW‖ over all matrices of all layers
  bool match = false;      ///< of the patched and the contextual pass
};

struct ImageMap {
  std::string picture;  ///< its file's name
  std::string token;    ///< the contextual pass's at the step
  std::int64_t cells = 0;
  ImageReading nothing;             ///< nothing is kept
  std::vector<ImageReading> parts;  ///< a cell is kept; row by row from the top left
};

/// How often the map reads the prompt: its cost. @throws as `mapImage`.
std::int64_t promptReadings(const Session& session, const ImageMapRequest& request);

/// Where in a picture the knowledge of a step sits: the step is computed with everything
/// absorbed, and once for each cell of the picture that alone is kept. A cell's rows come
/// from the contextual pass, in which the tokens of an image see each other, so that they
/// hold something of the whole picture.
/// @throws Error{BadInput} where there is no such image, step or division;
///         Error{Cancelled}.
ImageMap mapImage(const std::shared_ptr<const Session>& session,
                  const ImageMapRequest& request, Progress& progress);

/// The map as figures of the lab, which are drawn and exported like those.
LabResult labResultOf(const ImageMap& map, const Session& session,
                      const ImageMapRequest& request);

}  // namespace equipatch
