// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_entry.h"

namespace equipatch {

/// Where a listed model was found; also the order of the list's sections.
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

/// A model's folder and name, found without reading the model; or a GGUF file, which is
/// listed although it is not read.
struct ModelPlace {
  ModelOrigin origin = ModelOrigin::Given;
  std::string name;  ///< as `--model` accepts it
  std::filesystem::path folder;
  std::string repository;                   ///< "owner/name"; empty outside a cache
  std::vector<std::string> revisions = {};  ///< branches, tags, commit, short commit
};

/// Every folder that may be a model and every GGUF file, by section, each once.
std::vector<ModelPlace> findModels(const ModelPlaces& places);

struct CachedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
};

/// Describes all models in order. A broken model does not hide the others.
/// @throws Error{Cancelled} when `progress` requests a stop, between two models.
std::vector<CachedModel> listModels(const ModelPlaces& places, Progress& progress);

/// Resolves the text that a user gave as a model: an existing folder or GGUF file,
/// "bundled", "bundled-vision", or a listed name ("owner/name", "owner/name@revision").
/// The name without its owner, or the last component of a listed folder, suffices when
/// only one model has it.
/// Text that cannot be a name (an empty one, an absolute path, or one that begins with
/// ".") is taken as a folder, existing or not.
/// @throws Error{BadInput} when no model matches (names models with similar names), when
/// more than one matches (names them all), and when `word` is a pipe or a device.
std::filesystem::path resolveModel(const std::string& word, const ModelPlaces& places);

/// Display name of a model: "owner/name" where its folder is a snapshot in a cache,
/// otherwise the last component of the path.
std::string modelName(const std::filesystem::path& folder);

/// Name to write into files that others read: the model's name where `word` is a folder,
/// otherwise `word`, so that no path is published.
std::string modelNameOfWord(const std::string& word);

}  // namespace equipatch
