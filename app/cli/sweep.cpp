// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "app/cli/sweep_options.h"
#include "app/cli/sweep_submit.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/export/export_json.h"
#include "core/record/export/output_file.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "core/record/sweep/sweep_table.h"
#include "core/run/model_list.h"
#include "core/run/sweep_job.h"

namespace equipatch::cli {

namespace {

std::string percent(double number) {
  return fixedText(number, 2) + " %";
}

std::string titleOf(const SweepRow& row) {
  constexpr std::size_t kPartColumns = 36;
  const bool isAll = row.absorb == SweepRow().absorb;
  return pointText(row.point) + (row.prompt.empty() ? "" : " " + row.prompt) +
         (isAll ? "" : " absorb=" + trimmed(printable(row.absorb, kPartColumns)));
}

// Headings wider than kNumberColumns. Each column below them is as wide as its heading.
const std::string kBareMatch = "bare match", kBareKl = "bare KL max",
                  kAblatedMatch = "ablated match", kAblatedKl = "ablated KL max",
                  kFloor = "noise floor";

/// A cell as wide as the heading `title`; "-" if there is no number.
std::string cellUnder(const std::string& title, std::optional<double> number) {
  return cell(number ? numberText(*number, int(title.size()))
                     : std::string(title.size() - 1, ' ') + "-");
}

/// As `cellUnder`, for a percentage.
std::string percentUnder(const std::string& title, std::optional<double> number) {
  const std::string text = number ? percent(*number) : "-";
  return cell(std::string(title.size() - text.size(), ' ') + text);
}

void printTable(const std::vector<SweepRow>& rows, std::ostream& out) {
  std::size_t widest = 0;
  bool isAblated = false, isUnmeasured = false, hasFloor = false;
  for (const SweepRow& row : rows) {
    widest = std::max(widest, columnsOf(titleOf(row)));
    isAblated |= row.ablatedKlMax.has_value();
    hasFloor |= row.noiseFloor.has_value();
    isUnmeasured |= row.steps > 0 && row.worst == VerdictKind::Unmeasured;
  }
  out << padded("", widest) << heading("cells", 5) << heading("steps", 5)
      << heading("match", 5) << heading("L∞ median", 9) << heading("95 %", 4)
      << heading("largest", 7) << heading("TVD max", 7) << heading("bare L∞", 7)
      << cell(kBareMatch) << cell(kBareKl)
      << (isAblated ? cell(kAblatedMatch) + cell(kAblatedKl) : std::string())
      << (hasFloor ? cell(kFloor) : std::string()) << "  worst verdict\n";
  for (const SweepRow& row : rows) {
    out << padded(titleOf(row), widest)
        << cell(std::to_string(row.cells) + "/" + std::to_string(row.planned));
    if (row.steps > 0) {
      out << cell(std::to_string(row.steps)) << cell(percent(row.matchPercent()))
          << cell(row.linfMedian) << cell(row.linf95) << cell(row.linfMax)
          << cell(row.tvdMax) << cell(row.bareLinfMedian)
          << percentUnder(kBareMatch, row.bareMatchPercent)
          << cellUnder(kBareKl, row.bareKlMax);
      if (isAblated)
        out << percentUnder(kAblatedMatch, row.ablatedMatchPercent)
            << cellUnder(kAblatedKl, row.ablatedKlMax);
      if (hasFloor) out << cellUnder(kFloor, row.noiseFloor);
      out << "  " << spelled(row.worst);
    }
    out << '\n';
  }
  if (isUnmeasured)
    out << "unmeasured: no noise floor to judge the differences by; run with --noise, "
           "or, if that was given, in a wider dtype\n";
}

void printJson(const std::vector<SweepRow>& rows, std::ostream& out) {
  for (const SweepRow& row : rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    const ExportRow columns = exportRow(row);
    for (std::size_t index = 0; index < columns.names.size(); ++index)
      std::visit([&](const auto& value) { object[columns.names[index]] = value; },
                 columns.cells[index]);
    out << jsonLine(object);
  }
}

class CellPrinter final : public SweepSink {
 public:
  explicit CellPrinter(Foreground& foreground) : m_foreground(foreground) {}

  void cellsFound(std::size_t finished, std::size_t all) override {
    m_number = finished;
    m_all = all;
    if (finished > 0)
      m_foreground.printLine(std::to_string(finished) + " of " + std::to_string(all) +
                             " cells were finished before");
  }

  void cellFinished(const SweepCell& cell, const CellResult& result) override {
    say(cell, std::to_string(result.matches) + " of " + std::to_string(result.steps) +
                  " most likely tokens match, L∞ largest " +
                  numberText(result.linfMax, 0));
  }

  void cellFinishedElsewhere(const SweepCell& cell) override {
    say(cell, "computed by another program");
  }

  void cellFailed(const SweepCell& cell, const Error& error) override {
    ++m_failed;
    say(cell, std::string("not computed: ") + error.what());
  }

  void cellsElsewhere(std::size_t count) override {
    m_foreground.printLine(countText(count, "cell") +
                           " left to the other programs that are computing them");
  }

  std::size_t failed() const { return m_failed; }

 private:
  void say(const SweepCell& cell, const std::string& result) {
    m_foreground.printLine("[" + std::to_string(++m_number) + "/" +
                           std::to_string(m_all) + "] " + cell.prompt.name + ", " +
                           pointText(cell.point) + ": " + result);
  }

  Foreground& m_foreground;
  std::size_t m_number = 0;
  std::size_t m_all = 0;
  std::size_t m_failed = 0;
};

void print(const SweepTable& table, const SweepOptions& options,
           std::ostream& out = std::cout) {
  if (options.json)
    printJson(table.rows(), out);
  else
    printTable(table.rows(), out);
}

int sweep(const SweepOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  const std::filesystem::path model = modelFolder(options.model);
  const SweepPlan plan = options.plan(model);
  const Shard shard = options.shard ? parseShard(*options.shard) : Shard();
  const std::filesystem::path folder = *options.out;
  claimSweepFolder(folder, plan);
  rememberModel(model);
  const auto needed = [&](const SweepPoint& point) {
    return SessionRequest{.folder = model,
                          .dtype = point.dtype,
                          .device = plan.device,
                          .place = weightPlaceFromName(options.weights)};
  };
  // No warning for submitted cells: they use the memory of other machines.
  for (std::size_t at = 0; at < plan.points.size() && !options.submit.how; ++at)
    if (at == 0 || plan.points[at].dtype != plan.points[at - 1].dtype)
      warnOfMemory(needed(plan.points[at]));

  Foreground foreground;
  const auto printer = std::make_shared<CellPrinter>(foreground);
  const auto compute = [&](const std::vector<SweepCell>& cells) {
    return foreground.run(makeSweepJob({.plan = plan,
                                        .model = model,
                                        .folder = folder,
                                        .cells = cells,
                                        .place = weightPlaceFromName(options.weights),
                                        .cellsAtOnce = options.parallel},
                                       printer),
                          Reporting::Progress);
  };
  if (options.submit.how)
    return submitSweep(
        options.submit,
        {plan, model, folder, options.weights, options.threads, options.parallel},
        options.json, [&, warned = std::set<DType>()](const SweepCell& cell) mutable {
          if (warned.empty())
            foreground.printLine(
                "computing a cell here, to measure its time and memory; give both --time "
                "and --mem to compute nothing here");
          if (warned.insert(cell.point.dtype).second) warnOfMemory(needed(cell.point));
          if (const auto problem = compute({cell})) throw *problem;
        });
  const auto problem = compute(cellsOf(plan, shard));
  print(mergeSweeps({folder}), options);
  if (problem && problem->kind() == ErrorKind::Cancelled)
    throw Error(
        ErrorKind::Cancelled,
        "stopped on request; the same command continues with the unfinished cells");
  if (problem) throw *problem;
  if (printer->failed() == 0) return 0;
  throw badInput(std::to_string(printer->failed()) + " of " +
                 std::to_string(cellsOf(plan, shard).size()) +
                 " cells could not be computed, for the reasons above");
}

int merged(const SweepOptions& options) {
  const SweepTable table = mergeSweeps({options.merged.begin(), options.merged.end()});
  OutputPlace place(options.out.value_or(
      (std::filesystem::path(options.merged.front()) / "summary.csv").string()));
  requireOwnSweepCsv(place.path());
  print(table, options, place.isStandardOutput() ? std::cerr : std::cout);
  writeSweepCsv(table, place.path());
  if (!place.isStandardOutput() && !options.json) noteWritten(place.path().string());
  place.copyToStandardOutput(std::cout);
  return 0;
}

}  // namespace

void addSweep(CLI::App& program, Action& action) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = program.add_subcommand(
      "sweep",
      "Compare many prompts with many settings; each pair is a cell with its own run "
      "file, and one table sums up the cells");
  options->addTo(*command);
  command->callback([options, &action] {
    options->check();
    action = [options] {
      if (options->status) return showSweepStatus(*options->status, options->json);
      return options->merged.empty() ? sweep(*options) : merged(*options);
    };
  });
}

}  // namespace equipatch::cli
