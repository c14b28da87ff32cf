// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/sampler.h"

namespace equipatch {

struct SweepImage {
  std::string file;  ///< the path that sweepImageOf read
  std::string sha256;

  bool operator==(const SweepImage& other) const { return sha256 == other.sha256; }
};

/// Hashes the file's bytes; does not decode them.
/// @throws Error{BadInput} when the file cannot be read or has more than 64 MiB.
SweepImage sweepImageOf(const std::filesystem::path& path);

/// A prompt, which is run at every point of a sweep's grid.
struct SweepPrompt {
  std::string name;  ///< letters, digits, - and _; unique; part of its cells' file names
  std::string text;
  bool chat = false;  ///< the text is a user's message for the chat template
  std::vector<SweepImage> images = {};
  Sampling sampling = {};      ///< by default greedy
  std::string absorb = "all";  ///< as `parseAbsorbedSet` reads it

  bool operator==(const SweepPrompt&) const = default;
};

/// True for 1 to 64 letters (A to Z, a to z), digits, - and _.
bool isPromptName(std::string_view name);

/// Which prompts of a file are chats: those that say so with "chat", or all.
enum class SweepForm { AsGiven, Chat };

/// Reads one prompt from each line: a JSON string, or an object with "text" (or "prompt",
/// which means the same) and optionally "name", "chat", "absorb" and "images", a list of
/// paths. Prompts without a name are called prompt-001 and so on, by their number.
/// @param source names the prompts in errors, which add the line number
/// @param folder against which relative paths of images are resolved
/// @throws Error{BadInput} at the first line that is no valid prompt or repeats a name,
/// also if its text lacks the words or the sentence to absorb (not checked in a chat);
/// and for no prompts, too many prompts or too many bytes. Error as sentencesOf.
std::vector<SweepPrompt> parseSweepPrompts(std::string_view bytes,
                                           const std::string& source,
                                           const std::filesystem::path& folder = {},
                                           SweepForm form = SweepForm::AsGiven);

/// The result of eachSentence.
struct SentencePrompts {
  std::vector<SweepPrompt> prompts;
  std::vector<std::string> skipped;  ///< names
};

/// Copies each prompt once for each of its sentences. A copy absorbs only its sentence,
/// and its name ends with "-sentence2". Skips prompts of fewer than two sentences.
/// @throws Error{BadInput} when all prompts are skipped, when a prompt already absorbs a
/// part, when a name becomes too long, and for too many copies or more than 1 GiB of text
/// in them. Error as sentencesOf.
SentencePrompts eachSentence(const std::vector<SweepPrompt>& prompts);

/// Copies each prompt once for each seed. A copy samples its tokens with this seed, and
/// its name ends with "-seed7".
/// @param temperature above 0
/// @throws Error{BadInput} when a name becomes too long, and for too many copies or more
/// than 1 GiB of text in them.
std::vector<SweepPrompt> sampledPrompts(const std::vector<SweepPrompt>& prompts,
                                        double temperature,
                                        const std::vector<std::int64_t>& seeds);

/// Reads a file as parseSweepPrompts; paths of images are relative to the file's folder.
/// @throws Error as parseSweepPrompts and readFile.
std::vector<SweepPrompt> readSweepPrompts(const std::filesystem::path& path,
                                          SweepForm form = SweepForm::AsGiven);

/// A sweep that comes with the program.
struct SweepPreset {
  std::vector<SweepPrompt> prompts;
  std::vector<std::string> grids;  ///< as `--grid` takes them
  std::int64_t steps = 64;
  bool measureNoise = false;
};

/// "paper": the runs that Figure 4 of [G] compares (docs/sweeps.md).
/// @throws Error{BadInput} for another name, with the presets that exist.
SweepPreset sweepPreset(std::string_view name);

}  // namespace equipatch
