#include "core/checkpoint/model_cache.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "core/base/path_kind.h"
#include "core/base/resources.h"
#include "core/checkpoint/hub_cache.h"
#include "core/checkpoint/used_folders.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBundled = "bundled";
constexpr std::size_t kShortCommit = 8;
constexpr int kMostGiven = 10'000;

bool holdsConfig(const fs::path& folder) {
  return isFile(folder / "config.json");
}

/// "owner/name" when that can only mean this one, otherwise with "@main" or "@1a2b3c4d".
std::vector<ModelPlace> placesInCache(const fs::path& cache) {
  const std::vector<CachedRevision> revisions = readHubCache(cache);
  std::map<std::string, int> snapshots;
  for (const CachedRevision& revision : revisions) ++snapshots[revision.repository];
  std::vector<ModelPlace> places;
  for (const CachedRevision& revision : revisions) {
    std::string name = revision.repository;
    if (snapshots[name] > 1)
      name += "@" + (revision.revisions.empty() ? revision.commit.substr(0, kShortCommit)
                                                : revision.revisions.front());
    std::vector<std::string> names = revision.revisions;
    names.push_back(revision.commit);
    names.push_back(revision.commit.substr(0, kShortCommit));
    places.push_back({ModelOrigin::HubCache, name, revision.folder, revision.repository,
                      std::move(names)});
  }
  return places;
}

std::vector<ModelPlace> placesUnder(const fs::path& folder) {
  if (holdsConfig(folder)) return {{ModelOrigin::Given, folder.string(), folder}};
  std::vector<ModelPlace> places = placesInCache(folder);
  if (!places.empty()) return places;
  std::error_code problem;
  int seen = 0;
  for (fs::directory_iterator at(folder, problem);
       !problem && at != fs::directory_iterator() && seen < kMostGiven;
       at.increment(problem), ++seen)
    if (holdsConfig(at->path()))
      places.push_back({ModelOrigin::Given, at->path().string(), at->path()});
  std::sort(places.begin(), places.end(),
            [](const ModelPlace& a, const ModelPlace& b) { return a.folder < b.folder; });
  // The user named it, so what is wrong with it is worth saying.
  if (places.empty()) places.push_back({ModelOrigin::Given, folder.string(), folder});
  return places;
}

}  // namespace

ModelPlaces ModelPlaces::ofThisUser() {
  return {.bundled = findResource(Resource::BundledModel).value_or(fs::path()),
          .caches = hubCacheFolders(),
          .used = UsedFolders().all(),
          .given = {}};
}

std::vector<ModelPlace> findModels(const ModelPlaces& places) {
  std::vector<ModelPlace> all;
  std::set<fs::path> seen;
  const auto add = [&](const ModelPlace& place) {
    if (seen.insert(place.folder.lexically_normal()).second) all.push_back(place);
  };
  if (!places.bundled.empty()) add({ModelOrigin::Bundled, kBundled, places.bundled});
  for (const fs::path& cache : places.caches)
    for (const ModelPlace& place : placesInCache(cache)) add(place);
  for (const fs::path& folder : places.used)
    add({ModelOrigin::Used, folder.string(), folder});
  for (const fs::path& folder : places.given)
    for (const ModelPlace& place : placesUnder(folder)) add(place);
  return all;
}

std::vector<CachedModel> listModels(const ModelPlaces& places, Progress& progress) {
  const std::vector<ModelPlace> found = findModels(places);
  std::vector<CachedModel> models;
  for (const ModelPlace& place : found) {
    progress.throwIfStopped();
    progress.report(
        static_cast<double>(models.size()) / static_cast<double>(found.size()),
        "Looking at " + place.name);
    models.push_back({place.origin, describeModelFolder(place.folder)});
    models.back().entry.name = place.name;
  }
  return models;
}

}  // namespace equipatch
