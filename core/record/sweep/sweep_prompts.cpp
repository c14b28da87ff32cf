// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_prompts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/strings.h"
#include "core/record/absorbed_set.h"
#include "core/text/sentences.h"
#include "paper_prompts.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostPromptBytes = std::size_t{64} << 20;
constexpr std::size_t kMostPrompts = 100'000;
/// Limit on the text in all copies of prompts together.
constexpr std::size_t kMostCopiedBytes = std::size_t{1} << 30;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kNumberDigits = 3;

std::string numberedName(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "prompt-" +
         std::string(kNumberDigits - std::min(kNumberDigits, digits.size()), '0') +
         digits;
}

/// Refuses plain text with a message that shows how to write a prompt.
void requireJson(std::string_view line, const std::string& source) {
  const char first = line[line.find_first_not_of(" \t\r")];
  if (first != '"' && first != '{')
    throw badInput(source +
                   ": expected a prompt as JSON, \"text\" or {\"text\": \"…\"}, found " +
                   inQuotes(line));
}

constexpr std::uintmax_t kMostImageBytes = std::uintmax_t{64} << 20;

std::vector<SweepImage> readImageList(JsonObject& object,
                                      const std::filesystem::path& folder) {
  std::vector<SweepImage> images;
  const Json* list = object.member("images");
  if (!list) return images;
  const auto isPath = [](const Json& entry) { return entry.is_string(); };
  if (!list->is_array() || !std::ranges::all_of(*list, isPath))
    throw badInput(object.source() + ": \"images\" should be a list of paths");
  try {
    for (const Json& entry : *list)
      images.push_back(sweepImageOf(folder / entry.get<std::string>()));
  } catch (const Error& error) {
    throw error.within(object.source());
  }
  return images;
}

/// @param line not blank
/// @param number of the prompt, from 1
SweepPrompt readPrompt(std::string_view line, std::size_t number,
                       const std::string& source, const std::filesystem::path& folder,
                       SweepForm form) {
  requireJson(line, source);
  const Json json = parseJson(line, source);
  SweepPrompt prompt{.name = numberedName(number), .text = {}};
  if (json.is_string()) {
    prompt.text = json.get<std::string>();
  } else {
    JsonObject object(json, source);
    const bool isPrompt = object.has("prompt");
    if (isPrompt && object.has("text"))
      throw badInput(source + ": expected \"text\" or \"prompt\", found both");
    prompt.text = object.string(isPrompt ? "prompt" : "text");
    prompt.chat = object.boolean("chat", false);
    if (auto given = object.optionalString("name")) prompt.name = *std::move(given);
    if (auto given = object.optionalString("absorb")) prompt.absorb = *std::move(given);
    prompt.images = readImageList(object, folder);
    if (const auto unread = object.unread(); !unread.empty())
      throw badInput(source +
                     ": a prompt has \"text\" (or \"prompt\"), \"name\", \"chat\", "
                     "\"absorb\" and \"images\", but no " +
                     inQuotes(unread.front()));
  }
  if (!isPromptName(prompt.name))
    throw badInput(source + ": the name " + inQuotes(prompt.name) +
                   " becomes part of file names; expected 1 to " +
                   std::to_string(kLongestName) + " letters, digits, - and _");
  if (prompt.text.empty()) throw badInput(source + ": the prompt has no text");
  if (form == SweepForm::Chat) prompt.chat = true;
  try {  // a chat's template may add the words
    if (!prompt.chat) requireWords(prompt.absorb, prompt.text);
  } catch (const Error& error) {
    throw error.within(source);
  }
  return prompt;
}

void requireShort(const std::string& name, const std::string& added) {
  if (!isPromptName(name))
    throw badInput("the prompt's name " + inQuotes(name) + " is too long with " + added +
                   "; expected at most " + std::to_string(kLongestName) + " characters");
}

/// Checks that `copies` of the prompt's text still fit into kMostCopiedBytes.
/// @param bytes of text in all earlier copies; increased by those of the new copies
void requireRoom(const SweepPrompt& prompt, std::size_t copies, std::size_t& bytes) {
  const std::size_t size = prompt.text.size();
  if (size > 0 && copies > (kMostCopiedBytes - bytes) / size)
    throw badInput("expected at most " + std::to_string(kMostCopiedBytes >> 20) +
                   " MiB of text in all prompts together, found more with " +
                   std::to_string(copies) + " copies of " + inQuotes(prompt.name) +
                   "; shorten it, or run fewer of its sentences or seeds");
  bytes += copies * size;
}

/// For each sentence, the part that its copy absorbs; empty for fewer than two sentences.
/// @param bytes as requireRoom
std::vector<std::string> partsOf(const SweepPrompt& prompt, std::size_t& bytes) try {
  const std::size_t sentences = sentencesOf(prompt.text).size();
  if (sentences < 2) return {};
  // Before sentenceParts, which searches the whole text once for each sentence.
  requireRoom(prompt, sentences, bytes);
  return sentenceParts(prompt.text);
} catch (const Error& error) {
  throw error.within("the prompt " + inQuotes(prompt.name));
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool isPromptName(std::string_view name) {
  const auto allowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  };
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, allowed);
}

SweepImage sweepImageOf(const std::filesystem::path& path) {
  return {.file = path.string(), .sha256 = sha256(readFile(path, kMostImageBytes))};
}

std::vector<SweepPrompt> parseSweepPrompts(std::string_view bytes,
                                           const std::string& source,
                                           const std::filesystem::path& folder,
                                           SweepForm form) {
  if (bytes.size() > kMostPromptBytes)
    throw badInput(source + ": " + std::to_string(bytes.size()) +
                   " bytes are more than the " + std::to_string(kMostPromptBytes) +
                   " a file of prompts may have");
  bytes = withoutByteOrderMark(bytes);
  std::vector<SweepPrompt> prompts;
  std::set<std::string> names;
  std::size_t lineNumber = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    ++lineNumber;
    if (isBlank(line)) continue;
    const std::string place = source + ", line " + std::to_string(lineNumber);
    if (prompts.size() == kMostPrompts)
      throw badInput(place + ": expected at most " + std::to_string(kMostPrompts) +
                     " prompts");
    prompts.push_back(readPrompt(line, prompts.size() + 1, place, folder, form));
    if (!names.insert(prompts.back().name).second)
      throw badInput(place + ": another prompt is called " +
                     inQuotes(prompts.back().name) + " already");
  }
  if (prompts.empty()) throw badInput(source + ": there is no prompt in it");
  return prompts;
}

SentencePrompts eachSentence(const std::vector<SweepPrompt>& prompts) {
  SentencePrompts result;
  std::vector<SweepPrompt>& all = result.prompts;
  std::size_t bytes = 0;
  for (const SweepPrompt& prompt : prompts) {
    if (prompt.absorb != SweepPrompt().absorb)
      throw badInput("the prompt " + inQuotes(prompt.name) + " says that it absorbs " +
                     inQuotes(prompt.absorb) +
                     "; remove its \"absorb\", or do not ask for each sentence");
    const std::vector<std::string> parts = partsOf(prompt, bytes);
    if (parts.empty()) result.skipped.push_back(prompt.name);
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (all.size() == kMostPrompts)
        throw badInput("expected at most " + std::to_string(kMostPrompts) +
                       " prompts times sentences, found more");
      SweepPrompt& one = all.emplace_back(prompt);
      one.name += "-sentence" + std::to_string(at + 1);
      one.absorb = parts[at];
      requireShort(one.name, "its sentence");
    }
  }
  if (all.empty())
    throw badInput("expected a prompt of at least 2 sentences to absorb in turn, found " +
                   countText(prompts.size(), "prompt") +
                   " of at most one; add sentences, or do not ask for each sentence");
  return result;
}

std::vector<SweepPrompt> sampledPrompts(const std::vector<SweepPrompt>& prompts,
                                        double temperature,
                                        const std::vector<std::int64_t>& seeds) {
  if (seeds.size() > kMostPrompts / std::max<std::size_t>(1, prompts.size()))
    throw badInput("expected at most " + std::to_string(kMostPrompts) +
                   " prompts times seeds, found " + std::to_string(prompts.size()) +
                   " times " + std::to_string(seeds.size()));
  std::vector<SweepPrompt> all;
  std::size_t bytes = 0;
  for (const SweepPrompt& prompt : prompts) {
    requireRoom(prompt, seeds.size(), bytes);
    for (const std::int64_t seed : seeds) {
      SweepPrompt& one = all.emplace_back(prompt);
      one.name += "-seed" + std::to_string(seed);
      one.sampling = {.temperature = temperature,
                      .seed = static_cast<std::uint64_t>(seed)};
      requireShort(one.name, "its seed");
    }
  }
  return all;
}

std::vector<SweepPrompt> readSweepPrompts(const std::filesystem::path& path,
                                          SweepForm form) {
  return parseSweepPrompts(readFile(path, kMostPromptBytes), path.string(),
                           path.parent_path(), form);
}

SweepPreset sweepPreset(std::string_view name) {
  if (name != "paper")
    throw badInput("there is no preset " + inQuotes(name) + "; expected paper");
  return {.prompts = parseSweepPrompts(kPaperPrompts, "the paper's prompts"),
          .grids = {"dtype=float32,bfloat16,method=direct,stable,loop=open,"
                    "apply=materialised",
                    "dtype=float32,bfloat16,method=balanced,loop=closed,"
                    "apply=materialised"},
          .steps = 20,
          .measureNoise = true};
}

}  // namespace equipatch
