// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_csv.h"

#include <system_error>

#include "core/base/paths.h"
#include "core/record/export/export_table.h"
#include "core/record/export/output_file.h"

namespace equipatch {
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
