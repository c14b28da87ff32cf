#include "core/checkpoint/model_name.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/checkpoint/hub_cache.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// What is left of "google/gemma-3-1b-it@main" behind owner and before revision.
std::string shortName(const std::string& name) {
  const std::string whole = name.substr(0, name.find('@'));
  return whole.substr(whole.find('/') + 1);
}

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

/// How many letters must be changed, put in or left out (Levenshtein).
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

bool isNear(const std::string& word, const std::string& name) {
  constexpr std::size_t kLongest = 128;
  const std::string w = lowered(word);
  const std::string n = lowered(name);
  if (n.find(w) != std::string::npos) return true;
  if (w.size() > kLongest || n.size() > kLongest) return false;
  const std::size_t allowed = std::max<std::size_t>(2, w.size() / 4);
  return distance(w, n) <= allowed || distance(w, lowered(shortName(name))) <= allowed;
}

Error noSuchModel(const std::string& word, const std::vector<std::string>& near) {
  std::string names;
  for (const std::string& name : near) names += (names.empty() ? "" : ", ") + name;
  return badInput(inQuotes(word) +
                  " is neither a folder nor the name of a model on this machine" +
                  (names.empty() ? "" : "; names like it are " + names) +
                  "; give a folder in Hugging Face layout or a name that "
                  "\"equipatch-cli models\" lists");
}

Error ambiguous(const std::string& word, const std::vector<ModelPlace>& found) {
  std::string names;
  for (const ModelPlace& place : found) names += (names.empty() ? "" : ", ") + place.name;
  return badInput(inQuotes(word) + " may be any of " + names + "; give one of these");
}

/// The named models that a word means exactly, by what is most exact.
std::vector<ModelPlace> matches(const std::string& word,
                                const std::vector<ModelPlace>& places) {
  const auto filtered = [&](auto means) {
    std::vector<ModelPlace> found;
    std::copy_if(places.begin(), places.end(), std::back_inserter(found), means);
    return found;
  };
  auto found = filtered([&](const ModelPlace& p) { return p.name == word; });
  if (!found.empty()) return {found.front()};
  // Of several snapshots "main" comes first, and a name without revision means it.
  found = filtered([&](const ModelPlace& p) {
    return p.origin == ModelOrigin::HubCache && p.name.starts_with(word + "@");
  });
  if (!found.empty()) return {found.front()};
  found = filtered([&](const ModelPlace& p) { return shortName(p.name) == word; });
  const auto sameRepository = [&](const ModelPlace& p) {
    return p.name.substr(0, p.name.find('@')) ==
           found.front().name.substr(0, found.front().name.find('@'));
  };
  if (!found.empty() && std::all_of(found.begin(), found.end(), sameRepository))
    return {found.front()};
  return found;
}

}  // namespace

fs::path resolveModel(const std::string& word, const ModelPlaces& places) {
  const fs::path path = word;
  if (word.empty() || isFolder(path) || path.is_absolute() || word.front() == '.')
    return path;
  std::vector<ModelPlace> named;
  for (ModelPlace& place : findModels(places)) {
    // A folder is called by its last part too.
    if (place.origin != ModelOrigin::HubCache && place.origin != ModelOrigin::Bundled)
      place.name = place.folder.filename().string();
    named.push_back(std::move(place));
  }
  const std::vector<ModelPlace> found = matches(word, named);
  if (found.size() == 1) return found.front().folder;
  if (!found.empty()) throw ambiguous(word, found);
  std::vector<std::string> near;
  for (const ModelPlace& place : named)
    if (isNear(word, place.name) && near.size() < 5) near.push_back(place.name);
  throw noSuchModel(word, near);
}

std::string modelName(const fs::path& folder) {
  std::error_code problem;
  fs::path whole = fs::absolute(folder, problem).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // "models/tiny/"
  const std::string repository = repositoryOfSnapshot(whole);
  return repository.empty() ? whole.filename().string() : repository;
}

}  // namespace equipatch
