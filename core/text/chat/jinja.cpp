// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/chat/jinja.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "render_chat_script.h"

namespace equipatch {
namespace {

/// CPU time of all threads together.
constexpr std::uint64_t kCpuSeconds = 5;
constexpr std::chrono::milliseconds kWallClock{30'000};
constexpr std::size_t kMebibyte = std::size_t{1} << 20;
/// Address space. Python holds about eight copies of a long conversation, each with four
/// bytes for a character.
constexpr std::size_t kMemory = 256 * kMebibyte;
constexpr std::size_t kMemoryPerByte = 32;
constexpr std::size_t kMostMemory = 512 * kMebibyte;
/// Ordinary templates repeat a conversation once or twice and add little.
constexpr std::size_t kFreeOutput = kMebibyte;
constexpr std::size_t kOutputPerByte = 4;
/// JSON in ASCII takes at most this many bytes for one byte of text.
constexpr std::size_t kEscapedByte = 6;
constexpr std::size_t kMostText = 32 * kMebibyte;

struct Limits {
  std::size_t memory;
  std::size_t text;    ///< bytes of the rendered text
  std::size_t output;  ///< bytes of the JSON with this text

  /// @param input bytes of the template and its variables, as JSON
  explicit Limits(std::size_t input)
      : memory(std::min(kMemory + kMemoryPerByte * input, kMostMemory)),
        text(std::min(kFreeOutput + kOutputPerByte * input, kMostText)),
        output(kEscapedByte * text) {}
};

std::string inputOf(const JinjaRequest& request) {
  return nlohmann::ordered_json{{"template", request.text},
                                {"variables", request.variables}}
      .dump();
}

ChildRequest childRequest(const std::string& input, const Limits& limits,
                          const PythonPlace& python) {
  ChildRequest child;
  child.program = python.program;
  child.readable = python.readable;
  // Isolated mode: ignores PYTHON… variables, the user's folders and the current folder.
  child.arguments = {"-I", "-B", "-c", kRenderChatScript};
  // Without HOME, Python would look up a home folder in /etc.
  child.environment = {
      {"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}, {"HOME", "/nonexistent"}};
  // For templates that write the date.
  if (const char* zone = std::getenv("TZ")) child.environment.emplace_back("TZ", zone);
  child.input = input;
  child.limits = {.wallClock = kWallClock,
                  .cpuSeconds = kCpuSeconds,
                  .memoryBytes = limits.memory,
                  .outputBytes = limits.output};
  return child;
}

Error failure(const JinjaRequest& request, const std::string& what) {
  return badInput(request.source + ": the chat template " + what);
}

/// Of a Python traceback, this is the exception's message.
std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return replaceInvalidUtf8(newline == std::string::npos ? text
                                                         : text.substr(newline + 1));
}

std::string inMebibytes(std::size_t bytes) {
  return std::to_string(bytes / kMebibyte) + " MiB";
}

Error tooMuchMemory(const JinjaRequest& request, const Limits& limits) {
  return failure(request, "was ended: it takes more than " + inMebibytes(limits.memory) +
                              " of memory, the limit");
}

Error tooMuchText(const JinjaRequest& request, const Limits& limits) {
  return failure(request, "was ended: it writes more than " + inMebibytes(limits.text) +
                              ", the limit of this conversation");
}

Error endedEarly(const JinjaRequest& request, const Limits& limits,
                 const ChildResult& result) {
  const std::string lastError = lastLine(result.standardError);
  if (result.ending == ChildEnding::TimedOut)
    return failure(request, "was ended: it takes more than " +
                                std::to_string(kWallClock.count() / 1000) +
                                " seconds, the limit");
  if (result.ending == ChildEnding::OutputTooLarge) return tooMuchText(request, limits);
  if (lastError.starts_with("MemoryError")) return tooMuchMemory(request, limits);
  if (result.ending == ChildEnding::Killed)
    return failure(request, "was ended: it takes more than " +
                                std::to_string(kCpuSeconds) +
                                " seconds of computing, or crashed Python");
  return failure(request, "could not be rendered by Python: " + inQuotes(lastError));
}

/// The rendered text, or nothing when this Python has no Jinja2.
std::optional<std::string> answerOf(const JinjaRequest& request, const Limits& limits,
                                    const ChildResult& result) {
  if (result.ending != ChildEnding::Exited || result.code != 0)
    throw endedEarly(request, limits, result);
  const Json answer = parseJson(result.output, "the answer of the template's renderer");
  JsonObject fields(answer, "the answer of the template's renderer");
  if (auto text = fields.optionalString("text")) {
    if (text->size() > limits.text) throw tooMuchText(request, limits);
    return text;
  }
  const std::string problem = fields.string("problem");
  if (problem == "no Jinja2") return std::nullopt;
  if (problem == "memory") throw tooMuchMemory(request, limits);
  constexpr std::size_t kMostSentence = 1000;  // bytes
  const std::string sentence =
      withoutControls(fields.string("sentence").substr(0, kMostSentence));
  if (problem == "refused")
    throw failure(request, "refuses this conversation: " + sentence);
  throw failure(request, "cannot be rendered: " + sentence);
}

}  // namespace

std::string renderJinja(const JinjaRequest& request, std::stop_token stop) {
  const std::string input = inputOf(request);
  const Limits limits(input.size());
  for (const std::filesystem::path& path : request.pythons) {
    const auto python = PythonPlace::inspect(path, stop);
    if (!python) continue;
    const ChildResult result = runChild(childRequest(input, limits, *python), stop);
    if (result.ending == ChildEnding::NotStarted) continue;
    if (auto text = answerOf(request, limits, result)) return *std::move(text);
  }
  throw Error(ErrorKind::Resource,
              "chat templates are rendered by Python's Jinja2, which is not on this "
              "machine; install it (on Debian: apt-get install python3-jinja2), or give "
              "the prompt without the chat template");
}

namespace {

using Path = std::filesystem::path;

/// Prints paths, separated by zero bytes, the interpreter's first.
constexpr const char* kInspectScript =
    "import os, sys\n"
    "names = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix,\n"
    "         sys.base_exec_prefix, *sys.path]\n"
    "sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, names)))\n";

/// System files and folders that every interpreter may read.
constexpr const char* kSystem[] = {
    "/usr",    "/bin",       "/lib",       "/lib32",           "/lib64",
    "/libx32", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/localtime"};

/// True if `path` is or contains the user's home folder.
bool holdsHome(const Path& path) {
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  const Path inner = std::filesystem::weakly_canonical(home ? home : "/root", ignored);
  const Path outer = std::filesystem::weakly_canonical(path, ignored);
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

std::vector<Path> namesIn(std::string_view answer) {
  std::vector<Path> names;
  while (!answer.empty()) {
    const std::size_t end = std::min(answer.find('\0'), answer.size());
    names.emplace_back(answer.substr(0, end));
    answer.remove_prefix(std::min(end + 1, answer.size()));
  }
  return names;
}

}  // namespace

std::vector<Path> pythonsOfThisMachine() {
  std::vector<Path> result{"/usr/bin/python3"};
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const Path folder(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    if (folder.is_absolute() && folder != "/usr/bin")
      result.push_back(folder / "python3");
  }
  return result;
}

std::optional<PythonPlace> PythonPlace::inspect(const Path& path, std::stop_token stop) {
  if (!isThere(path)) return std::nullopt;
  const ChildResult result = runChild({.program = path,
                                       .arguments = {"-I", "-B", "-c", kInspectScript},
                                       .environment = {{"PATH", "/usr/bin:/bin"}}},
                                      std::move(stop));
  const std::vector<Path> names = namesIn(result.output);
  if (result.ending != ChildEnding::Exited || result.code != 0 || names.empty())
    return std::nullopt;
  PythonPlace place{.program = names.front().is_absolute() ? names.front() : path,
                    .readable = {std::begin(kSystem), std::end(kSystem)}};
  for (const Path& name : names)
    if (name.is_absolute() && !holdsHome(name)) place.readable.push_back(name);
  return place;
}

}  // namespace equipatch
