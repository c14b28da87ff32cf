// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_latex.h"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/run_record.h"
#include "core/record/verdict.h"
#include "core/text/tex_text.h"

namespace equipatch {
namespace {

struct Row {
  std::string name;
  RunSummary summary;
  const RunRequest* request;
  NoiseFloor floor;  ///< of the whole run
};

struct Column {
  const char *quantity, *statistic;         ///< the two lines of the heading
  std::optional<double> (*of)(const Row&);  ///< empty if the run did not measure it
};

std::optional<double> ifMeasured(bool measured, double value) {
  return measured ? std::optional(value) : std::nullopt;
}

constexpr Column kColumns[] = {
    {"L∞", "median",
     [](const Row& row) { return std::optional(row.summary.linfMedian); }},
    {"L∞", "largest", [](const Row& row) { return std::optional(row.summary.linfMax); }},
    {"TVD", "largest", [](const Row& row) { return std::optional(row.summary.tvdMax); }},
    {"bare L∞", "median",
     [](const Row& row) {
       return ifMeasured(row.request->bare, row.summary.bareLinfMedian);
     }},
    {"bare KL", "largest",
     [](const Row& row) { return ifMeasured(row.request->bare, row.summary.bareKlMax); }},
    {"ablated KL", "largest",
     [](const Row& row) {
       return ifMeasured(row.request->runsAblated(), row.summary.ablatedKlMax);
     }},
    {"audit L∞", "largest",
     [](const Row& row) {
       return ifMeasured(row.request->audit, row.summary.auditLinfMax);
     }},
    {"noise floor", "L∞",
     [](const Row& row) { return ifMeasured(row.floor.measured, row.floor.linf); }}};

constexpr const char* kExplanation =
    "% Equal tokens: steps in which the most likely tokens of the contextual and the "
    "patched pass agree.\n"
    "% L_inf: largest difference of the logits from the contextual pass, in logits; TVD: "
    "total variation, 0 to 1;\n"
    "% KL: divergence from the contextual pass, in nats; medians and largest values over "
    "the steps of a run.\n"
    "% Noise floor: the largest L_inf of the contextual pass computed again with sums in "
    "another order or, in\n"
    "% 16-bit dtypes, without rounding of activations.\n"
    "% A table wider than the lines: \\resizebox{\\linewidth}{!}{\\input{table}}, with "
    "\\usepackage{graphicx}.\n";

/// "$2.97\times10^{-4}$"; a number without a power of ten is plain text.
std::string texNumber(double value) {
  const std::string text = typographicText(value);
  const std::size_t power = text.find("×10");
  if (power == std::string::npos) return texText(text);
  const std::string plain = scientificText(value, 2);  // "2.97e-04"
  const int exponent = std::stoi(plain.substr(plain.find('e') + 1));
  return "$" + plain.substr(0, plain.find('e')) + "\\times10^{" +
         std::to_string(exponent) + "}$";
}

/// A TeX comment with a run's settings under the names of run.csv. `inQuotes` shortens
/// long values, because TeX reads a whole line into a buffer of limited size.
std::string settingsLine(const NamedRun& run) {
  const ExportRow row = runRow(*run.run.header);
  std::string line = "% " + run.name + ":";
  for (std::size_t at = 0; at < row.names.size(); ++at) {
    const std::string value = cellText(row.cells[at]);
    if (!value.empty()) line += " " + row.names[at] + "=" + inQuotes(value) + ",";
  }
  line.back() = '.';
  return withoutControls(line) + "\n";
}

std::string cellOf(const Column& column, const Row& row) {
  const auto value = column.of(row);
  return " & " + (value && row.summary.steps > 0 ? texNumber(*value) : std::string("--"));
}

}  // namespace

std::string latexTable(const std::vector<NamedRun>& runs) {
  std::vector<Row> rows;
  for (const NamedRun& run : runs)
    rows.push_back({run.name, summarise(run.run.steps), &run.run.header->request,
                    floorOf(run.run.steps)});
  std::vector<const Column*> columns;
  for (const Column& column : kColumns)
    if (std::ranges::any_of(rows,
                            [&](const Row& row) { return column.of(row).has_value(); }))
      columns.push_back(&column);
  std::string text = std::string(kLatexTable.marker) +
                     " " EQUIPATCH_VERSION ". In the preamble: \\usepackage{booktabs}\n" +
                     kExplanation;
  for (const NamedRun& run : runs) text += settingsLine(run);
  text += std::string(kTexCharacter) + "\\begin{tabular}{lr" +
          std::string(columns.size(), 'r') + "}\n\\toprule\nrun & equal";
  for (const Column* column : columns) text += " & " + texText(column->quantity);
  text += " \\\\\n & tokens";
  for (const Column* column : columns) text += " & " + texText(column->statistic);
  text += " \\\\\n\\midrule\n";
  for (const Row& row : rows) {
    text += texText(withoutControls(row.name)) + " & " +
            std::to_string(row.summary.matches) + " of " +
            std::to_string(row.summary.steps);
    for (const Column* column : columns) text += cellOf(*column, row);
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

void exportLatex(const std::vector<NamedRun>& runs, const std::filesystem::path& path) {
  requireOwnOrAbsent(path, kLatexTable);
  OutputFile file(path);
  file << latexTable(runs);
  file.finish();
}

}  // namespace equipatch
