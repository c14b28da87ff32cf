#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/checkpoint/model_cache.h"
#include "core/run/parity_book.h"
#include "core/work/job.h"

namespace equipatch {

struct ListedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
  ParityBadge parity;
};

/// What is on this machine, at one moment; immutable once published.
struct ModelList {
  std::vector<ListedModel> models;  ///< in the order of the sections
  std::optional<std::int64_t>
      freeBytes;  ///< of memory; nothing when the system is silent
};

/// Hears the list, on the worker's thread; may only store or forward.
class ModelListSink {
 public:
  virtual ~ModelListSink() = default;
  /// First without parity badges, then, once the checks were made, with them.
  virtual void modelsListed(std::shared_ptr<const ModelList> list) = 0;
};

/// Looks at every model in `places`, which are asked for in the job: they are read from
/// files.
std::unique_ptr<Job> makeModelListJob(std::function<ModelPlaces()> places,
                                      std::shared_ptr<ParityBook> parity,
                                      std::shared_ptr<ModelListSink> sink);

}  // namespace equipatch
