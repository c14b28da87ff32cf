// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// The resources that a sweep's tasks request from Slurm. The script contains the strings
/// without quotes: check them with checkSlurmWord first.
struct TaskRequest {
  std::int64_t tasks = 1;
  std::int64_t cpus = 1;                 ///< of a task
  std::string memory;                    ///< "1300M"
  std::string time;                      ///< "02:10:00"
  std::string partition, gres, account;  ///< empty: the cluster's default
};

struct TaskMeasure {
  // Memory of a task's program with all cells that the program computes at once.
  std::int64_t estimatedBytes = 0;  ///< of the grid's dtype that needs the most
  std::int64_t peakBytes = 0;       ///< measured on a computed cell; 0: unknown
  double cellSeconds = 0.0;         ///< of an average cell; may include loading the model
  std::int64_t cells = 0;           ///< cells of the task that has the most
};

/// A fifth more than the larger of estimate and peak, rounded up to 100 MiB: "1300M".
std::string memoryText(const TaskMeasure& measure);
/// Five minutes plus three times cells × cellSeconds: "02:10:00". The factor allows for
/// cells that are slower than the measured ones.
std::string timeText(const TaskMeasure& measure);

/// @throws Error{BadInput} when the word is empty or has a character other than letters,
/// digits and -_+./:,=@%.
void checkSlurmWord(const std::string& word);

/// The word, in quotes if a shell needs them.
std::string shellWord(const std::string& word);

/// What the scripts run, without the shard.
struct SweepTask {
  std::string name;  ///< of the job
  std::filesystem::path folder;
  std::filesystem::path program;
  std::vector<std::string> arguments;  ///< "sweep", "--model", …
};

/// A batch script for Slurm: an array of tasks, each of which computes one shard.
std::string taskScript(const SweepTask& task, const TaskRequest& request);
/// A batch script for Slurm that writes the sweep's table.
std::string mergeScript(const SweepTask& task, const TaskRequest& request);

/// Names in the sweep's folder.
inline constexpr const char* kTaskScript = "sweep.sbatch";
inline constexpr const char* kMergeScript = "merge.sbatch";
inline constexpr const char* kLogFolder = "logs";

/// Writes both scripts and the folder of their output; replaces scripts of a sweep.
/// @throws Error{BadInput} when a path or argument has a control character, or when
/// another file has a script's name; Error as makeFolder and OutputFile.
void writeScripts(const SweepTask& task, const TaskRequest& request);

struct SubmittedJobs {
  std::string tasks, merge;  ///< Slurm's job numbers
};
/// Submits both scripts of a folder with sbatch. The table is written when all tasks have
/// ended, even if some failed.
/// @throws Error{Resource} with sbatch's message, or if sbatch is missing or does not
/// answer.
SubmittedJobs submitScripts(const std::filesystem::path& folder);

}  // namespace equipatch
