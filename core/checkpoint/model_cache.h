#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_entry.h"

namespace equipatch {

/// Why a model is listed; also the order of the sections.
enum class ModelOrigin { Bundled, HubCache, Used, Given };

/// Where models are looked for.
struct ModelPlaces {
  std::filesystem::path bundled;              ///< empty: none comes with the program
  std::vector<std::filesystem::path> caches;  ///< of huggingface_hub
  std::vector<std::filesystem::path> used;    ///< folders loaded before, newest first
  /// Models' folders, or folders of such, or caches, that the user named.
  std::vector<std::filesystem::path> given;

  /// What the environment and the user's data folder say.
  static ModelPlaces ofThisUser();
};

/// A model's folder and what it is called, before anything in it was read.
struct ModelPlace {
  ModelOrigin origin = ModelOrigin::Given;
  std::string name;  ///< as `--model` takes it
  std::filesystem::path folder;
  std::string repository;                   ///< "owner/name"; empty outside a cache
  std::vector<std::string> revisions = {};  ///< branches, tags, the commit, its start
};

/// Every folder that may be a model, in the order of the sections and each once.
std::vector<ModelPlace> findModels(const ModelPlaces& places);

struct CachedModel {
  ModelOrigin origin = ModelOrigin::Given;
  ModelEntry entry;
};

/// Describes all of them, in order. One bad model never hides the others.
/// @throws Error{Cancelled} when `progress` asks to stop, between two models.
std::vector<CachedModel> listModels(const ModelPlaces& places, Progress& progress);

/// The folder that a user's word for a model means: a folder that exists, "bundled", a
/// listed name ("owner/name", "owner/name@revision"), or the part behind the owner when
/// only one model is called that. A word that cannot be a name (an absolute path, one
/// that begins with ".") is a folder, existing or not.
/// @throws Error{BadInput} naming the models whose names are near.
std::filesystem::path resolveModel(const std::string& word, const ModelPlaces& places);

/// What to call a model: "owner/name" where its folder is a snapshot in a cache,
/// otherwise the folder's last part.
std::string modelName(const std::filesystem::path& folder);

/// What files for others say instead of a user's word for a model: where it is a folder
/// the model's name, otherwise itself.
std::string modelNameOfWord(const std::string& word);

}  // namespace equipatch
