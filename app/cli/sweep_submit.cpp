// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_submit.h"

#include <algorithm>
#include <iostream>

#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/progress.h"
#include "core/base/strings.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/record/export/export_json.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_script.h"
#include "core/record/sweep/sweep_status.h"
#include "core/run/session.h"
#include "core/run/sweep_job.h"

namespace equipatch::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUsualTasks = 8, kMostTasks = 10'000, kMostCpus = 4096;

std::vector<SweepCell> openCells(const SweepToSubmit& sweep) {
  std::vector<SweepCell> cells = cellsOf(sweep.plan);
  std::erase_if(cells, [&](const SweepCell& cell) {
    return finishedRun(sweep.folder, sweep.plan, cell).has_value();
  });
  return cells;
}

/// The largest number of open cells in any task's shard. The shard of task i has the
/// plan's cells i, i + tasks, i + 2 × tasks, …
std::int64_t cellsOfFullestTask(const SweepPlan& plan, const std::vector<SweepCell>& open,
                                std::int64_t tasks) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(tasks));
  std::size_t task = 0;
  auto next = open.begin();  // `open` is in the plan's order
  for (const SweepCell& cell : cellsOf(plan)) {
    if (next != open.end() && cell == *next) {
      ++counts[task];
      ++next;
    }
    task = (task + 1) % counts.size();
  }
  return *std::ranges::max_element(counts);
}

/// Estimates a task's memory, and takes a cell's time from finished cells. If no finished
/// cell's time is known, computes up to three open cells in this process until one is
/// finished, and measures memory and time; the time includes loading the model.
/// @throws Error{BadInput} when none of the computed cells is finished.
TaskMeasure measured(const SweepToSubmit& sweep, const std::vector<SweepCell>& open,
                     const TaskRequest& request,
                     const std::function<void(const SweepCell&)>& compute) {
  const int threads = static_cast<int>(request.cpus);
  TaskMeasure measure;
  measure.cells = cellsOfFullestTask(sweep.plan, open, request.tasks);
  const Checkpoint checkpoint = Checkpoint::open(sweep.model);
  std::int64_t otherCells = 0;  // bytes of the cells that run in parallel with one cell
  for (const SweepPoint& point : sweep.plan.points) {
    const MemoryEstimate estimate = estimateFor(checkpoint, point.dtype);
    const std::int64_t wanted = sweep.parallel.value_or(
        usualCellsAtOnce(sweep.plan.device, estimate.weights, threads));
    const std::int64_t atOnce = std::min(wanted, measure.cells);
    const std::int64_t others = (atOnce - 1) * estimate.ofAnotherRun();
    measure.estimatedBytes = std::max(measure.estimatedBytes, estimate.total() + others);
    otherCells = std::max(otherCells, others);
  }
  useThreads(threads);
  if (const auto seconds = readSweepStatus(sweep.folder).cellSeconds) {
    measure.cellSeconds = *seconds;
    return measure;
  }
  constexpr std::size_t kMostTries = 3;
  for (std::size_t at = 0; at < std::min(open.size(), kMostTries); ++at) {
    const Stopwatch watch;
    compute(open[at]);
    measure.cellSeconds = 1e-3 * watch.milliseconds();
    if (const auto peak = peakMemory()) measure.peakBytes = *peak + otherCells;
    if (finishedRun(sweep.folder, sweep.plan, open[at])) return measure;
  }
  throw badInput(
      "the time and memory of a cell are unknown, because the first cells failed or "
      "other programs are computing them; correct what failed, or give both --time and "
      "--mem");
}

SweepTask taskOf(const SweepToSubmit& sweep, std::int64_t cpus) {
  const fs::path folder = fs::canonical(sweep.folder);
  SweepTask task{.name = "sweep-" + sweep.plan.modelName,
                 .folder = folder,
                 .program = fs::read_symlink("/proc/self/exe"),
                 .arguments = {"sweep", "--model", fs::canonical(sweep.model).string(),
                               "--out", folder.string(), "--weights", sweep.weights,
                               "--threads", std::to_string(cpus)}};
  if (sweep.parallel)
    task.arguments.insert(task.arguments.end(),
                          {"--parallel", std::to_string(*sweep.parallel)});
  return task;
}

void print(const TaskRequest& request, const fs::path& script,
           const std::optional<SubmittedJobs>& jobs, bool json) {
  if (json) {
    nlohmann::ordered_json object{{"script", script.string()},
                                  {"tasks", request.tasks},
                                  {"cpus", request.cpus},
                                  {"memory", request.memory},
                                  {"time", request.time}};
    if (jobs) object["job"] = jobs->tasks;
    if (jobs) object["table_job"] = jobs->merge;
    std::cout << jsonLine(object);
    return;
  }
  const auto count = [](std::int64_t number, const char* thing) {
    return countText(static_cast<std::size_t>(number), thing);
  };
  std::cout << script.string() << ": " << count(request.tasks, "task") << ", each with "
            << count(request.cpus, "processor") << ", " << request.memory << " and "
            << request.time << '\n';
  if (jobs)
    std::cout << "submitted as job " << jobs->tasks << "; job " << jobs->merge
              << " then writes the table\n";
  else
    std::cout << "submit it: sbatch " << shellWord(script.string()) << '\n';
  std::cout << "watch it: equipatch-cli sweep --status "
            << shellWord(script.parent_path().string()) << '\n';
}

}  // namespace

void SubmitOptions::addTo(CLI::App& command) {
  auto* submit =
      command
          .add_option("--submit", how,
                      "slurm writes batch scripts into the sweep's folder and submits "
                      "an array of tasks that share the cells; script only writes "
                      "the scripts")
          ->check(CLI::IsMember({"slurm", "script"}))
          ->type_name("HOW");
  command.add_option("--array", tasks, "number of tasks; by default 8 or fewer")
      ->transform(wholeNumber(1, kMostTasks))
      ->type_name("N")
      ->needs(submit);
  command.add_option("--cpus", cpus, "processors of a task; by default --threads, or 1")
      ->transform(wholeNumber(1, kMostCpus))
      ->type_name("C")
      ->needs(submit);
  const auto word = [&](const char* name, std::optional<std::string>& value,
                        const char* help, const char* type) {
    command.add_option(name, value, help)->type_name(type)->needs(submit);
  };
  word("--mem", memory,
       "memory of a task, such as 16G; by default estimated and, unless a cell is "
       "finished already, measured on a cell that is computed here",
       "SIZE");  // the placeholder "M" means a model
  word("--time", time,
       "time limit of a task, such as 02:00:00; by default from the time of a cell", "T");
  word("--partition", partition, "the cluster's partition", "P");
  word("--gres", gres, "generic resources of a task, such as gpu:1", "G");
  word("--account", account, "the account to charge", "A");
}

void SubmitOptions::check() const {
  const auto checked = [](const char* option, const std::optional<std::string>& word) {
    try {
      if (word) checkSlurmWord(*word);
    } catch (const Error& error) {
      throw misuse(option, error.what());
    }
  };
  checked("--mem", memory);
  checked("--time", time);
  checked("--partition", partition);
  checked("--gres", gres);
  checked("--account", account);
}

int submitSweep(const SubmitOptions& options, const SweepToSubmit& sweep, bool json,
                const std::function<void(const SweepCell&)>& compute) {
  const std::vector<SweepCell> open = openCells(sweep);
  if (open.empty()) {
    std::cerr << "all cells are finished; nothing is submitted" << std::endl;
    if (json) std::cout << jsonLine({{"tasks", 0}});
    return 0;
  }
  const auto cells = std::ssize(cellsOf(sweep.plan));
  TaskRequest request{.memory = options.memory.value_or("auto"),
                      .time = options.time.value_or("auto"),
                      .partition = options.partition.value_or(""),
                      .gres = options.gres.value_or(""),
                      .account = options.account.value_or("")};
  request.cpus = options.cpus.value_or(std::max(1, sweep.threads));
  request.tasks = std::min<std::int64_t>(
      options.tasks.value_or(std::min<std::int64_t>(kUsualTasks, std::ssize(open))),
      cells);
  if (request.memory == "auto" || request.time == "auto") {
    const TaskMeasure measure = measured(sweep, open, request, compute);
    if (request.memory == "auto") request.memory = memoryText(measure);
    if (request.time == "auto") request.time = timeText(measure);
  }
  const SweepTask task = taskOf(sweep, request.cpus);
  writeScripts(task, request);
  std::optional<SubmittedJobs> jobs;
  if (*options.how == "slurm") jobs = submitScripts(task.folder);
  print(request, task.folder / kTaskScript, jobs, json);
  return 0;
}

namespace {

nlohmann::ordered_json statusJson(const SweepStatus& status) {
  nlohmann::ordered_json running = nlohmann::ordered_json::array();
  nlohmann::ordered_json failed = running;
  for (const RunningCell& cell : status.running)
    running.push_back({{"cell", cell.file},
                       {"host", cell.claimant.host},
                       {"process", cell.claimant.process},
                       {"task", cell.claimant.task}});
  for (const FailedCell& cell : status.failed)
    failed.push_back({{"cell", cell.file}, {"error", cell.error}});
  nlohmann::ordered_json object{
      {"model", status.modelName},   {"cells", status.cells},
      {"finished", status.finished}, {"waiting", status.waiting()},
      {"running", running},          {"failed", failed}};
  if (const auto left = status.left()) object["seconds_left"] = left->count();
  return object;
}

}  // namespace

int showSweepStatus(const fs::path& folder, bool json) {
  const SweepStatus status = readSweepStatus(folder);
  if (json) {
    std::cout << jsonLine(statusJson(status));
    return 0;
  }
  std::cout << withoutControls(status.modelName) << ": " << status.finished << " of "
            << status.cells << " cells finished, " << status.running.size()
            << " running, " << status.failed.size() << " failed, " << status.waiting()
            << " waiting";
  if (const auto left = status.left())
    std::cout << "; about " << durationText(*left) << " left";
  std::cout << '\n';
  for (const RunningCell& cell : status.running) {
    std::cout << "running: " << cell.file << ", process " << cell.claimant.process
              << " on " << withoutControls(cell.claimant.host);
    if (!cell.claimant.task.empty())
      std::cout << ", task " << withoutControls(cell.claimant.task);
    std::cout << '\n';
  }
  for (const FailedCell& cell : status.failed)
    std::cout << "failed: " << cell.file << ": " << withoutControls(cell.error) << '\n';
  return 0;
}

}  // namespace equipatch::cli
