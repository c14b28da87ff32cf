// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_entry.h"

namespace equipatch {

/// Where a model was found. Lists have a section for each origin, in this order.
enum class ModelOrigin { Bundled, HubCache, OtherProgram, Used, Given };

/// Places to search for models.
struct ModelPlaces {
  std::filesystem::path bundled;              ///< empty: no bundled model
  std::filesystem::path bundledVision = {};   ///< reads images; empty: none
  std::vector<std::filesystem::path> caches;  ///< Hugging Face caches
  std::vector<std::filesystem::path> others;  ///< model folders of other programs
  std::vector<std::filesystem::path> used;    ///< folders loaded before, latest first
  /// Folders that the user named: models, folders of models, or caches.
  std::vector<std::filesystem::path> given;

  /// Places from the environment and the user's data folder.
  static ModelPlaces ofThisUser();
};

/// The folder and name of a model. A GGUF file has a place too, but cannot be loaded.
struct ModelPlace {
  ModelOrigin origin = ModelOrigin::Given;
  std::string name;  ///< as `--model` accepts it
  std::filesystem::path folder;
  std::string repository;                   ///< "owner/name"; empty outside a cache
  std::vector<std::string> revisions = {};  ///< branches, tags, commit, short commit
};

/// Folders that may hold a model, and GGUF files, in the order of ModelOrigin, each once.
std::vector<ModelPlace> findModels(const ModelPlaces& places);

struct CachedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
};

/// Describes all places of findModels, also those whose model cannot be loaded.
/// @throws Error{Cancelled} when `progress` requests a stop.
std::vector<CachedModel> listModels(const ModelPlaces& places, Progress& progress);

/// The path of the model that a user named: an existing folder or GGUF file, "bundled",
/// "bundled-vision", or a listed name ("owner/name", "owner/name@revision"). The name
/// without its owner, or the last component of a listed folder, suffices when only one
/// model has this name. Empty text, an absolute path, and text that begins with "." are
/// returned unchanged, even if no such folder exists.
/// @throws Error{BadInput} when no model or more than one matches, and when `word` is a
/// pipe or a device.
std::filesystem::path resolveModel(const std::string& word, const ModelPlaces& places);

/// Display name of a model: "owner/name" if the folder is a snapshot in a cache,
/// otherwise the last component of the path.
std::string modelName(const std::filesystem::path& folder);

/// Name for files that other people may read, without the path: modelName(word) if `word`
/// is a path, otherwise `word`.
std::string modelNameOfWord(const std::string& word);

}  // namespace equipatch
