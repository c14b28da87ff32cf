#pragma once

#include <filesystem>
#include <string>

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

}  // namespace equipatch
