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
  std::size_t image = 0;  ///< of the run's images
  std::int64_t step = 0;
  std::int64_t cells = 4;  ///< on a side; divides the image's tokens on a side
};

/// What the step gives when everything but a part of the image is absorbed.
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

/// Shows from where in a picture a step's knowledge comes: computes the step with
/// everything absorbed, then again for each cell of the picture, with only that cell
/// kept. A cell's rows come from the contextual pass, in which the tokens of an image see
/// each other, so that they hold something of the whole picture.
/// @throws Error{BadInput} where there is no such image, step or division;
///         Error{Cancelled}.
ImageMap mapImage(const std::shared_ptr<const Session>& session,
                  const ImageMapRequest& request, Progress& progress);

/// The map as figures of the lab, which are drawn and exported like those.
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

/// Maps an image and passes the map to `sink`; fails as `mapImage` throws.
std::unique_ptr<Job> makeImageMapJob(std::shared_ptr<const Session> session,
                                     ImageMapRequest request,
                                     std::shared_ptr<ImageMapSink> sink);

/// The divisions of an image's tokens that a map can have: cells on a side, ascending,
/// from 2 on. @param side the image's tokens on a side
std::vector<std::int64_t> mapDivisions(std::int64_t side);

}  // namespace equipatch
