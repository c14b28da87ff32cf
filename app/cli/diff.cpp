// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <filesystem>
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
#include "core/record/context_effect.h"
#include "core/record/export/export_json.h"
#include "core/record/file/run_file.h"
#include "core/record/run_difference.h"

namespace equipatch::cli {
namespace {

constexpr std::size_t kPatchedColumns = 10;

struct DiffOptions {
  std::string a, b;
  bool all = false;
  bool json = false;
};

nlohmann::ordered_json jsonOf(const StepRecord& step) {
  nlohmann::ordered_json side{{"token_id", step.continued.value},
                              // The older name of token_text, kept for scripts.
                              {"token", continuedText(step)},
                              {"match", step.match},
                              {"linf", step.patchedDistance.linf},
                              {"token_text", continuedText(step)},
                              {"patched_token_id", step.patchedToken.value},
                              {"patched_text", step.patchedText}};
  if (step.sampledMatch) side["sampled_match"] = *step.sampledMatch;
  if (step.bareDistance) {
    side["bare_linf"] = step.bareDistance->linf;
    side["bare_kl"] = step.bareDistance->kl;
  }
  if (step.ablatedDistance) {
    side["ablated_linf"] = step.ablatedDistance->linf;
    side["ablated_kl"] = step.ablatedDistance->kl;
  }
  return side;
}

void printJson(const RunPair& runs, const RunDifference& difference) {
  const auto count = static_cast<std::int64_t>(difference.commonSteps);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t step = difference.firstStep + i;
    std::cout << jsonLine({{"step", step},
                           {"a", jsonOf(*runs.a.stepAt(step))},
                           {"b", jsonOf(*runs.b.stepAt(step))}});
  }
  nlohmann::ordered_json summary{{"common", difference.commonSteps},
                                 {"first_divergent_step", nullptr},
                                 {"matches_that_differ", difference.matchDifferences},
                                 // Older names of the two keys above.
                                 {"parting", nullptr},
                                 {"verdicts_that_differ", difference.matchDifferences},
                                 {"median_linf_a", difference.medianLinfA},
                                 {"median_linf_b", difference.medianLinfB},
                                 {"text", inWords(difference, runs)},
                                 {"different_origins", differentOrigins(runs)},
                                 {"begins_a", runs.a.begins},
                                 {"begins_b", runs.b.begins}};
  if (difference.medianBareA) summary["median_bare_linf_a"] = *difference.medianBareA;
  if (difference.medianBareB) summary["median_bare_linf_b"] = *difference.medianBareB;
  if (difference.firstDivergentStep)
    summary["first_divergent_step"] = summary["parting"] = *difference.firstDivergentStep;
  std::cout << jsonLine({{"summary", summary}});
}

/// One run's part of a row. ✓ or ✗ says whether the most likely tokens of the two passes
/// agree; ◆ means that their sampled tokens differ.
std::string cellsOf(const StepRecord* step) {
  constexpr std::size_t kCell =
      2 + kTokenColumns + 2 + kPatchedColumns + 2 + kNumberColumns;
  if (!step) return padded({}, kCell);
  const bool isSampledDifference = step->sampledMatch == false;
  const std::string patched = !step->match && !step->patched.empty()
                                  ? step->patched.front().text
                              : isSampledDifference ? step->patchedText
                                                    : std::string();
  return "  " + printableToken(continuedText(*step), kTokenColumns) +
         (step->match ? "✓" : "✗") + (isSampledDifference ? "◆" : " ") +
         printableToken(patched, kPatchedColumns) + cell(step->patchedDistance.linf);
}

void printTable(const RunPair& runs, const DiffOptions& options) {
  const auto headings = [](const std::string& run) {
    return "  " + padded("token " + run, kTokenColumns) +
           padded("  patched", kPatchedColumns + 2) + heading("L∞ " + run, 4);
  };
  std::cout << padded(" step", 7) << headings("A") << headings("B") << '\n';
  for (std::int64_t step = runs.begin(); step < runs.end(); ++step) {
    const bool differ = runs.differsAt(step);
    if (!differ && !options.all) continue;
    std::cout << std::setw(5) << step << (differ ? " ≠" : "  ")
              << cellsOf(runs.a.stepAt(step)) << cellsOf(runs.b.stepAt(step)) << '\n';
  }
}

bool haveDifferentStep(const RunPair& runs) {
  for (std::int64_t step = runs.begin(); step < runs.end(); ++step)
    if (runs.differsAt(step)) return true;
  return false;
}

void printSummary(const RunPair& runs, const RunDifference& difference) {
  const std::vector<std::string> sentences{differentOrigins(runs),
                                           inWords(difference, runs)};
  std::cout << wrapped(trimmed(joined(sentences, " ")), 0) << '\n';
  if (difference.commonSteps > 0)
    std::cout << wrapped(medianSentence(difference), 0) << '\n';
}

std::vector<std::string> namesOf(const StoredRun& a, const StoredRun& b,
                                 const DiffOptions& options) {
  std::vector<FigureRun> runs{figureRunOf(a, options.a), figureRunOf(b, options.b)};
  nameRuns(runs);
  return {runs[0].name, runs[1].name};
}

std::string fileNameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

int diff(const DiffOptions& options) {
  const StoredRun a = readNotingGaps(options.a), b = readNotingGaps(options.b);
  const RunPair runs = pairOf({a.header.get(), &a.steps, fileNameOf(options.a)},
                              {b.header.get(), &b.steps, fileNameOf(options.b)});
  const RunDifference difference = differenceOf(runs);
  if (options.json) {
    printJson(runs, difference);
    return 0;
  }
  const std::vector<std::string> names = namesOf(a, b, options);
  std::cout << "A: " << withoutControls(names[0] + " (" + options.a + ")")
            << "\nB: " << withoutControls(names[1] + " (" + options.b + ")") << '\n';
  const bool someDiffer = difference.firstDivergentStep || haveDifferentStep(runs);
  if (someDiffer || options.all) printTable(runs, options);
  printSummary(runs, difference);
  if (!someDiffer && !options.all && difference.commonSteps > 0)
    std::cout << "--all shows every step.\n";
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
