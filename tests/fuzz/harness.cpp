// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/harness.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/strings.h"
#include "core/base/temporary_folder.h"

namespace equipatch::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::array kHarnesses{
    Harness{"safetensors", Form::Tensors, readSafetensors},
    Harness{"tensor_index", Form::Json, readTensorIndex},
    Harness{"config", Form::Json, readConfig},
    Harness{"checkpoint", Form::Json, readCheckpoint},
    Harness{"hub", Form::Json, readHubAnswers},
    Harness{"tokenizer_json", Form::Json, readTokenizerJson},
    Harness{"sentencepiece", Form::Proto, readSentencePiece},
    Harness{"ranks", Form::Lines, readRankFile},
    Harness{"tokenizer_folder", Form::Json, readTokenizerFolder},
    Harness{"regex", Form::Bytes, readRegex},
    Harness{"chat_template", Form::Json, readChatTemplate},
    Harness{"chat", Form::Json, readChat},
    Harness{"picture", Form::Bytes, readPicture},
    Harness{"run_file", Form::Bytes, readRunFile},
    Harness{"run_statements", Form::Sql, readRunStatements},
    Harness{"lab_result", Form::Json, readLabResultFile},
    Harness{"sweep", Form::Json, readSweep},
    Harness{"prompts", Form::Lines, readPrompts},
    Harness{"lesson", Form::Lines, readLessonText},
    Harness{"words", Form::Bytes, readWords},
};

/// Enough for a sentence that contains a few names of 1000 bytes.
constexpr std::size_t kLongestSentence = 8000;
/// In bytes. The data is a hole of a sparse file.
constexpr std::uint64_t kMostData = std::uint64_t{1} << 36;
constexpr std::size_t kMostFiles = 8;

[[noreturn]] void finding(std::string_view what, std::string_view detail) {
  std::fprintf(stderr, "FINDING: %.*s: %.*s\n", int(what.size()), what.data(),
               int(std::min<std::size_t>(detail.size(), 2000)), detail.data());
  std::abort();
}

bool isPlainName(const std::string& name) {
  const auto allowed = [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '-' || letter == '.';
  };
  return name.size() < 100 && !name.empty() && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), allowed);
}

/// The largest end of a tensor in a header, which may be damaged.
std::uint64_t dataBytesOf(const Json& header) {
  std::uint64_t end = 0;
  for (const auto& [name, entry] : header.items()) {
    if (!entry.is_object() || !entry.contains("data_offsets")) continue;
    for (const Json& offset : entry["data_offsets"])
      if (offset.is_number_unsigned()) end = std::max(end, offset.get<std::uint64_t>());
  }
  return std::min(end, kMostData);
}

void writeTensors(const fs::path& path, const Json& header) {
  const std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::uint64_t length = text.size();
  std::ofstream(path, std::ios::binary)
      << std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)) << text;
  fs::resize_file(path, sizeof(length) + text.size() + dataBytesOf(header));
}

}  // namespace

std::span<const Harness> harnesses() {
  return kHarnesses;
}

const Harness& harnessNamed(std::string_view name) {
  std::string names;
  for (const Harness& harness : kHarnesses) {
    if (harness.name == name) return harness;
    names += " " + std::string(harness.name);
  }
  throw std::invalid_argument("expected the name of a harness, one of" + names);
}

void requireSentence(std::string_view sentence) {
  if (firstInvalidUtf8(sentence) != std::string_view::npos)
    finding("a sentence is not UTF-8", sentence);
  for (std::size_t at = 0; at < sentence.size(); at += utf8Length(sentence[at]))
    if (isControl(firstCharacter(sentence.substr(at))) && sentence[at] != '\t')
      finding("a sentence has a control character", sentence);
  if (sentence.empty() || sentence.size() > kLongestSentence)
    finding("a sentence has " + std::to_string(sentence.size()) + " bytes", sentence);
}

void require(bool holds, const char* what) {
  if (!holds) finding("this does not hold", what);
}

namespace {

/// The attempts for the current input. Nested attempts do not count.
struct Attempts {
  int depth = 0;
  bool isAccepted = false;  ///< an attempt ended without an Error
  std::string refusal;      ///< the first Error's sentence
};
Attempts attempts;

}  // namespace

void attempt(const std::function<void()>& work) {
  const bool isOuter = attempts.depth++ == 0;
  try {
    work();
    attempts.isAccepted = attempts.isAccepted || isOuter;
  } catch (const Error& error) {
    requireSentence(error.what());
    if (isOuter && attempts.refusal.empty()) attempts.refusal = error.what();
  }
  --attempts.depth;
}

std::optional<std::string> refusalOf(const Harness& harness, std::string_view input) {
  attempts = {};
  harness.read(input);
  if (attempts.isAccepted || attempts.refusal.empty()) return std::nullopt;
  return attempts.refusal;
}

const fs::path& scratchFolder() {
  // A fuzzer ends without destructors; scripts/fuzz removes the folder.
  static const TemporaryFolder folder;
  return folder.path();
}

fs::path scratchFile(const std::string& name, std::string_view content) {
  const fs::path path = scratchFolder() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return path;
}

fs::path scratchFolderOf(std::string_view input) {
  const Json files = parseJson(input, "input");
  if (!files.is_object() || files.size() > kMostFiles)
    throw badInput("an input should be an object of a few files");
  const fs::path folder = scratchFolder() / "folder";
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(folder)) fs::remove_all(entry.path());
  for (const auto& [name, content] : files.items()) {
    if (!isPlainName(name)) continue;
    const fs::path path = folder / name;
    if (content.is_object() && path.extension() == ".safetensors")
      writeTensors(path, content);
    else
      std::ofstream(path, std::ios::binary)
          << (content.is_string()
                  ? content.get<std::string>()
                  : content.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return folder;
}

fs::path fuzzFolder() {
  return EQUIPATCH_FUZZ_FOLDER;
}

}  // namespace equipatch::fuzz
