// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace equipatch::fuzz {

/// What an input is, which mutations keep.
enum class Form {
  Bytes,
  Lines,
  Json,
  Tensors,  ///< a safetensors file: length, JSON, data
  Proto,    ///< a message of Protocol Buffers
  Sql,      ///< statements, a line each
};

/// Reads one kind of untrusted file and uses it as users would. Two programs
/// call it: the fuzzer with inputs that it invents, the test with those that are
/// committed. An Error is an answer; everything else that ends `read` is a finding.
struct Harness {
  std::string_view name;
  Form form;
  void (*read)(std::string_view input);
};

std::span<const Harness> harnesses();
/// @throws std::invalid_argument with the names that there are.
const Harness& harnessNamed(std::string_view name);

/// Runs `work`, whose Errors are answers. Ends the process when the sentence of an Error
/// is none that a terminal can show: invalid UTF-8, a control character, or no end.
void attempt(const std::function<void()>& work);
/// The same check of a sentence that is kept in a result.
void requireSentence(std::string_view sentence);
/// Ends the process unless `holds`.
void require(bool holds, const char* what);

/// This process's folder for an input's files; its name is the same for every input.
const std::filesystem::path& scratchFolder();
/// Writes a file there.
std::filesystem::path scratchFile(const std::string& name, std::string_view content);

/// Writes a folder that an input describes as {"file name": content}: a text as it is,
/// anything else as JSON, and under a name *.safetensors a file with the content as its
/// header and as many bytes of data as the header declares. Files of the last input are
/// gone.
/// @throws Error when the input is no such object.
std::filesystem::path scratchFolderOf(std::string_view input);

/// The seed corpus, findings and dictionaries of this folder.
std::filesystem::path fuzzFolder();

// The readers, by the files they read.
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
