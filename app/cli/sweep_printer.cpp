#include "app/cli/sweep_printer.h"

#include <algorithm>
#include <ostream>

#include "app/cli/printable.h"
#include "app/cli/table_cell.h"
#include "core/base/number_format.h"
#include "core/record/export/export_json.h"

namespace equipatch::cli {

namespace {

constexpr std::size_t kPointColumns = 37;  // "bfloat16 balanced closed materialised"

std::string percent(double number) {
  return fixedText(number, 2) + " %";
}

std::string padded(const std::string& text) {
  return text + std::string(kPointColumns - std::min(kPointColumns, text.size()), ' ');
}

}  // namespace

void printTable(const std::vector<SweepRow>& rows, std::ostream& out) {
  out << padded("") << heading("cells", 5) << heading("steps", 5) << heading("match", 5)
      << heading("L∞ median", 9) << heading("95 %", 4) << heading("largest", 7)
      << heading("TVD max", 7) << heading("bare L∞", 7) << "  worst verdict\n";
  for (const SweepRow& row : rows)
    out << padded(pointText(row.point))
        << cell(std::to_string(row.cells) + "/" + std::to_string(row.planned))
        << cell(std::to_string(row.steps)) << cell(percent(row.matchPercent()))
        << cell(row.linfMedian) << cell(row.linf95) << cell(row.linfMax)
        << cell(row.tvdMax) << cell(row.bareLinfMedian) << "  "
        << (row.cells > 0 ? spelled(row.worst) : "") << '\n';
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

}  // namespace equipatch::cli
