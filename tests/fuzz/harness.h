// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace equipatch::fuzz {

/// The form of an input, which mutations preserve.
enum class Form {
  Bytes,
  Lines,
  Json,
  Tensors,  ///< a safetensors file: length, JSON, data
  Proto,    ///< a message of Protocol Buffers
  Sql,      ///< statements, one per line
};

/// Reads one kind of untrusted file and uses its content as the program does. An Error is
/// a correct answer to an input, so `read` catches Errors with `attempt`. An exception
/// that escapes `read` is a finding.
struct Harness {
  std::string_view name;
  Form form;
  void (*read)(std::string_view input);
};

std::span<const Harness> harnesses();
/// @throws std::invalid_argument with the existing names
const Harness& harnessNamed(std::string_view name);

/// Runs `work` and catches an Error, whose sentence must pass requireSentence.
void attempt(const std::function<void()>& work);
/// Lets the harness read an input. @returns the first Error's sentence if every attempt
/// ended in an Error, as such an input reaches little of the reader. Attempts within an
/// attempt do not count.
std::optional<std::string> refusalOf(const Harness& harness, std::string_view input);
/// Aborts if the sentence is empty, longer than 8000 bytes or not UTF-8, or has a control
/// character other than a tab.
void requireSentence(std::string_view sentence);
/// Aborts unless `holds`.
void require(bool holds, const char* what);

/// This process's folder for the files of all inputs.
const std::filesystem::path& scratchFolder();
std::filesystem::path scratchFile(const std::string& name, std::string_view content);

/// Writes the files that an input describes as {"file name": content} into a folder that
/// holds nothing else. Strings are written as they are, other content as JSON. An object
/// for a *.safetensors file is the header; the data is sparse and has the size that the
/// header declares, at most 64 GiB. Names that are not plain file names are left out.
/// @throws Error when the input is not such an object, or has more than 8 files
std::filesystem::path scratchFolderOf(std::string_view input);

/// tests/fuzz in the source tree.
std::filesystem::path fuzzFolder();

// Harness::read of each harness, in read_*.cpp.
void readSafetensors(std::string_view input);
void readTensorIndex(std::string_view input);
void readConfig(std::string_view input);
void readCheckpoint(std::string_view input);
void readHubAnswers(std::string_view input);
void readTokenizerJson(std::string_view input);
void readSentencePiece(std::string_view input);
void readRankFile(std::string_view input);
void readTokenizerFolder(std::string_view input);
void readRegex(std::string_view input);
void readChatTemplate(std::string_view input);
void readChat(std::string_view input);
void readPicture(std::string_view input);
void readRunFile(std::string_view input);
void readRunStatements(std::string_view input);
void readLabResultFile(std::string_view input);
void readSweep(std::string_view input);
void readPrompts(std::string_view input);
void readLessonText(std::string_view input);
void readWords(std::string_view input);

}  // namespace equipatch::fuzz
