#include "core/text/chat/jinja.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "render_chat_script.h"

namespace equipatch {

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;
constexpr std::uint64_t kCpuSeconds = 5;
constexpr std::chrono::milliseconds kWallClock{20'000};
constexpr std::size_t kMostOutput = std::size_t{32} << 20;

ChildRequest childRequest(const JinjaRequest& request,
                          const std::filesystem::path& python) {
  ChildRequest child;
  child.program = python;
  // Isolated mode: ignores the environment, the user's folders and the current folder.
  child.arguments = {"-I", "-B", "-c", kRenderChatScript};
  child.environment = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}};
  // For templates that write the date.
  if (const char* zone = std::getenv("TZ")) child.environment.emplace_back("TZ", zone);
  child.input = Json{{"template", request.text}, {"variables", request.variables}}.dump();
  child.limits = {.wallClock = kWallClock,
                  .cpuSeconds = kCpuSeconds,
                  .memoryBytes = kMemory,
                  .outputBytes = kMostOutput};
  return child;
}

Error failure(const JinjaRequest& request, const std::string& what) {
  return badInput(request.source + ": the chat template " + what);
}

/// The last line of a traceback, which holds the message.
std::string lastLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return replaceInvalidUtf8(newline == std::string::npos ? text
                                                         : text.substr(newline + 1));
}

Error endedEarly(const JinjaRequest& request, const ChildResult& result) {
  if (result.ending == ChildEnding::TimedOut)
    return failure(request, "was ended after " +
                                std::to_string(kWallClock.count() / 1000) +
                                " seconds; it takes too long");
  if (result.ending == ChildEnding::OutputTooLarge)
    return failure(request, "writes more than " + std::to_string(kMostOutput >> 20) +
                                " MiB; it was ended");
  if (result.ending == ChildEnding::Killed)
    return failure(request, "was ended: it takes more than " +
                                std::to_string(kCpuSeconds) +
                                " seconds of computing, or crashed Python");
  return failure(request, "could not be rendered by Python: " +
                              inQuotes(lastLine(result.complaint)));
}

/// A template's message on one line of bounded length.
std::string oneLine(std::string_view sentence) {
  constexpr std::size_t kMost = 1000;
  std::string line = replaceInvalidUtf8(sentence.substr(0, kMost));
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7F) c = ' ';
  return line;
}

/// The rendered text; empty when this Python has no Jinja2.
std::optional<std::string> answerOf(const JinjaRequest& request,
                                    const ChildResult& result) {
  if (result.ending != ChildEnding::Exited || result.code != 0)
    throw endedEarly(request, result);
  const Json answer = parseJson(result.output, "the answer of the template's renderer");
  JsonObject fields(answer, "the answer of the template's renderer");
  if (auto text = fields.optionalString("text")) return text;
  const std::string problem = fields.string("problem");
  if (problem == "no Jinja2") return std::nullopt;
  const std::string sentence = oneLine(fields.string("sentence"));
  if (problem == "refused")
    throw failure(request, "refuses this conversation: " + sentence);
  throw failure(request, "cannot be rendered: " + sentence);
}

}  // namespace

std::vector<std::filesystem::path> pythonsOfThisMachine() {
  std::vector<std::filesystem::path> result{"/usr/bin/python3"};
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path folder(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
    if (folder.is_absolute() && folder != "/usr/bin")
      result.push_back(folder / "python3");
  }
  return result;
}

std::string renderJinja(const JinjaRequest& request, std::stop_token stop) {
  for (const std::filesystem::path& python : request.pythons) {
    if (!isThere(python)) continue;
    const ChildResult result = runChild(childRequest(request, python), stop);
    if (result.ending == ChildEnding::NotStarted) continue;
    if (auto text = answerOf(request, result)) return *std::move(text);
  }
  throw Error(ErrorKind::Resource,
              "chat templates are rendered by Python's Jinja2, which is not on this "
              "machine; install it (on Debian: apt-get install python3-jinja2), or give "
              "the prompt without the chat template");
}

}  // namespace equipatch
