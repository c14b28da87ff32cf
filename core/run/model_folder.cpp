#include "core/run/model_folder.h"

#include <algorithm>
#include <system_error>

#include "core/checkpoint/model_cache.h"
#include "core/checkpoint/used_folders.h"

namespace equipatch {

std::filesystem::path modelFolder(const std::string& word) {
  return resolveModel(word, ModelPlaces::ofThisUser());
}

std::string nameOf(const std::filesystem::path& folder) {
  return modelName(folder);
}

void rememberModel(const std::filesystem::path& folder) {
  ModelPlaces places = ModelPlaces::ofThisUser();
  places.used.clear();
  const std::vector<ModelPlace> listed = findModels(places);
  std::error_code ignored;
  const bool isListed =
      std::any_of(listed.begin(), listed.end(), [&](const ModelPlace& place) {
        return std::filesystem::equivalent(place.folder, folder, ignored);
      });
  if (!isListed) UsedFolders().add(folder);
}

bool forgetModel(const std::filesystem::path& folder) {
  return UsedFolders().forget(folder);
}

}  // namespace equipatch
