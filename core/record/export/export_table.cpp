// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_table.h"

#include <system_error>
#include <vector>

#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

std::int64_t number(std::size_t index) {
  return static_cast<std::int64_t>(index);
}

std::string quoted(const std::string& text) {
  const std::string valid = replaceInvalidUtf8(text);
  if (valid.find_first_of(",\"\r\n") == std::string::npos) return valid;
  std::string result = "\"";
  for (const char letter : valid)
    result += letter == '"' ? "\"\"" : std::string(1, letter);
  return result + '"';
}

std::string cellText(const SqlValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&cell)) return exactText(*number);
  return {};
}

template <typename Cell, typename Text>
std::string line(const std::vector<Cell>& cells, Text text) {
  std::string joined;
  for (const Cell& cell : cells) joined += text(cell) + ',';
  joined.back() = '\n';
  return joined;
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
  // The names common to all outputs (docs/run-files.md, Names).
  row("token_id", step.token);
  row("patched_token_id", step.patchedToken);
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
  // The names common to all outputs.
  row("dscale_norm", layer.scaleNorm);
  row("dscale_max", layer.scaleMax);
  row("dbias_norm", layer.biasNorm);
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
  RunHeader shared = header;
  shared.modelFolder = shared.modelName;
  ExportRow row;
  headerFields(row, shared);
  row("absorbed",
      absorbedText(header.request.absorbed, std::ssize(header.request.prompt),
                   imageTokens(header.request.images)));
  return row;
}

std::string csvNumber(float number) {
  return exactText(number);
}

void CsvFile::add(const ExportRow& row) {
  if (!m_begun) m_file << line(row.names, quoted);
  m_begun = true;
  m_file << line(row.cells, cellText);
}

namespace {

struct Table {
  const char* name;
  const char* beginning;
};

constexpr Table kTables[] = {{"run.csv", "model_name,model_folder,"},
                             {"steps.csv", "step,position,"},
                             {"choices.csv", "step,pass,rank,"},
                             {"layers.csv", "step,layer,scale_norm,"},
                             {"scale_delta.csv", "step,layer,channel_"}};

/// Tables of a run without steps are empty files.
bool isEmptyFile(const std::filesystem::path& path) {
  std::error_code ignored;
  return isFile(path) && std::filesystem::file_size(path, ignored) == 0;
}

void writeSteps(const StoredRun& run, const std::filesystem::path& folder) {
  CsvFile steps(folder / "steps.csv"), choices(folder / "choices.csv");
  for (const auto& step : run.steps) {
    steps.add(stepRow(*step));
    const auto addPass = [&](const std::string& pass, const Choices& list) {
      for (std::size_t rank = 0; rank < list.size(); ++rank)
        choices.add(choiceRow(*step, pass, rank, list[rank]));
    };
    addPass("contextual", step->contextual);
    addPass("patched", step->patched);
    addPass("bare", step->bare);
  }
  steps.finish();
  choices.finish();
}

void writeLayers(const StoredRun& run, const std::filesystem::path& folder) {
  CsvFile layers(folder / "layers.csv");
  for (const auto& step : run.steps)
    for (std::size_t layer = 0; layer < step->layers.size(); ++layer)
      layers.add(layerRow(*run.header, *step, layer));
  layers.finish();
}

/// step, layer, then Δm of each channel.
void writeScaleDeltas(const StoredRun& run, const std::filesystem::path& folder) {
  OutputFile file(folder / "scale_delta.csv");
  file << "step,layer";
  for (std::int64_t channel = 0; channel < run.header->width; ++channel)
    file << ",channel_" + std::to_string(channel);
  file << "\n";
  for (const auto& step : run.steps)
    for (std::size_t layer = 0; layer < step->layers.size(); ++layer) {
      if (step->layers[layer].scaleDelta.empty()) continue;
      std::string line = std::to_string(step->step.value) + ',' + std::to_string(layer);
      for (const float delta : step->layers[layer].scaleDelta)
        line += ',' + csvNumber(delta);
      file << line + '\n';
    }
  file.finish();
}

}  // namespace

void exportCsv(const StoredRun& run, const std::filesystem::path& folder) {
  makeFolder(folder);
  CsvFile settings(folder / "run.csv");
  settings.add(runRow(*run.header));
  settings.finish();
  writeSteps(run, folder);
  writeLayers(run, folder);
  if (run.header->closesWithScale) writeScaleDeltas(run, folder);
}

void requireOwnTables(const std::filesystem::path& folder) {
  for (const Table& table : kTables)
    if (!isEmptyFile(folder / table.name))
      requireOwnOrAbsent(folder / table.name, {table.beginning, "a table of a run"});
}

}  // namespace equipatch
