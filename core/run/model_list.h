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

/// As `resolveModel`, with this user's ModelPlaces.
std::filesystem::path modelFolder(const std::string& word);

/// The display name of the model in a folder.
std::string nameOf(const std::filesystem::path& folder);

/// Adds a folder to the list of used folders, unless the model is found without the list,
/// as in the Hugging Face cache. Ignores errors of reading or writing the list.
void rememberModel(const std::filesystem::path& folder);

/// Removes a folder from the list of used folders. @returns whether the list had it.
/// @throws Error{Resource} when the list cannot be read or written.
bool forgetModel(const std::filesystem::path& folder);

struct ListedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
  ParityBadge parity;
};

struct ModelList {
  std::vector<ListedModel> models;        ///< in the order of ModelOrigin
  std::optional<std::int64_t> freeBytes;  ///< of memory; nothing if unknown
};

/// Receives the list on the worker's thread; may only store or forward it.
class ModelListSink {
 public:
  virtual ~ModelListSink() = default;
  /// Called before the parity checks and, unless the job is stopped, again with their
  /// badges.
  virtual void modelsListed(std::shared_ptr<const ModelList> list) = 0;
};

/// @param places called on the worker's thread, because it reads files
std::unique_ptr<Job> makeModelListJob(std::function<ModelPlaces()> places,
                                      std::shared_ptr<ParityBook> parity,
                                      std::shared_ptr<ModelListSink> sink);

}  // namespace equipatch
