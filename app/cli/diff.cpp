// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/strings.h"
#include "core/figure/figure_kind.h"
#include "core/figure/run_names.h"
#include "core/record/export/export_json.h"
#include "core/record/file/run_file.h"
#include "core/record/run_difference.h"

namespace equipatch::cli {
namespace {

struct DiffOptions {
  std::string a, b;
  bool all = false;
  bool json = false;
};

nlohmann::ordered_json jsonOf(const StepRecord& step) {
  nlohmann::ordered_json side{{"token_id", step.continued.value},
                              {"token", step.tokenText},
                              {"match", step.match},
                              {"linf", step.patchedDistance.linf},
                              {"token_text", step.tokenText}};
  if (step.sampledMatch) side["sampled_match"] = *step.sampledMatch;
  return side;
}

void printJson(const StoredRun& runA, const StoredRun& runB,
               const RunDifference& difference) {
  const Steps &a = runA.steps, &b = runB.steps;
  for (std::size_t i = 0; i < difference.commonSteps; ++i)
    std::cout << jsonLine({{"step", i}, {"a", jsonOf(*a[i])}, {"b", jsonOf(*b[i])}});
  nlohmann::ordered_json summary{
      {"common", difference.commonSteps},
      {"first_divergent_step", nullptr},
      {"matches_that_differ", difference.matchDifferences},
      // The next two are older names of the two above.
      {"parting", nullptr},
      {"verdicts_that_differ", difference.matchDifferences},
      {"median_linf_a", difference.medianLinfA},
      {"median_linf_b", difference.medianLinfB},
      {"text", inWords(difference, a, b)},
      {"different_origins", differentOrigins(*runA.header, *runB.header)}};
  if (difference.firstDivergentStep)
    summary["first_divergent_step"] = summary["parting"] = *difference.firstDivergentStep;
  std::cout << jsonLine({{"summary", summary}});
}

std::string cellsOf(const StepRecord& step) {
  return "  " + printable(step.tokenText, kTokenColumns) + (step.match ? "✓" : "✗") +
         cell(step.patchedDistance.linf);
}

/// Prints the steps that differ, or with --all every step that both runs have.
void printTable(const Steps& a, const Steps& b, const DiffOptions& options,
                const RunDifference& difference) {
  const std::string gap(kTokenColumns - 7, ' ');
  std::cout << " step    token A" << gap << "        L∞ A    token B" << gap
            << "        L∞ B\n";
  for (std::size_t i = 0; i < difference.commonSteps; ++i) {
    const bool differ = differs(*a[i], *b[i]);
    if (!differ && !options.all) continue;
    std::cout << std::setw(5) << i << (differ ? " ≠" : "  ") << cellsOf(*a[i])
              << cellsOf(*b[i]) << '\n';
  }
}

void printSummary(const StoredRun& a, const StoredRun& b,
                  const RunDifference& difference) {
  const std::vector<std::string> sentences{differentOrigins(*a.header, *b.header),
                                           inWords(difference, a.steps, b.steps)};
  std::cout << wrapped(trimmed(joined(sentences, " ")), 0) << '\n';
  if (difference.commonSteps > 0)
    std::cout << "Median L∞ of the patched pass: A "
              << numberText(difference.medianLinfA, 0) << ", B "
              << numberText(difference.medianLinfB, 0) << '\n';
}

std::vector<std::string> namesOf(const StoredRun& a, const StoredRun& b,
                                 const DiffOptions& options) {
  std::vector<FigureRun> runs{figureRunOf(a, options.a), figureRunOf(b, options.b)};
  nameRuns(runs);
  return {runs[0].name, runs[1].name};
}

int diff(const DiffOptions& options) {
  const StoredRun a = readNotingGaps(options.a), b = readNotingGaps(options.b);
  const RunDifference difference = differenceOf(a.steps, b.steps);
  if (options.json) {
    printJson(a, b, difference);
    return 0;
  }
  const std::vector<std::string> names = namesOf(a, b, options);
  std::cout << "A: " << names[0] << " (" << options.a << ")\nB: " << names[1] << " ("
            << options.b << ")\n";
  const bool someDiffer =
      difference.firstDivergentStep || difference.matchDifferences > 0;
  if (someDiffer || options.all) printTable(a.steps, b.steps, options, difference);
  printSummary(a, b, difference);
  if (!someDiffer && !options.all && difference.commonSteps > 0)
    std::cout << "--all shows every step that both runs have.\n";
  return 0;
}

}  // namespace

void addDiff(CLI::App& program, Action& action) {
  const auto options = std::make_shared<DiffOptions>();
  CLI::App* command =
      program.add_subcommand("diff", "Compare two recorded runs step by step");
  command->add_option("A", options->a, "a run file")->required()->type_name("A.eqrun");
  command->add_option("B", options->b, "another")->required()->type_name("B.eqrun");
  command->add_flag("--all", options->all, "also print the steps that do not differ");
  command->add_flag("--json", options->json,
                    "one JSON object per line, for all steps that both runs have");
  command->callback(
      [options, &action] { action = [options] { return diff(*options); }; });
}

}  // namespace equipatch::cli
