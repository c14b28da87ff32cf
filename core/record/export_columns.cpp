#include "core/record/export_columns.h"

#include "core/record/run_tables.h"

namespace equipatch {
namespace {

std::int64_t number(std::size_t index) {
  return static_cast<std::int64_t>(index);
}

}  // namespace

void ExportRow::add(const std::string& name, CellKind kind, SqlValue cell) {
  names.push_back(name);
  kinds.push_back(kind);
  cells.push_back(std::move(cell));
}

ExportRow stepRow(const StepRecord& step) {
  ExportRow row;
  row("step", step.step);
  stepColumns(row, step);
  return row;
}

ExportRow layerRow(const RunHeader& header, const StepRecord& step, std::size_t index) {
  const LayerRecord& layer = step.layers.at(index);
  ExportRow row;
  row("step", step.step);
  row("layer", number(index));
  layerColumns(row, layer);
  const auto orNull = [&](const std::string& name, const double* cell) {
    row.add(name, CellKind::Real, cell ? toSql(*cell) : SqlValue(nullptr));
  };
  for (const std::string& matrix : header.patchedMatrices) {
    const MatrixPatchNorm* norm = layer.find(matrix);
    orNull("dw_" + matrix, norm ? &norm->norm : nullptr);
    orNull("dw_rel_" + matrix, norm ? &norm->relative : nullptr);
  }
  orNull("noise", step.layerNoise.empty() ? nullptr : &step.layerNoise.at(index));
  orNull("rounding",
         step.layerRounding.empty() ? nullptr : &step.layerRounding.at(index));
  return row;
}

ExportRow choiceRow(const StepRecord& step, const std::string& pass, std::size_t rank,
                    const Choice& choice) {
  ExportRow row;
  row("step", step.step);
  row("pass", pass);
  row("rank", number(rank));
  choiceColumns(row, choice);
  return row;
}

ExportRow runRow(const RunHeader& header) {
  RunHeader told = header;
  told.modelFolder = told.modelName;
  ExportRow row;
  headerFields(row, told);
  return row;
}

}  // namespace equipatch
