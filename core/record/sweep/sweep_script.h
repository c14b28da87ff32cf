// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// The resources that a sweep's tasks request from Slurm. The texts are not escaped in
/// the script: check them with checkSlurmWord first.
struct TaskRequest {
  std::int64_t tasks = 1;
  std::int64_t cpus = 1;                 ///< of a task
  std::string memory;                    ///< "1300M"
  std::string time;                      ///< "02:10:00"
  std::string partition, gres, account;  ///< empty: the cluster's default
};

/// Measurements and estimates of a sweep's cells, made before they are submitted.
struct TaskMeasure {
  // Memory of a task's program, with all cells that it computes at the same time.
  std::int64_t estimatedBytes = 0;  ///< of the grid's dtype that needs the most
  std::int64_t peakBytes = 0;       ///< from a cell that was computed; 0: unknown
  double cellSeconds = 0.0;         ///< of an average cell; may include loading the model
  std::int64_t cells = 0;           ///< cells of the task that has the most
};

/// A fifth more than the larger of estimate and peak, rounded up to 100 MiB: "1300M".
std::string memoryText(const TaskMeasure& measure);
/// Five minutes plus three times what the fullest task's cells take one by one, because
/// other cells may be slower than those measured: "02:10:00".
std::string timeText(const TaskMeasure& measure);

/// @throws Error{BadInput} when the word is empty or has a character other than letters,
/// digits and -_+./:,=@%.
void checkSlurmWord(const std::string& word);

/// The word as a shell reads it; quoted if it needs quotes.
std::string shellWord(const std::string& word);

/// The tasks' command without its shard, and the sweep's folder.
struct SweepTask {
  std::string name;  ///< of the job
  std::filesystem::path folder;
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< "sweep", "--model", …
};

/// A batch script for Slurm: an array of tasks, each of which computes one shard.
std::string taskScript(const SweepTask& task, const TaskRequest& request);
/// A batch script for Slurm that writes the table.
std::string mergeScript(const SweepTask& task, const TaskRequest& request);

/// Names of the scripts in the sweep's folder, and of the folder of their output.
inline constexpr const char* kTaskScript = "sweep.sbatch";
inline constexpr const char* kMergeScript = "merge.sbatch";
inline constexpr const char* kLogFolder = "logs";

/// Writes both scripts into the sweep's folder, and makes the folder of their output.
/// @throws Error{BadInput} when a path or argument has a line break or another control
/// character, or when it would overwrite a file that is not a sweep's script; Error as
/// makeFolder and OutputFile.
void writeScripts(const SweepTask& task, const TaskRequest& request);

/// The jobs of a submitted sweep.
struct SubmittedJobs {
  std::string tasks, merge;  ///< numbers
};
/// Submits both scripts of a folder with sbatch; the job that writes the table starts
/// when all tasks have ended.
/// @throws Error{Resource} with sbatch's message, or if sbatch is missing or does not
/// answer.
SubmittedJobs submitScripts(const std::filesystem::path& folder);

}  // namespace equipatch
