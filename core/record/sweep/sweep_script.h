// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// What a sweep's tasks are given by Slurm. Words go into the script as they are.
struct TaskRequest {
  std::int64_t tasks = 1;
  std::int64_t cpus = 1;                 ///< of a task
  std::string memory;                    ///< "1300M"
  std::string time;                      ///< "02:10:00"
  std::string partition, gres, account;  ///< empty: the cluster's default
};

/// What is known of a sweep's cells before they are submitted.
struct TaskMeasure {
  std::int64_t estimatedBytes = 0;  ///< memory, by the widest dtype of the grid
  std::int64_t peakBytes = 0;       ///< of a program that computed a cell; 0: unknown
  double cellSeconds = 0.0;         ///< of one cell, with the loading of the model
  std::int64_t cells = 0;           ///< of the task with the most
};

/// A fifth more than estimated and measured, in whole 100 MB: "1300M".
std::string memoryText(const TaskMeasure& measure);
/// Three times what its cells would take one by one, because other cells may take longer,
/// and five minutes: "02:10:00".
std::string timeText(const TaskMeasure& measure);

/// @throws Error{BadInput} naming `option` when the word has a character that no value
/// of Slurm's options has.
void checkSlurmWord(const std::string& option, const std::string& word);

/// A word for a shell, in quotes where it needs them.
std::string shellWord(const std::string& word);

/// The tasks' command without its shard, and the folder.
struct SweepTask {
  std::string name;  ///< of the job
  std::filesystem::path folder;
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< "sweep", "--model", …
};

/// A batch script for Slurm, an array whose tasks take a shard each.
std::string taskScript(const SweepTask& task, const TaskRequest& request);
/// One that writes the table.
std::string mergeScript(const SweepTask& task, const TaskRequest& request);

/// Names of the scripts in the sweep's folder, and of the folder of their output.
inline constexpr const char* kTaskScript = "sweep.sbatch";
inline constexpr const char* kMergeScript = "merge.sbatch";
inline constexpr const char* kLogFolder = "logs";

/// Writes both scripts, and makes the folder of their output.
void writeScripts(const SweepTask& task, const TaskRequest& request);

/// The jobs of a submitted sweep.
struct SubmittedJobs {
  std::string tasks, merge;  ///< numbers
};
/// Submits the scripts of a folder with sbatch, the second after the first has ended.
/// @throws Error{Resource} with what sbatch says, or when there is none.
SubmittedJobs submitScripts(const std::filesystem::path& folder);

}  // namespace equipatch
