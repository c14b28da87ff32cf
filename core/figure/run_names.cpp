// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/number_format.h"
#include "core/base/number_ranges.h"
#include "core/base/strings.h"
#include "core/figure/prompt_words.h"
#include "core/figure/run_places.h"
#include "core/record/absorbed_set.h"
#include "core/record/absorbed_words.h"
#include "core/record/branch.h"

namespace equipatch {
namespace {

std::string dtypeOf(const RunHeader& header) {
  const std::string name(torchName(header.dtype));
  return header.computesFloat32 ? name + " weights, float32" : name;
}

std::string methodOf(const RunHeader& header) {
  return std::string(name(header.request.patch.method));
}

std::string loopOf(const RunHeader& header) {
  return std::string(name(header.request.patch.loop));
}

std::string applicationOf(const RunHeader& header) {
  return std::string(name(header.request.patch.application));
}

/// Separates the words of one setting. Becomes a space in names, a comma in captions.
constexpr char kBetween = '\n';

void addWords(std::string& text, const std::string& words) {
  text += (text.empty() ? "" : std::string(1, kBetween)) + words;
}

/// "layer 2", "layers 0–3,7"; "17 layers" if the list would be long.
std::string layersText(const std::vector<std::int64_t>& layers) {
  constexpr std::size_t kMostBytes = 40;
  const std::string ranges = numberRangesText(layers);
  if (ranges.size() > kMostBytes) return std::to_string(layers.size()) + " layers";
  return (layers.size() == 1 ? "layer " : "layers ") + ranges;
}

std::string strengthOf(const RunHeader& header) {
  const PatchStrength& strength = header.request.strength;
  std::string text;
  if (strength.alpha != 1.0) text = "α = " + shortText(strength.alpha, 6);
  if (!strength.layers.empty()) addWords(text, layersText(strength.layers));
  return text;
}

std::string deviceOf(const RunHeader& header) {
  return header.device;
}

std::string optionsOf(const RunHeader& header) {
  std::string text;
  if (header.request.roundLogits) text = "rounded logits";
  if (header.request.freeRun) addWords(text, "free run");
  return text;
}

std::string extrasOf(const RunHeader& header) {
  std::string text;
  for (const RunExtra& extra : kRunExtras)
    if (header.request.*extra.is != extra.usual) addWords(text, extra.words);
  return text;
}

std::string samplingOf(const RunHeader& header) {
  const Sampling& sampling = header.request.sampling;
  if (!header.request.samples()) return "greedy";
  std::string text = "temperature " + shortText(sampling.temperature, 6);
  if (sampling.topK > 0) addWords(text, "top-k " + std::to_string(sampling.topK));
  if (sampling.topP < 1.0) addWords(text, "top-p " + shortText(sampling.topP, 6));
  return text;
}

/// Empty for a run that does not sample, because it does not use its seed.
std::string seedOf(const RunHeader& header) {
  return header.request.samples() ? "seed " + std::to_string(header.request.sampling.seed)
                                  : std::string();
}

std::string absorbedPartOf(const RunHeader& header) {
  return absorbedKey(header.request);
}

/// The words of a run that is no branch, and of a patch that is applied whole. A name
/// omits them if it has other words.
constexpr std::string_view kOriginal = "original", kWholePatch = "α = 1";
constexpr std::string_view kAbsorbsAll = "absorbs all";  // omitted in lists of files

std::string absorbedOf(const RunHeader& header) {
  return absorbedWords(header.request);
}

std::string modelOf(const RunHeader& header) {
  return header.modelName;
}

using Setting = std::string (*)(const RunHeader&);
constexpr Setting kSettings[] = {modelOf,  deviceOf,      dtypeOf,    methodOf,
                                 loopOf,   applicationOf, strengthOf, optionsOf,
                                 extrasOf, samplingOf,    seedOf,     absorbedOf};

std::string spaced(std::string words) {
  std::ranges::replace(words, kBetween, ' ');
  return words;
}

void append(std::string& name, const std::string& part) {
  if (!part.empty()) name += (name.empty() ? "" : " ") + spaced(part);
}

/// The words of each run for one setting.
using Words = std::vector<std::string>;

void addIfDifferent(std::vector<Words>& settings, Words words) {
  if (std::set<std::string>(words.begin(), words.end()).size() > 1)
    settings.push_back(std::move(words));
}

/// A run that does not sample has no words for its seed and is ignored.
bool haveDifferentSeeds(const Words& words) {
  std::set<std::string> seeds(words.begin(), words.end());
  seeds.erase("");
  return seeds.size() > 1;
}

/// The name of one run. If all words are of usual settings, the name is the first word.
/// Absorbed words before a prompt's words give "absorbs “…” of “…”".
std::string joinedWords(const std::vector<Words>& settings, std::size_t run) {
  std::string name;
  std::string_view usual;
  for (const Words& words : settings) {
    const std::string& word = words[run];
    if (word != kOriginal && word != kWholePatch)
      append(name, name.ends_with("”") && word.starts_with("“") ? "of " + word : word);
    else if (usual.empty())
      usual = word;
  }
  return name.empty() ? std::string(usual) : name;
}

/// Numbers runs that share a name: "bfloat16 direct open #2". A run gets its number from
/// `numbers`, or the first free number if its own is 0 or taken.
void tellApart(std::vector<std::string>& names, const std::vector<int>& numbers) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::map<std::string, std::set<int>> taken;
  const auto take = [&](const std::string& name, int number) {
    return uses.count(name + " #" + std::to_string(number)) == 0 &&
           taken[name].insert(number).second;
  };
  std::vector<int> given(names.size(), 0);
  for (std::size_t run = 0; run < numbers.size(); ++run)
    if (numbers[run] > 0 && take(names[run], numbers[run])) given[run] = numbers[run];
  for (std::size_t run = 0; run < names.size(); ++run) {
    if (uses[names[run]] < 2) continue;
    if (given[run] == 0) do
        ++given[run];
      while (!take(names[run], given[run]));
    names[run] += " #" + std::to_string(given[run]);
  }
}

/// Lengthens words that different absorbed parts share. If the longer words are equal
/// too and the parts are of one prompt (which may repeat words), adds their positions.
void tellPartsApart(Words& words, const RunHeaders& headers) {
  constexpr std::size_t kLong = 90;  // bytes
  std::map<std::string, std::set<std::string>> parts;
  for (std::size_t run = 0; run < words.size(); ++run)
    parts[words[run]].insert(absorbedKey(headers[run]->request));
  for (std::size_t run = 0; run < words.size(); ++run)
    if (parts[words[run]].size() > 1)
      words[run] = absorbedWords(headers[run]->request, kLong);
  const Words before = words;
  for (std::size_t run = 0; run < words.size(); ++run) {
    const RunRequest& request = headers[run]->request;
    const auto isOtherPart = [&](std::size_t other) {
      return before[other] == before[run] &&
             headers[other]->request.absorbed != request.absorbed &&
             haveOnePrompt(headers[other]->request, request);
    };
    for (std::size_t other = 0; other < words.size(); ++other)
      if (isOtherPart(other)) {
        const std::string positions = absorbedPositions(request);
        words[run] += ", " + positions.substr(positions.find(' ') + 1);
        break;
      }
  }
}

Words wordsOf(Setting setting, const RunHeaders& headers) {
  Words words;
  for (const auto& header : headers) {
    words.push_back(spaced(setting(*header)));
    if (setting == strengthOf && words.back().empty()) words.back() = kWholePatch;
  }
  if (setting == absorbedOf) tellPartsApart(words, headers);
  return words;
}

/// Prompts are not compared.
std::vector<Words> differencesOf(const RunHeaders& headers) {
  std::vector<Words> settings;
  for (const Setting setting : kSettings)
    if (Words words = wordsOf(setting, headers);
        setting != seedOf || haveDifferentSeeds(words))
      addIfDifferent(settings, std::move(words));
  return settings;
}

std::vector<std::string> namesFrom(const std::vector<Words>& settings, std::size_t runs) {
  std::vector<std::string> names;
  for (std::size_t run = 0; run < runs; ++run)
    names.push_back(joinedWords(settings, run));
  return names;
}

/// Joins the words of each run and numbers equal names. If a run has no words, all names
/// begin with that run's precisionName.
std::vector<std::string> completed(const std::vector<Words>& settings,
                                   const RunHeaders& headers,
                                   const std::vector<int>& numbers) {
  std::vector<std::string> names = namesFrom(settings, headers.size());
  const auto empty = std::size_t(std::ranges::find(names, "") - names.begin());
  const std::string shared = empty < names.size() ? precisionName(*headers[empty]) : "";
  for (std::string& name : names)
    name.insert(0, shared + (shared.empty() || name.empty() ? "" : " "));
  tellApart(names, numbers);
  return names;
}

/// Where runs branched off their ancestors, in words.
Words branchesOf(const std::vector<PlacedRun>& runs,
                 const std::vector<RunPlace>& places) {
  Words words(runs.size());
  const auto pathOf = [&](std::size_t run) {
    std::string path;
    for (std::optional<std::size_t> at = run; at; at = places[*at].parent) {
      const RunRequest& request = runs[*at].header->request;
      if (!places[*at].parent && request.branch.tokens <= 0) break;
      path = branchWords(request, places[*at].step) + (path.empty() ? "" : ", " + path);
    }
    return path.empty() ? std::string(kOriginal) : path;
  };
  for (std::size_t run = 0; run < runs.size(); ++run) words[run] = pathOf(run);
  return words;
}

/// Settings, prompts and branches are compared.
std::vector<Words> differencesOf(const std::vector<FigureRun>& runs,
                                 const std::vector<FigureRun>& known) {
  if (runs.size() < 2) return {};
  const std::vector<PlacedRun> all = placedRuns(runs, known);
  const std::vector<RunPlace> places = placesOf(all);
  Words branches = branchesOf(all, places);
  branches.resize(runs.size());
  RunHeaders roots;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::size_t root = places[run].root;
    const auto& header =
        root < runs.size() ? runs[root].header : known[root - runs.size()].header;
    roots.push_back(rootHeader(header));
  }
  std::vector<Words> settings = differencesOf(headersOf(runs));
  addIfDifferent(settings, promptWords(roots));
  addIfDifferent(settings, std::move(branches));
  return settings;
}

}  // namespace

RunHeaders headersOf(const std::vector<FigureRun>& runs) {
  RunHeaders headers;
  for (const FigureRun& run : runs) headers.push_back(run.header);
  return headers;
}

std::vector<int> numbersOf(const RunHeaders& headers) {
  std::vector<int> numbers;
  std::map<Words, int> uses;
  for (const auto& header : headers) {
    Words words{shownPrompt(header->request)};
    for (const Setting setting : kSettings) words.push_back(setting(*header));
    numbers.push_back(++uses[words]);
  }
  return numbers;
}

std::vector<std::string> settingNamesOf(const RunHeaders& headers,
                                        const std::vector<int>& numbers) {
  return completed(differencesOf(headers), headers, numbers);
}

std::vector<std::string> sharedSettings(const RunHeaders& headers) {
  constexpr std::pair<Setting, const char*> kNouns[] = {{methodOf, " patch"},
                                                        {loopOf, " loop"}};
  std::vector<std::string> shared;
  for (const Setting setting : kSettings) {
    std::string word = setting(*headers.front());
    const Words words = wordsOf(setting, headers);
    const bool differs = std::ranges::count(words, words.front()) < std::ssize(words);
    if (setting == modelOf || word.empty() || differs) continue;
    for (std::size_t at; (at = word.find(kBetween)) != std::string::npos;)
      word.replace(at, 1, ", ");
    const auto noun =
        std::ranges::find(kNouns, setting, &std::pair<Setting, const char*>::first);
    shared.push_back(word + (noun == std::end(kNouns) ? "" : noun->second));
  }
  return shared;
}

std::vector<std::string> branchNames(const std::vector<FigureRun>& runs) {
  const std::vector<PlacedRun> placed = placedRuns(runs);
  std::vector<std::string> names = branchesOf(placed, placesOf(placed));
  std::ranges::replace(names, std::string(kOriginal), std::string());
  return names;
}

std::vector<std::vector<std::string>> differingSettings(const RunHeaders& headers) {
  std::vector<Words> settings;
  for (const Setting setting : kSettings)
    addIfDifferent(settings, wordsOf(setting, headers));
  std::vector<std::vector<std::string>> differing(headers.size());
  for (const Words& words : settings)
    for (std::size_t run = 0; run < headers.size(); ++run)
      if (!words[run].empty()) differing[run].push_back(words[run]);
  return differing;
}

void nameRuns(std::vector<FigureRun>& runs, const std::vector<FigureRun>& known) {
  std::vector<int> numbers;
  for (const FigureRun& run : runs) numbers.push_back(run.number);
  std::vector<std::string> names =
      completed(differencesOf(runs, known), headersOf(runs), numbers);
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (!runs[run].own.empty()) names[run] = runs[run].own;
  tellApart(names, numbers);  // the user may have given a name twice
  for (std::size_t run = 0; run < runs.size(); ++run) runs[run].name = names[run];
}

std::vector<std::string> differingWords(const std::vector<FigureRun>& runs) {
  return namesFrom(differencesOf(runs, {}), runs.size());
}

std::string settingsKey(const RunHeader& header) {
  std::string key = header.provenance.configSha256;
  for (const TensorFileHash& tensors : header.provenance.tensorFiles)
    key += ' ' + tensors.headerSha256;
  for (const Setting setting :
       {modelOf, deviceOf, dtypeOf, methodOf, loopOf, applicationOf, strengthOf,
        optionsOf, samplingOf, absorbedPartOf})
    key += '\n' + setting(header);
  for (const auto layer : header.request.strength.layers)
    key += ' ' + std::to_string(layer);
  return key;
}

std::string precisionName(const RunHeader& header) {
  std::string name = dtypeOf(header);
  append(name, methodOf(header));
  append(name, loopOf(header));
  if (header.request.patch.application != Application::Factored)
    append(name, applicationOf(header));
  append(name, strengthOf(header));
  return name;
}

std::string listedSettings(const CatalogueRun& run) {
  if (!run.header) return {};
  std::string name = precisionName(*run.header);
  append(name, optionsOf(*run.header));
  if (run.absorbed != kAbsorbsAll) append(name, run.absorbed);
  append(name, run.branch);
  if (!run.header->request.samples()) return name;
  append(name, samplingOf(*run.header));
  append(name, seedOf(*run.header));
  return name;
}

std::string listedName(const CatalogueRun& run) {
  return run.labels.name.empty() ? listedSettings(run) : run.labels.name;
}

}  // namespace equipatch
