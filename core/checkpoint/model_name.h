#pragma once

#include <filesystem>
#include <string>

#include "core/checkpoint/model_cache.h"

namespace equipatch {

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
