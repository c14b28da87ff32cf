// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_cache.h"

#include <system_error>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
#include "core/base/strings.h"
#include "core/checkpoint/model_folders.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBundled = "bundled";
constexpr const char* kBundledVision = "bundled-vision";
constexpr int kMostListed = 10'000;

bool holdsConfig(const fs::path& folder) {
  return isFile(folder / "config.json");
}

/// The snapshots in a cache. If a repository has several, each name states its revision:
/// "owner/name@main".
std::vector<ModelPlace> placesInCache(const fs::path& cache) {
  const std::vector<CachedRevision> revisions = readHubCache(cache);
  std::map<std::string, int> snapshots;
  for (const CachedRevision& revision : revisions) ++snapshots[revision.repository];
  std::vector<ModelPlace> places;
  for (const CachedRevision& revision : revisions) {
    std::string name = revision.repository;
    if (snapshots[name] > 1) name += "@" + revision.shownRevision();
    std::vector<std::string> names = revision.revisions;
    names.push_back(revision.commit);
    names.push_back(revision.shortCommit());
    places.push_back({ModelOrigin::HubCache, name, revision.folder, revision.repository,
                      std::move(names)});
  }
  return places;
}

/// Adds folders with a config.json, and GGUF files, at most `depth` levels below
/// `folder`, sorted by path.
void collectBelow(const fs::path& folder, int depth, ModelOrigin origin,
                  std::vector<ModelPlace>& places) {
  std::vector<fs::path> entries;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem);
       !problem && at != fs::directory_iterator() && std::ssize(entries) < kMostListed;
       at.increment(problem))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (std::ssize(places) >= kMostListed) return;
    if (holdsConfig(entry) || (isGgufName(entry) && isFile(entry)))
      places.push_back({origin, entry.string(), entry});
    else if (depth > 1 && isFolder(entry))
      collectBelow(entry, depth - 1, origin, places);
  }
}

std::vector<ModelPlace> placesUnder(const fs::path& folder) {
  if (holdsConfig(folder)) return {{ModelOrigin::Given, folder.string(), folder}};
  std::vector<ModelPlace> places = placesInCache(folder);
  for (ModelPlace& place : places) {
    place.origin = ModelOrigin::Given;
    // The name "owner/name" would mean a model in this user's own caches.
    place.name = place.folder.string();
  }
  if (!places.empty()) return places;
  collectBelow(folder, 1, ModelOrigin::Given, places);
  // List the folder itself, so that the user sees why it is not a model.
  if (places.empty()) places.push_back({ModelOrigin::Given, folder.string(), folder});
  return places;
}

}  // namespace

ModelPlaces ModelPlaces::ofThisUser() {
  return {
      .bundled = findResource(Resource::BundledModel).value_or(fs::path()),
      .bundledVision = findResource(Resource::BundledVisionModel).value_or(fs::path()),
      .caches = hubCacheFolders(),
      .others = otherProgramsFolders(),
      .used = UsedFolders().all(),
      .given = {}};
}

std::vector<ModelPlace> findModels(const ModelPlaces& places) {
  std::vector<ModelPlace> all;
  std::set<fs::path> seen;
  const auto add = [&](const ModelPlace& place) {
    if (seen.insert(absoluteFolder(place.folder)).second) all.push_back(place);
  };
  if (!places.bundled.empty()) add({ModelOrigin::Bundled, kBundled, places.bundled});
  if (!places.bundledVision.empty())
    add({ModelOrigin::Bundled, kBundledVision, places.bundledVision});
  for (const fs::path& cache : places.caches)
    for (const ModelPlace& place : placesInCache(cache)) add(place);
  std::vector<ModelPlace> others;
  // Three levels, because LM Studio's layout is publisher/model/files.
  for (const fs::path& folder : places.others)
    collectBelow(folder, 3, ModelOrigin::OtherProgram, others);
  for (const ModelPlace& place : others) add(place);
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

namespace {

namespace fs = std::filesystem;

/// "google/gemma-3-1b-it@main" → "gemma-3-1b-it"
std::string shortName(const std::string& name) {
  const std::string whole = name.substr(0, name.find('@'));
  return whole.substr(whole.find('/') + 1);
}

/// Levenshtein distance in bytes.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

/// True if `name` contains `word` or has a similar spelling, ignoring case.
bool isNear(const std::string& word, const std::string& name) {
  constexpr std::size_t kLongest = 128;
  const std::string w = asciiLowered(word);
  const std::string n = asciiLowered(name);
  if (n.find(w) != std::string::npos) return true;
  if (w.size() > kLongest || n.size() > kLongest) return false;
  const auto fewDiffer = [](const std::string& a, const std::string& b) {
    return distance(a, b) <= std::max<std::size_t>(2, a.size() / 4);
  };
  return fewDiffer(w, n) || fewDiffer(shortName(w), shortName(n));
}

Error noSuchModel(const std::string& word, const std::vector<std::string>& near) {
  const std::string names = joined(near);
  return badInput(
      inQuotes(word) + " is neither a folder nor the name of a model on this machine" +
      (names.empty() ? "" : "; names like it are " + names) +
      "; give a folder in Hugging Face layout or a name from the window's list "
      "of models, which \"equipatch-cli models\" prints");
}

Error ambiguous(const std::string& word, const std::vector<ModelPlace>& found) {
  std::string names;
  for (const ModelPlace& place : found) names += (names.empty() ? "" : ", ") + place.name;
  return badInput(inQuotes(word) + " may be any of " + names + "; give one of these");
}

/// True if `word` is `name`@R, where R is one of the snapshot's revisions.
bool meansRevision(const std::string& word, const std::string& name,
                   const ModelPlace& place) {
  return std::any_of(
      place.revisions.begin(), place.revisions.end(),
      [&](const std::string& revision) { return word == name + "@" + revision; });
}

/// True if two places hold the same model, perhaps as different snapshots.
bool sameModel(const ModelPlace& a, const ModelPlace& b) {
  return a.repository.empty() ? a.folder == b.folder : a.repository == b.repository;
}

/// Models that a word may name; more than one if the word is ambiguous. Short names count
/// only if no full name matches. If several snapshots of a model match, only the first
/// listed one is returned.
std::vector<ModelPlace> matches(const std::string& word,
                                const std::vector<ModelPlace>& places) {
  const auto filtered = [&](auto means) {
    std::vector<ModelPlace> found;
    for (const ModelPlace& place : places) {
      const auto isSame = [&](const ModelPlace& one) { return sameModel(one, place); };
      if (means(place) && std::ranges::none_of(found, isSame)) found.push_back(place);
    }
    return found;
  };
  auto found = filtered([&](const ModelPlace& p) {
    return !p.repository.empty() ? p.repository == word || p.name == word ||
                                       meansRevision(word, p.repository, p)
                                 : p.origin == ModelOrigin::Bundled && p.name == word;
  });
  if (!found.empty()) return {found.front()};
  return filtered([&](const ModelPlace& p) {
    if (p.repository.empty()) return p.folder.filename() == word;
    const std::string name = shortName(p.repository);
    return name == word || meansRevision(word, name, p);
  });
}

bool isPath(const std::string& word) {
  return word.empty() || isFolder(word) || fs::path(word).is_absolute() ||
         word.front() == '.' || (isGgufName(word) && isFile(word));
}

}  // namespace

fs::path resolveModel(const std::string& word, const ModelPlaces& places) {
  if (isPipeOrDevice(word))
    throw badInput(inQuotes(word) +
                   " is a pipe or device; expected a model's folder in Hugging Face "
                   "layout, or a model's name");
  if (isPath(word)) return word;
  const std::vector<ModelPlace> named = findModels(places);
  const std::vector<ModelPlace> found = matches(word, named);
  if (found.size() == 1) return found.front().folder;
  if (!found.empty()) throw ambiguous(word, found);
  std::vector<std::string> near;
  for (const ModelPlace& place : named) {
    const std::string called =
        place.repository.empty() && place.origin != ModelOrigin::Bundled
            ? place.folder.filename().string()
            : place.name;
    if (near.size() < 5 && isNear(word, called) && !std::ranges::count(near, called))
      near.push_back(called);
  }
  throw noSuchModel(word, near);
}

std::string modelName(const fs::path& folder) {
  const fs::path whole = absoluteFolder(folder);
  const std::string repository = repositoryOfSnapshot(whole);
  return repository.empty() ? whole.filename().string() : repository;
}

std::string modelNameOfWord(const std::string& word) {
  return word.empty() || !isPath(word) ? word : modelName(word);
}

}  // namespace equipatch
