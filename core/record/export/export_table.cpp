// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_table.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/record/file/run_tables.h"
#include "core/record/verdict.h"

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

std::string quotedCell(const SqlValue& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text ? quoted(*text) : cellText(cell);
}

template <typename Cell, typename Text>
std::string line(const std::vector<Cell>& cells, Text text) {
  std::string joined;
  for (const Cell& cell : cells) joined += text(cell) + ',';
  joined.back() = '\n';
  return joined;
}

}  // namespace

std::string cellText(const SqlValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&cell)) return exactText(*number);
  return {};
}

void ExportRow::add(const std::string& name, CellKind kind, SqlValue cell) {
  names.push_back(name);
  kinds.push_back(kind);
  cells.push_back(std::move(cell));
}

ExportRow stepRow(const StepRecord& step) {
  ExportRow row;
  row("step", step.step);
  stepColumns(row, step);
  // Repeats ids under the names that all outputs share (docs/run-files.md, Names).
  row("token_id", step.token);
  row("patched_token_id", step.patchedToken);
  const auto addTop = [&row](const std::string& pass, const Choices& choices) {
    const Choice* top = choices.empty() ? nullptr : &choices.front();
    row.add(pass + "top_token_id", CellKind::Integer,
            top ? toSql(top->id) : SqlValue(nullptr));
    row.add(pass + "top_token_text", CellKind::Text,
            top ? toSql(top->text) : SqlValue(nullptr));
  };
  addTop("", step.contextual);
  addTop("patched_", step.patched);
  addTop("bare_", step.bare);
  addTop("ablated_", step.ablated);
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
  // Repeats values under the names that all outputs share.
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
  row("absorbed", absorbedText(header.request.absorbed, std::ssize(header.request.prompt),
                               imageTokens(header.request.images)));
  return row;
}

void CsvFile::begin(const std::vector<std::string>& columns) {
  if (!m_begun) m_file << line(columns, quoted);
  m_begun = true;
}

void CsvFile::add(const ExportRow& row) {
  begin(row.names);
  m_file << line(row.cells, quotedCell);
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

/// Earlier versions wrote some tables of a run without steps as empty files.
bool isEmptyFile(const std::filesystem::path& path) {
  std::error_code ignored;
  return isFile(path) && std::filesystem::file_size(path, ignored) == 0;
}

constexpr const char* kRunColumn = "run";

struct ExportedRun {
  const StoredRun& run;
  const NamedRun* named;  ///< null: the tables have no column "run"
};
using ExportedRuns = std::vector<ExportedRun>;

class RunsTable {
 public:
  /// @param samples rows that together have every column of these runs
  RunsTable(const std::filesystem::path& path, const ExportedRuns& runs,
            const std::vector<ExportRow>& samples)
      : m_file(path) {
    for (const ExportRow& sample : samples)
      for (const std::string& name : sample.names)
        if (std::ranges::count(m_columns, name) == 0) m_columns.push_back(name);
    std::vector<std::string> headings = m_columns;
    if (runs.front().named) headings.insert(headings.begin(), kRunColumn);
    m_file.begin(headings);
  }

  void add(const ExportedRun& run, const ExportRow& row) {
    if (!run.named) return m_file.add(row);
    ExportRow whole;
    whole(std::string(kRunColumn), run.named->name);
    for (const std::string& column : m_columns) {
      const auto found = std::ranges::find(row.names, column);
      const auto at = static_cast<std::size_t>(found - row.names.begin());
      if (found == row.names.end())
        whole.add(column, CellKind::Text, nullptr);
      else
        whole.add(column, row.kinds[at], row.cells[at]);
    }
    m_file.add(whole);
  }
  void finish() { m_file.finish(); }

 private:
  CsvFile m_file;
  std::vector<std::string> m_columns;
};

/// Medians and maxima of a run without steps are NULL: 0 would say that the passes agree.
void addSummary(const StoredRun& run, ExportRow& row) {
  const RunSummary summary = summarise(run.steps);
  const RunRequest& request = run.header->request;
  row("matches", summary.matches);
  const auto add = [&](const char* name, bool measured, double value) {
    row.add(name, CellKind::Real,
            measured && summary.steps > 0 ? toSql(value) : SqlValue(nullptr));
  };
  add("linf_median", true, summary.linfMedian);
  add("linf_max", true, summary.linfMax);
  add("tvd_max", true, summary.tvdMax);
  add("bare_linf_median", request.bare, summary.bareLinfMedian);
  add("bare_kl_max", request.bare, summary.bareKlMax);
  add("ablated_kl_max", request.runsAblated(), summary.ablatedKlMax);
  add("audit_linf_max", request.audit, summary.auditLinfMax);
  add("noise_linf_max", request.measureNoise, summary.noiseLinfMax);
  add("rounding_linf_max", summary.hasRounding, summary.roundingLinfMax);
  const NoiseFloor floor = floorOf(run.steps);
  add("noise_floor", floor.measured, floor.linf);
  row.add("worst_verdict", CellKind::Text,
          summary.steps > 0
              ? toSql(std::string(name(worstVerdict(run.steps, request.strength))))
              : SqlValue(nullptr));
}

void writeRuns(const ExportedRuns& runs, const std::filesystem::path& path) {
  std::vector<ExportRow> rows;
  for (const ExportedRun& run : runs) {
    ExportRow& row = rows.emplace_back(runRow(*run.run.header));
    row("steps_taken", number(run.run.steps.size()));
    addSummary(run.run, row);
    if (run.named) row("file", run.named->file);
  }
  RunsTable table(path, runs, rows);
  for (std::size_t i = 0; i < runs.size(); ++i) table.add(runs[i], rows[i]);
  table.finish();
}

void writeSteps(const ExportedRuns& runs, const std::filesystem::path& path) {
  const auto rowOf = [](const StepRecord& step, const NoiseFloor& floor,
                        const PatchStrength& strength) {
    ExportRow row = stepRow(step);
    row("verdict", std::string(name(judge(step, floor, strength).kind)));
    return row;
  };
  RunsTable table(path, runs, {rowOf(StepRecord(), {}, {})});
  for (const ExportedRun& run : runs) {
    const NoiseFloor floor = floorOf(run.run.steps);
    for (const auto& step : run.run.steps)
      table.add(run, rowOf(*step, floor, run.run.header->request.strength));
  }
  table.finish();
}

void writeChoices(const ExportedRuns& runs, const std::filesystem::path& path) {
  RunsTable table(path, runs, {choiceRow(StepRecord(), {}, 0, Choice())});
  for (const ExportedRun& run : runs)
    for (const auto& step : run.run.steps) {
      const auto addPass = [&](const std::string& pass, const Choices& list) {
        for (std::size_t rank = 0; rank < list.size(); ++rank)
          table.add(run, choiceRow(*step, pass, rank, list[rank]));
      };
      addPass("contextual", step->contextual);
      addPass("patched", step->patched);
      addPass("bare", step->bare);
      addPass("ablated", step->ablated);
    }
  table.finish();
}

void writeLayers(const ExportedRuns& runs, const std::filesystem::path& path) {
  StepRecord one;
  one.layers.resize(1);
  std::vector<ExportRow> samples;
  for (const ExportedRun& run : runs)
    samples.push_back(layerRow(*run.run.header, one, 0));
  RunsTable table(path, runs, samples);
  for (const ExportedRun& run : runs)
    for (const auto& step : run.run.steps)
      for (std::size_t layer = 0; layer < step->layers.size(); ++layer)
        table.add(run, layerRow(*run.run.header, *step, layer));
  table.finish();
}

void writeScaleDeltas(const ExportedRuns& runs, const std::filesystem::path& path) {
  std::int64_t width = 0;
  for (const ExportedRun& run : runs) width = std::max(width, run.run.header->width);
  OutputFile file(path);
  if (runs.front().named) file << std::string(kRunColumn) + ',';
  file << "step,layer";
  for (std::int64_t channel = 0; channel < width; ++channel)
    file << ",channel_" + std::to_string(channel);
  file << "\n";
  for (const ExportedRun& run : runs)
    for (const auto& step : run.run.steps)
      for (std::size_t layer = 0; layer < step->layers.size(); ++layer) {
        const auto& deltas = step->layers[layer].scaleDelta;
        if (deltas.empty()) continue;
        std::string line = run.named ? quoted(run.named->name) + ',' : std::string();
        line += std::to_string(step->step.value) + ',' + std::to_string(layer);
        for (const float delta : deltas) line += ',' + exactText(delta);
        line.append(
            std::max(static_cast<std::size_t>(width), deltas.size()) - deltas.size(),
            ',');
        file << line + '\n';
      }
  file.finish();
}

/// Removes the table of an earlier export, which would seem to belong to these runs.
void removeScaleDeltas(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::remove(path, problem);
  if (problem)
    throw Error(ErrorKind::Resource,
                path.string() + ": the table of an earlier export cannot be removed (" +
                    problem.message() + "); choose another folder");
}

void writeTables(const ExportedRuns& runs, const std::filesystem::path& folder) {
  makeFolder(folder);
  writeRuns(runs, folder / "run.csv");
  writeSteps(runs, folder / "steps.csv");
  writeChoices(runs, folder / "choices.csv");
  writeLayers(runs, folder / "layers.csv");
  const auto closesWithScale = [](const ExportedRun& run) {
    return run.run.header->closesWithScale;
  };
  if (std::ranges::any_of(runs, closesWithScale))
    writeScaleDeltas(runs, folder / "scale_delta.csv");
  else
    removeScaleDeltas(folder / "scale_delta.csv");
}

}  // namespace

void exportCsv(const StoredRun& run, const std::filesystem::path& folder) {
  writeTables({{run, nullptr}}, folder);
}

void exportCsv(const std::vector<NamedRun>& runs, const std::filesystem::path& folder) {
  ExportedRuns all;
  for (const NamedRun& run : runs) all.push_back({run.run, &run});
  writeTables(all, folder);
}

void requireOwnTables(const std::filesystem::path& folder) {
  for (const Table& table : kTables)
    if (!isEmptyFile(folder / table.name))
      requireOwnOrAbsent(folder / table.name, {table.beginning, "a table of a run"});
}

}  // namespace equipatch
