#include "core/record/export_csv.h"

#include <array>
#include <charconv>

#include "core/base/utf8.h"
#include "core/record/export_columns.h"
#include "core/record/output_file.h"

namespace equipatch {
namespace {

/// The shortest text that reads back as the same number.
template <typename Number>
std::string numberText(Number number) {
  std::array<char, 32> text{};
  const auto [end, problem] =
      std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
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
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return numberText(*number);
  if (const auto* number = std::get_if<double>(&cell)) return numberText(*number);
  return {};
}

/// A file whose headings are those of its first row.
class CsvFile {
 public:
  explicit CsvFile(const std::filesystem::path& path) : m_file(path) {}

  void add(const ExportRow& row) {
    if (!m_begun) m_file << line(row.names, quoted);
    m_begun = true;
    m_file << line(row.cells, cellText);
  }
  void finish() { m_file.finish(); }

 private:
  template <typename Cell, typename Text>
  static std::string line(const std::vector<Cell>& cells, Text text) {
    std::string joined;
    for (const Cell& cell : cells) joined += text(cell) + ',';
    joined.back() = '\n';
    return joined;
  }

  OutputFile m_file;
  bool m_begun = false;
};

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
      std::string line = numberText(step->step.value) + ',' + numberText(layer);
      for (const float delta : step->layers[layer].scaleDelta)
        line += ',' + numberText(delta);
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

}  // namespace equipatch
