// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/record/lab_result.h"
#include "core/run/comparison.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

/// The image and the step that a map shows.
struct ImageMapRequest {
  RunRequest run;         ///< its absorbed part is ignored
  std::size_t image = 0;  ///< index in the run's images
  std::int64_t step = 0;
  std::int64_t cells = 4;  ///< on a side; divides the image's tokens on a side
};

/// The step's results when only a part of the image is kept and everything else is
/// absorbed.
struct ImageReading {
  std::vector<PositionRange> kept;
  double bareLinf = 0.0;   ///< between the bare and the contextual pass's logits
  double bareTvd = 0.0;    ///< between the two passes' next-token distributions
  double patchNorm = 0.0;  ///< ‖ΔW‖ over all matrices of all layers
  bool match = false;      ///< the patched and the contextual pass choose the same token
};

struct ImageMap {
  std::string picture;  ///< the file's name
  std::string token;    ///< the contextual pass's token at the step
  std::int64_t cells = 0;
  ImageReading nothing;             ///< when nothing is kept
  std::vector<ImageReading> parts;  ///< when one cell is kept, row by row from the top
};

/// The cost of the map: how often it reads the prompt. Throws as `mapImage` does.
std::int64_t promptReadings(const Session& session, const ImageMapRequest& request);

/// Shows which part of a picture a step's knowledge comes from: computes the step with
/// everything absorbed, then again for each cell of the picture, with only that cell
/// kept. A cell's rows come from the contextual pass, in which the tokens of an image see
/// each other, so that they hold something of the whole picture.
/// @throws Error{BadInput} if there is no such image, step or division; Error{Cancelled}.
ImageMap mapImage(const std::shared_ptr<const Session>& session,
                  const ImageMapRequest& request, Progress& progress);

/// The map as a result of the lab, so that it is drawn and exported like one.
LabResult labResultOf(const ImageMap& map, const Session& session,
                      const ImageMapRequest& request);

/// A map and its figures.
struct MappedImage {
  ImageMap map;
  LabResult figures;
};

/// Receives a map on the worker's thread; may only store or forward it.
class ImageMapSink {
 public:
  virtual ~ImageMapSink() = default;
  virtual void imageMapped(std::shared_ptr<const MappedImage> mapped) = 0;
};

/// A job that maps an image and passes the map to `sink`; it fails with the errors of
/// `mapImage`.
std::unique_ptr<Job> makeImageMapJob(std::shared_ptr<const Session> session,
                                     ImageMapRequest request,
                                     std::shared_ptr<ImageMapSink> sink);

/// The numbers of cells on a side that a map can have: the divisors of `side`, the
/// image's tokens on a side, in ascending order from 2 on.
std::vector<std::int64_t> mapDivisions(std::int64_t side);

}  // namespace equipatch
