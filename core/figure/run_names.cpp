// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_names.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/absorbed_set.h"
#include "core/text/visible_text.h"

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

std::string strengthOf(const RunHeader& header) {
  const PatchStrength& strength = header.request.strength;
  std::string text;
  if (strength.alpha != 1.0) text = "α = " + shortText(strength.alpha, 6);
  if (strength.layers.empty()) return text;
  return text + (text.empty() ? "" : " ") + std::to_string(strength.layers.size()) +
         " layers";
}

std::string deviceOf(const RunHeader& header) {
  return header.device;
}

std::string optionsOf(const RunHeader& header) {
  std::string text;
  if (header.request.roundLogits) text = "rounded logits";
  if (header.request.freeRun) text += text.empty() ? "free run" : " free run";
  return text;
}

/// How tokens are sampled, without the seed: "temperature 0.8 top-p 0.9".
std::string samplingOf(const RunHeader& header) {
  const Sampling& sampling = header.request.sampling;
  if (!header.request.samples()) return "greedy";
  std::string text = "temperature " + shortText(sampling.temperature, 6);
  if (sampling.topK > 0) text += " top-k " + std::to_string(sampling.topK);
  if (sampling.topP < 1.0) text += " top-p " + shortText(sampling.topP, 6);
  return text;
}

/// A run that takes the most likely token has no use for its seed.
std::string seedOf(const RunHeader& header) {
  return "seed " +
         std::to_string(header.request.samples() ? header.request.sampling.seed : 0);
}

/// The absorbed part in the syntax of `--absorb`, by a preset's name if one fits, because
/// names apply to prompts of any length.
std::string absorbedName(const RunHeader& header) {
  const std::vector<Token>& prompt = header.request.prompt;
  const AbsorbedSet keepFirst{.keptPrompt = {{0, 0}}, .keepsGenerated = false};
  if (header.request.absorbed == keepFirst && !prompt.empty() && prompt.front().special)
    return "keep-bos";
  return absorbedText(header.request.absorbed, std::ssize(prompt),
                      imageTokens(header.request.images));
}

/// Short enough for a legend, cut between characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t kEnough = 24;
  if (text.size() <= kEnough) return text;
  std::size_t end = kEnough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

/// The kept words of the prompt, shortened.
std::string keptWords(const RunHeader& header) {
  constexpr std::string_view kSpaceSign = "·";
  const RunRequest& request = header.request;
  std::string words;
  for (const PositionRange& range : request.absorbed.keptPrompt) {
    std::string part;
    for (std::int64_t at = range.first; at <= range.last; ++at) {
      if (at < 0 || at >= std::ssize(request.prompt)) continue;
      const auto image = std::ranges::find(
          request.images, at, [](const PromptImage& each) { return each.tokens.first; });
      if (image == request.images.end()) {
        part +=
            visibleText(request.prompt[static_cast<std::size_t>(at)], request.promptText);
        continue;
      }
      part += '[' + replaceInvalidUtf8(image->picture->name) + ']';
      at = image->tokens.last;
    }
    for (std::size_t dot; (dot = part.find(kSpaceSign)) != std::string::npos;)
      part.replace(dot, kSpaceSign.size(), " ");
    words += (words.empty() ? "" : " … ") +
             part.substr(std::min(part.find_first_not_of(' '), part.size()));
  }
  return shortened(words);
}

/// "absorbs all", or the kept words: "keeps “for”". If the header has no prompt text (a
/// group of several prompts), names positions instead.
std::string absorbedOf(const RunHeader& header) {
  const AbsorbedSet& absorbed = header.request.absorbed;
  if (absorbed.whole() || header.request.promptText.empty())
    return "absorbs " + shortened(absorbedName(header));
  const std::string words = keptWords(header);
  const std::string kept = words.empty() ? "" : "“" + words + "”";
  if (!absorbed.keepsGenerated) return "keeps " + kept;
  return kept.empty() ? "keeps the generated" : "keeps " + kept + " and the generated";
}

std::string modelOf(const RunHeader& header) {
  return header.modelName;
}

using Setting = std::string (*)(const RunHeader&);
constexpr Setting kSettings[] = {modelOf,    deviceOf,      dtypeOf,    methodOf,
                                 loopOf,     applicationOf, strengthOf, optionsOf,
                                 samplingOf, seedOf,        absorbedOf};

void append(std::string& name, const std::string& part) {
  if (!part.empty()) name += (name.empty() ? "" : " ") + part;
}

/// The words of all runs for one setting.
using Words = std::vector<std::string>;

/// Adds the words of a setting if the runs differ in it.
void addIfDifferent(std::vector<Words>& settings, Words words) {
  if (std::set<std::string>(words.begin(), words.end()).size() > 1)
    settings.push_back(std::move(words));
}

/// The names made of the chosen settings.
std::vector<std::string> joinedWords(const std::vector<Words>& settings,
                                     unsigned chosen) {
  std::vector<std::string> names(settings.front().size());
  for (std::size_t setting = 0; setting < settings.size(); ++setting)
    if (chosen >> setting & 1U)
      for (std::size_t run = 0; run < names.size(); ++run)
        append(names[run], settings[setting][run]);
  return names;
}

/// All sets of `size` settings, as bits. Sets of more than one setting are sorted by how
/// many different names they make, most first.
std::vector<unsigned> choicesOf(const std::vector<Words>& settings, int size) {
  std::vector<std::pair<std::size_t, unsigned>> choices;
  for (unsigned bits = 0; bits < 1U << settings.size(); ++bits) {
    if (std::popcount(bits) != size) continue;
    const Words words = joinedWords(settings, bits);
    choices.emplace_back(std::set<std::string>(words.begin(), words.end()).size(), bits);
  }
  if (size > 1)
    std::ranges::stable_sort(choices, std::greater<>(),
                             &decltype(choices)::value_type::first);
  std::vector<unsigned> sorted;
  for (const auto& [apart, bits] : choices) sorted.push_back(bits);
  return sorted;
}

/// Names each run by the smallest set of settings, of at most three, that no other run
/// has in the same combination, except runs that differ in nothing. If no such set
/// exists, names the run by all settings in which any runs differ.
std::vector<std::string> shortestNames(const std::vector<Words>& settings) {
  constexpr int kMost = 3;
  const std::vector<std::string> whole = joinedWords(settings, ~0U);
  std::vector<std::string> names(whole.size());
  for (int size = 1; size <= kMost; ++size)
    for (const unsigned chosen : choicesOf(settings, size)) {
      const std::vector<std::string> words = joinedWords(settings, chosen);
      std::map<std::string, std::set<std::string>> uses;
      for (std::size_t run = 0; run < names.size(); ++run)
        uses[words[run]].insert(whole[run]);
      for (std::size_t run = 0; run < names.size(); ++run)
        if (names[run].empty() && uses[words[run]].size() == 1) names[run] = words[run];
    }
  for (std::size_t run = 0; run < names.size(); ++run)
    if (names[run].empty()) names[run] = whole[run];
  return names;
}

/// Byte at which the first different word of the prompts begins; 0 if it is near the
/// start.
std::size_t differingPart(const std::vector<std::string>& texts) {
  constexpr std::size_t kInSight = 12;
  const std::string& first = texts.front();
  std::size_t common = first.size();
  for (const std::string& text : texts) {
    const auto differ = std::ranges::mismatch(first, text).in1 - first.begin();
    common = std::min(common, static_cast<std::size_t>(differ));
  }
  const std::size_t word = common == 0 ? 0 : first.rfind(' ', common - 1);
  return word == std::string::npos || word < kInSight ? 0 : word + 1;
}

/// The first ids that there is room for, without a cut one at the end.
std::string shortenedIds(const std::string& ids) {
  const std::string shown = shortened(ids);
  return shown == ids ? ids : shown.substr(0, shown.rfind(' ') + 1) + "…";
}

/// The prompts in quotation marks; prompts of ids without: "ids 2 651 5270 …".
std::vector<std::string> promptsOf(const RunHeaders& headers) {
  std::vector<std::string> prompts;
  for (const auto& header : headers) prompts.push_back(shownPrompt(header->request));
  const std::size_t begin = differingPart(prompts);
  for (std::size_t run = 0; run < prompts.size(); ++run) {
    const std::string part = prompts[run].substr(begin);
    if (headers[run]->request.promptText.empty())
      prompts[run] = (begin > 0 ? "ids … " : "") + shortenedIds(part);
    else
      prompts[run] = (begin > 0 ? "“…" : "“") + shortened(visibleText(part)) + "”";
  }
  return prompts;
}

/// Numbers runs that share a name: "bfloat16 direct open #2". A run keeps its own number
/// unless another one has it; the others get the first that is free.
void tellApart(std::vector<std::string>& names, const std::vector<int>& numbers) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::map<std::string, std::set<int>> taken;
  std::vector<int> given(names.size(), 0);
  for (std::size_t run = 0; run < numbers.size(); ++run)
    if (numbers[run] > 0 && taken[names[run]].insert(numbers[run]).second)
      given[run] = numbers[run];
  for (std::size_t run = 0; run < names.size(); ++run) {
    if (uses[names[run]] < 2) continue;
    int number = given[run];
    if (number == 0) do
        ++number;
      while (!taken[names[run]].insert(number).second);
    given[run] = number;
  }
  for (std::size_t run = 0; run < names.size(); ++run)
    if (uses[names[run]] > 1) names[run] += " #" + std::to_string(given[run]);
}

/// "keeps tokens 3–5,9", for a run whose prompt is not read; empty: everything absorbed.
std::string keptPositions(const AbsorbedSet& absorbed) {
  if (absorbed.whole()) return {};
  std::string positions;
  for (const PositionRange& range : absorbed.keptPrompt) {
    positions += (positions.empty() ? "" : ",") + std::to_string(range.first);
    if (range.last > range.first) positions += "–" + std::to_string(range.last);
  }
  if (positions.empty()) return "keeps the generated";
  return "keeps tokens " + positions + (absorbed.keepsGenerated ? ",generated" : "");
}

/// The settings in which the runs differ, in words.
std::vector<Words> differencesOf(const RunHeaders& headers) {
  std::vector<Words> settings;
  for (const Setting setting : kSettings) {
    Words words;
    for (const auto& header : headers) words.push_back(setting(*header));
    addIfDifferent(settings, std::move(words));
  }
  addIfDifferent(settings, promptsOf(headers));
  return settings;
}

/// Gives runs without a name their precisionName, and numbers runs with equal names.
std::vector<std::string> completed(std::vector<std::string> names,
                                   const RunHeaders& headers,
                                   const std::vector<int>& numbers = {}) {
  for (std::size_t run = 0; run < names.size(); ++run)
    if (names[run].empty()) names[run] = precisionName(*headers[run]);
  tellApart(names, numbers);
  return names;
}

}  // namespace

std::vector<int> numbersOf(const RunHeaders& headers) {
  std::vector<int> numbers;
  std::map<Words, int> uses;
  const Words prompts = headers.empty() ? Words() : promptsOf(headers);
  for (std::size_t run = 0; run < headers.size(); ++run) {
    Words words{prompts[run]};
    for (const Setting setting : kSettings) words.push_back(setting(*headers[run]));
    numbers.push_back(++uses[words]);
  }
  return numbers;
}

std::vector<std::string> namesOf(const RunHeaders& headers,
                                 const std::vector<int>& numbers) {
  if (headers.size() == 1) return {precisionName(*headers.front())};
  const std::vector<Words> settings = differencesOf(headers);
  return completed(settings.empty() ? Words(headers.size()) : shortestNames(settings),
                   headers, numbers);
}

std::vector<std::string> wholeNamesOf(const RunHeaders& headers) {
  if (headers.size() == 1) return {precisionName(*headers.front())};
  const std::vector<Words> settings = differencesOf(headers);
  return completed(settings.empty() ? Words(headers.size()) : joinedWords(settings, ~0U),
                   headers);
}

std::string settingsKey(const RunHeader& header) {
  std::string key = header.provenance.configSha256;
  for (const TensorFileHash& tensors : header.provenance.tensorFiles)
    key += ' ' + tensors.headerSha256;
  for (const Setting setting :
       {modelOf, deviceOf, dtypeOf, methodOf, loopOf, applicationOf, strengthOf,
        optionsOf, samplingOf, absorbedName})
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
  append(name, keptPositions(run.header->request.absorbed));
  if (!run.header->request.samples()) return name;
  append(name, samplingOf(*run.header));
  append(name, seedOf(*run.header));
  return name;
}

std::string listedName(const CatalogueRun& run) {
  return run.labels.name.empty() ? listedSettings(run) : run.labels.name;
}

}  // namespace equipatch
