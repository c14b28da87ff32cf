// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_script.h"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlainCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%";

// By these texts, writeScripts recognises scripts that it may overwrite.
constexpr std::string_view kTaskScriptMark =
    ": an array of tasks that share the cells of this folder";
constexpr std::string_view kMergeScriptMark = "# The table of ";

std::string twoDigits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string commandOf(const SweepTask& task, const std::vector<std::string>& arguments) {
  std::string line = shellWord(task.program.string());
  for (const std::string& argument : arguments) line += " " + shellWord(argument);
  return line;
}

std::string directive(const char* option, const std::string& value) {
  return value.empty() ? std::string()
                       : std::string("#SBATCH --") + option + "=" + value + "\n";
}

/// A path in the quotes that sbatch expects in an #SBATCH line.
std::string quotedPath(const fs::path& path) {
  std::string text = "\"";
  for (const char c : path.string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

fs::path findSbatch() {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / "sbatch";
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(rest.size(), end + 1));
  }
  throw Error(ErrorKind::Resource,
              "sbatch is not in PATH: submit on a machine of the cluster, or write the "
              "script only (--submit script)");
}

/// @returns the job's number
std::string submit(const fs::path& script, const std::vector<std::string>& options) {
  ChildRequest request{.program = findSbatch(),
                       // Without NONE, jobs inherit this child's resource limits.
                       .arguments = {"--parsable", "--propagate=NONE"},
                       .environment = {},
                       .input = {},
                       .limits = {.wallClock = std::chrono::milliseconds(120'000)}};
  request.arguments.insert(request.arguments.end(), options.begin(), options.end());
  request.arguments.push_back(script.string());
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view pair = *entry;
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos)
      request.environment.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  const ChildResult result = runChild(request);
  const std::string name = script.filename().string();
  if (result.ending == ChildEnding::Exited && result.code != 0)
    throw Error(ErrorKind::Resource,
                "sbatch refused " + name + ": " + trimmed(result.standardError));
  // sbatch prints "17" or "17;cluster".
  const std::string job = trimmed(result.output.substr(0, result.output.find(';')));
  const bool isNumber =
      !job.empty() && job.find_first_not_of("0123456789") == std::string::npos;
  if (result.ending != ChildEnding::Exited || !isNumber)
    throw Error(ErrorKind::Resource, "sbatch did not answer with a job's number for " +
                                         name +
                                         ", which may be queued: look with squeue");
  return job;
}

void writeScript(const fs::path& path, const std::string& text) {
  OutputFile file(path);
  file << text;
  file.finish();
}

}  // namespace

std::string memoryText(const TaskMeasure& measure) {
  constexpr std::int64_t kStep = 100;  // MiB, Slurm's M
  const double bytes =
      1.2 * static_cast<double>(std::max(measure.estimatedBytes, measure.peakBytes));
  const auto steps = static_cast<std::int64_t>(std::ceil(bytes / (1048576.0 * kStep)));
  return std::to_string(std::max<std::int64_t>(steps, 1) * kStep) + "M";
}

std::string timeText(const TaskMeasure& measure) {
  const double seconds = 3.0 * measure.cellSeconds * static_cast<double>(measure.cells);
  const auto minutes = static_cast<std::int64_t>(std::ceil(seconds / 60.0)) + 5;
  return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60) + ":00";
}

void checkSlurmWord(const std::string& word) {
  if (word.empty() || word.find_first_not_of(kPlainCharacters) != std::string::npos)
    throw badInput("expected a word of letters, digits and -_+./:,=@%, found " +
                   inQuotes(word));
}

std::string shellWord(const std::string& word) {
  const bool isPlain =
      !word.empty() && word.find_first_not_of(kPlainCharacters) == std::string::npos;
  if (isPlain) return word;
  std::string quoted = "'";
  for (const char c : word)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

/// A model's name comes from a file: only plain characters go into the script.
std::string jobName(std::string name) {
  constexpr std::size_t kLongest = 100;
  name.resize(std::min(name.size(), kLongest));
  for (char& c : name)
    if (kPlainCharacters.find(c) == std::string_view::npos) c = '-';
  return name;
}

void requireOneLine(const std::string& text) {
  if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
    throw badInput(inQuotes(text) +
                   ": a batch script cannot name a path with a line break or another "
                   "control character; rename the folder");
}

}  // namespace

std::string taskScript(const SweepTask& task, const TaskRequest& request) {
  const std::string tasks = std::to_string(request.tasks);
  return "#!/bin/bash\n"
         "# " +
         jobName(task.name) + std::string(kTaskScriptMark) +
         ".\n"
         "# Watch it: " +
         commandOf(task, {"sweep", "--status", task.folder.string()}) + "\n" +
         directive("job-name", jobName(task.name)) + directive("array", "1-" + tasks) +
         directive("chdir", quotedPath(task.folder)) +
         directive("output", std::string(kLogFolder) + "/%A_%a.log") +
         directive("open-mode", "append") +
         directive("cpus-per-task", std::to_string(request.cpus)) +
         directive("mem", request.memory) + directive("time", request.time) +
         directive("partition", request.partition) + directive("gres", request.gres) +
         directive("account", request.account) +
         "#SBATCH --requeue\n"
         "#SBATCH --signal=B:USR1@60\n"
         "\n"
         "# The program stops within a step and keeps finished cells when the task is\n"
         "# preempted (Slurm puts it into the queue again) or cancelled, and a minute\n"
         "# before its time is over. In the last case the task is requeued.\n"
         "end() { ended=1; again=1; if [ \"$program\" ]; then kill -TERM $program; fi; "
         "}\n"
         "trap end TERM\n"
         "trap 'late=1; end' USR1\n" +
         commandOf(task, task.arguments) + " --shard \"$SLURM_ARRAY_TASK_ID/" + tasks +
         "\" &\n"
         "program=$!\n"
         "if [ \"$ended\" ]; then kill -TERM $program; fi  # a signal came before\n"
         "again=1\n"
         "while [ \"$again\" ]; do  # a signal ends wait, not the program\n"
         "  again=\n"
         "  wait $program\n"
         "  status=$?\n"
         "done\n"
         "if [ \"$late\" ] && [ $status -ne 0 ]; then scontrol requeue "
         "\"$SLURM_JOB_ID\"; fi\n"
         "exit $status\n";
}

std::string mergeScript(const SweepTask& task, const TaskRequest& request) {
  return "#!/bin/bash\n" + std::string(kMergeScriptMark) + jobName(task.name) +
         ", after its tasks.\n" + directive("job-name", jobName(task.name) + "-table") +
         directive("chdir", quotedPath(task.folder)) +
         directive("output", std::string(kLogFolder) + "/table-%j.log") +
         directive("mem", "1000M") + directive("time", "01:00:00") +
         directive("partition", request.partition) +
         directive("account", request.account) + "\n" +
         commandOf(task, {"sweep", "--merge", "."}) + "\nstatus=$?\n" +
         commandOf(task, {"sweep", "--status", "."}) + "\nexit $status\n";
}

void writeScripts(const SweepTask& task, const TaskRequest& request) {
  requireOneLine(task.folder.string());
  requireOneLine(task.program.string());
  for (const std::string& argument : task.arguments) requireOneLine(argument);
  makeFolder(task.folder / kLogFolder);
  for (const auto& [name, mark] : {std::pair(kTaskScript, kTaskScriptMark),
                                   std::pair(kMergeScript, kMergeScriptMark)})
    requireOwnOrAbsent(task.folder / name, {mark, "a script of a sweep", 4096});
  writeScript(task.folder / kTaskScript, taskScript(task, request));
  writeScript(task.folder / kMergeScript, mergeScript(task, request));
}

SubmittedJobs submitScripts(const fs::path& folder) {
  const std::string tasks = submit(folder / kTaskScript, {});
  try {
    return {tasks, submit(folder / kMergeScript, {"--dependency=afterany:" + tasks})};
  } catch (const Error& error) {
    throw Error(error.kind(), "job " + tasks +
                                  " was submitted, but not the one that writes the table "
                                  "(" +
                                  error.what() +
                                  "); run equipatch-cli sweep --merge when it has ended");
  }
}

}  // namespace equipatch
