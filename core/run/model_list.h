// SPDX-License-Identifier: GPL-3.0-or-later
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

/// The folder of the model that a user calls `word`: `resolveModel` in the folders that
/// this user's models are in. @throws as `resolveModel`.
std::filesystem::path modelFolder(const std::string& word);

/// The display name of the model in a folder.
std::string nameOf(const std::filesystem::path& folder);

/// Adds a loaded folder to the list of used folders, unless the model is found without
/// that list, as in the Hugging Face cache. Errors of reading or writing the list are
/// ignored.
void rememberModel(const std::filesystem::path& folder);

/// Removes a folder from the list of used folders. @returns whether it was listed.
/// @throws Error{Resource} when the list cannot be read or written.
bool forgetModel(const std::filesystem::path& folder);

struct ListedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
  ParityBadge parity;
};

/// The models of this machine; immutable once published.
struct ModelList {
  std::vector<ListedModel> models;  ///< in the order of ModelOrigin
  std::optional<std::int64_t>
      freeBytes;  ///< free memory; nothing where the system does not report it
};

/// Receives the list on the worker's thread; may only store or forward it.
class ModelListSink {
 public:
  virtual ~ModelListSink() = default;
  /// Called before the parity checks and, unless the job is stopped, again after them
  /// with the checks' badges.
  virtual void modelsListed(std::shared_ptr<const ModelList> list) = 0;
};

/// Lists every model in the places that `places` returns.
/// @param places called on the worker's thread, because it reads files
std::unique_ptr<Job> makeModelListJob(std::function<ModelPlaces()> places,
                                      std::shared_ptr<ParityBook> parity,
                                      std::shared_ptr<ModelListSink> sink);

}  // namespace equipatch
