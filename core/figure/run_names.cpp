// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/number_format.h"
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

/// The absorbed part in the syntax of `--absorb`, by a preset's name if one fits, because
/// names apply to prompts of any length.
std::string absorbedName(const RunHeader& header) {
  const std::vector<Token>& prompt = header.request.prompt;
  const AbsorbedSet keepFirst{.keptPrompt = {{0, 0}}, .keepsGenerated = false};
  if (header.request.absorbed == keepFirst && !prompt.empty() && prompt.front().special)
    return "keep-bos";
  return absorbedText(header.request.absorbed, static_cast<std::int64_t>(prompt.size()));
}

/// Short enough for a legend, cut between characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t kEnough = 24;
  if (text.size() <= kEnough) return text;
  std::size_t end = kEnough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string absorbedOf(const RunHeader& header) {
  return "absorbed " + shortened(absorbedName(header));
}

std::string modelOf(const RunHeader& header) {
  return header.modelName;
}

using Setting = std::string (*)(const RunHeader&);
constexpr Setting kSettings[] = {modelOf,       deviceOf,   dtypeOf,   methodOf,  loopOf,
                                 applicationOf, strengthOf, optionsOf, absorbedOf};

void append(std::string& name, const std::string& part) {
  if (!part.empty()) name += (name.empty() ? "" : " ") + part;
}

/// Adds a word to each name unless all words are equal.
void addWhereDifferent(std::vector<std::string>& names,
                       const std::vector<std::string>& words) {
  if (std::set<std::string>(words.begin(), words.end()).size() < 2) return;
  for (std::size_t run = 0; run < names.size(); ++run) append(names[run], words[run]);
}

/// Byte at which the first different word of the prompts begins; 0 if it is near the
/// start.
std::size_t differingPart(const RunHeaders& headers) {
  constexpr std::size_t kInSight = 12;
  const std::string& first = headers.front()->request.promptText;
  std::size_t common = first.size();
  for (const auto& header : headers) {
    const std::string& text = header->request.promptText;
    const auto differ = std::ranges::mismatch(first, text).in1 - first.begin();
    common = std::min(common, static_cast<std::size_t>(differ));
  }
  const std::size_t word = common == 0 ? 0 : first.rfind(' ', common - 1);
  return word == std::string::npos || word < kInSight ? 0 : word + 1;
}

/// The prompts in quotation marks.
std::vector<std::string> promptsOf(const RunHeaders& headers) {
  const std::size_t begin = differingPart(headers);
  std::vector<std::string> prompts;
  for (const auto& header : headers) {
    const std::string text = visibleText(header->request.promptText.substr(begin));
    prompts.push_back((begin > 0 ? "“…" : "“") + shortened(text) + "”");
  }
  return prompts;
}

/// Runs that share a name are numbered: "bfloat16 direct open #2".
void tellApart(std::vector<std::string>& names) {
  std::map<std::string, int> uses;
  for (const std::string& name : names) ++uses[name];
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    if (uses[name] < 2) continue;
    const int number = ++seen[name];
    name += " #" + std::to_string(number);
  }
}

}  // namespace

std::vector<std::string> namesOf(const RunHeaders& headers) {
  if (headers.size() == 1) return {precisionName(*headers.front())};
  std::vector<std::string> names(headers.size());
  for (const Setting setting : kSettings) {
    std::vector<std::string> words;
    for (const auto& header : headers) words.push_back(setting(*header));
    addWhereDifferent(names, words);
  }
  addWhereDifferent(names, promptsOf(headers));
  for (std::size_t run = 0; run < names.size(); ++run)
    if (names[run].empty()) names[run] = precisionName(*headers[run]);
  tellApart(names);
  return names;
}

std::string settingsKey(const RunHeader& header) {
  std::string key = header.provenance.configSha256;
  for (const TensorFileHash& tensors : header.provenance.tensorFiles)
    key += ' ' + tensors.headerSha256;
  for (const Setting setting : {modelOf, deviceOf, dtypeOf, methodOf, loopOf,
                                applicationOf, strengthOf, optionsOf, absorbedName})
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

}  // namespace equipatch
