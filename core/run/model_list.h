#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/checkpoint/model_cache.h"
#include "core/run/parity.h"
#include "core/work/job.h"

namespace equipatch {

/// The folder that this user's word for a model means: itself when it is one, otherwise
/// what a listed name stands for.
/// @throws Error{BadInput} with the names that are near.
std::filesystem::path modelFolder(const std::string& word);

/// What to call the model in a folder.
std::string nameOf(const std::filesystem::path& folder);

/// Adds a folder that was loaded to the list of folders used before, unless the model is
/// listed anyway. That it cannot be kept is no failure.
void rememberModel(const std::filesystem::path& folder);

/// Takes it off that list. @returns whether it was there. @throws Error{Resource} when
/// the list cannot be written.
bool forgetModel(const std::filesystem::path& folder);

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
