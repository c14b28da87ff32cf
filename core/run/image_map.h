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

enum class MapOf {
  KeptCells,  ///< what the patch must supply when only this cell is kept
  Growth,     ///< how the patch changes while the context grows by the image's tokens
};

struct ImageMapRequest {
  /// The map ignores the run's absorbed part and strength, unless a free run's tokens
  /// before `step` depend on them.
  RunRequest run;
  std::size_t image = 0;        ///< index in the run's images
  std::int64_t step = 0;        ///< of the run, from 0
  std::int64_t cells = 4;       ///< per side; must divide the tokens per side
  MapOf of = MapOf::KeptCells;  ///< Growth ignores `cells`: each token is a cell
};

/// The step's results when all of the context except `kept` is absorbed.
struct ImageReading {
  std::vector<PositionRange> kept;
  double bareLinf = 0.0;   ///< between the bare and the contextual pass's logits
  double bareTvd = 0.0;    ///< between the two passes' next-token distributions
  double patchNorm = 0.0;  ///< ‖ΔW‖ over all matrices of all layers
  bool match = false;      ///< as StepRecord::match
};

struct ImageMap {
  std::string picture;  ///< the file's name
  std::string token;    ///< the contextual pass's token at the step
  std::int64_t cells = 0;
  ImageReading nothing;             ///< when nothing is kept
  std::vector<ImageReading> parts;  ///< when one cell is kept, row by row from the top
};

/// How a step's patch changes while the context grows by the tokens of an image, row by
/// row from the top left. The context before the image is present from the start.
struct ImageGrowth {
  std::string picture;    ///< the file's name
  std::int64_t side = 0;  ///< the image's tokens on a side
  /// [layer][token]: ‖change of ΔW‖_F over the MLP's input projections.
  std::vector<std::vector<double>> layers;

  /// For each token, the norm over all layers.
  std::vector<double> overLayers() const;
};

struct MapCost {
  std::int64_t readings = 0;  ///< prefills of the whole prompt
  std::int64_t passes = 0;    ///< forward passes of one token
};

/// @param side the image's tokens on a side
MapCost costOf(const ImageMapRequest& request, std::int64_t side);
/// @throws Error{BadInput} if the model takes no images, the run has no such image, or
/// `cells` does not divide the tokens per side.
MapCost costOf(const ImageMapRequest& request, const Session& session);

/// A kept cell's keys and values come from the contextual pass, in which the tokens of an
/// image attend to each other. They therefore hold something of the whole image.
/// @throws Error as `costOf`, `Backend::makeComparison` and `Comparison::step`;
/// Error{BadInput} if the text ends before the step.
ImageMap mapImage(const std::shared_ptr<const Session>& session,
                  const ImageMapRequest& request, Progress& progress);

/// @throws as `mapImage`.
ImageGrowth growOverImage(const std::shared_ptr<const Session>& session,
                          const ImageMapRequest& request, Progress& progress);

LabResult labResultOf(const ImageMap& map, const Session& session,
                      const ImageMapRequest& request);
LabResult labResultOf(const ImageGrowth& growth, const Session& session,
                      const ImageMapRequest& request);

struct MappedImage {
  MapOf of = MapOf::KeptCells;
  std::int64_t step = 0;  ///< of the run
  ImageMap map;           ///< set for KeptCells
  ImageGrowth growth;     ///< set for Growth
  LabResult figures;
};

/// Receives a map on the worker's thread; may only store or forward it.
class ImageMapSink {
 public:
  virtual ~ImageMapSink() = default;
  virtual void imageMapped(std::shared_ptr<const MappedImage> mapped) = 0;
};

/// The job fails with the errors of `mapImage`.
std::unique_ptr<Job> makeImageMapJob(std::shared_ptr<const Session> session,
                                     ImageMapRequest request,
                                     std::shared_ptr<ImageMapSink> sink);

/// The choices for ImageMapRequest::cells: the divisors of `side` from 2 on, ascending.
/// @param side the image's tokens on a side
std::vector<std::int64_t> mapDivisions(std::int64_t side);
/// The default for `cells`: the largest of `mapDivisions` up to 4, or else the smallest;
/// 1 if `mapDivisions` is empty.
std::int64_t usualDivision(std::int64_t side);

}  // namespace equipatch
