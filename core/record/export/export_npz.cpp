// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <limits>
#include <string_view>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/base/write_failure.h"
#include "core/record/export/export_json.h"
#include "core/record/export/export_table.h"

namespace equipatch {
namespace {

using Shape = std::vector<std::int64_t>;

template <typename Number>
constexpr const char* kNumpyType = nullptr;
template <>
constexpr const char* kNumpyType<float> = "<f4";
template <>
constexpr const char* kNumpyType<double> = "<f8";
template <>
constexpr const char* kNumpyType<std::int64_t> = "<i8";

/// A file in version 1.0 of NumPy's .npy format.
/// @param type in NumPy's notation, such as "<f4"
std::string npy(const std::string& type, const Shape& shape, std::string_view elements) {
  constexpr std::size_t kAlignment = 64, kBeforeHeader = 10;
  std::string extents;
  for (const std::int64_t extent : shape) extents += std::to_string(extent) + ", ";
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + extents + "), }";
  while ((kBeforeHeader + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  return bytes.append(elements);
}

/// A zip archive of arrays. Only `finish` writes it.
class NpzFile {
 public:
  explicit NpzFile(const std::filesystem::path& path) : m_path(path) {
    refusePipeOrDevice(path);
    int code = 0;
    m_archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (m_archive) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(reason);
  }
  ~NpzFile() {
    if (m_archive) zip_discard(m_archive);
  }
  NpzFile(const NpzFile&) = delete;
  NpzFile& operator=(const NpzFile&) = delete;

  template <typename Number>
  void add(const std::string& name, const Shape& shape,
           const std::vector<Number>& numbers) {
    addArray(name, npy(kNumpyType<Number>, shape,
                       {reinterpret_cast<const char*>(numbers.data()),
                        numbers.size() * sizeof(Number)}));
  }

  /// Adds the text's bytes as an array without dimensions.
  void addText(const std::string& name, const std::string& text) {
    addArray(name, npy("|S" + std::to_string(text.size()), {}, text));
  }

  void finish() {
    if (zip_close(m_archive) != 0) {
      const int code = zip_error_code_system(zip_get_error(m_archive));
      // writeFailed would suggest making room, which does not help here.
      if (code == ENOENT || code == EACCES) throw unwritable(m_path, code);
      fail(zip_strerror(m_archive), code);
    }
    m_archive = nullptr;
  }

 private:
  void addArray(const std::string& name, std::string array) {
    const std::string& bytes = m_entries.emplace_back(std::move(array));
    zip_source_t* source = zip_source_buffer(m_archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(m_archive, (name + ".npy").c_str(), source,
                                           ZIP_FL_ENC_UTF_8 | ZIP_FL_OVERWRITE);
    if (index < 0) {
      zip_source_free(source);
      fail(zip_strerror(m_archive));
    }
    const auto entry = static_cast<zip_uint64_t>(index);
    zip_set_file_compression(m_archive, entry, ZIP_CM_STORE, 0);
    // A fixed date makes exports reproducible: the first day of the zip format.
    constexpr zip_uint16_t kFirstDay = 0x21;
    zip_file_set_dostime(m_archive, entry, 0, kFirstDay, 0);
  }

  [[noreturn]] void fail(const std::string& reason, int systemError = 0) const {
    throw writeFailed(m_path, "the file cannot be written", reason, systemError);
  }

  std::filesystem::path m_path;
  zip_t* m_archive = nullptr;
  std::deque<std::string> m_entries;  // deque: zip_close reads from these addresses
};

double realOf(const SqlValue& cell) {
  const auto* number = std::get_if<double>(&cell);
  return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t integerOf(const SqlValue& cell) {
  const auto* number = std::get_if<std::int64_t>(&cell);
  return number ? *number : -1;
}

/// Adds each column of numbers as an array of `shape`.
/// @param sample has the names and kinds of the columns, because `rows` may be empty
void addColumns(NpzFile& file, const std::string& prefix, const ExportRow& sample,
                const std::vector<ExportRow>& rows, const Shape& shape) {
  for (std::size_t column = 0; column < sample.names.size(); ++column) {
    const std::string name = prefix + sample.names[column];
    const auto gather = [&](auto numberOf) {
      std::vector<decltype(numberOf(SqlValue()))> numbers;
      for (const ExportRow& row : rows) numbers.push_back(numberOf(row.cells[column]));
      return numbers;
    };
    if (sample.kinds[column] == CellKind::Real) file.add(name, shape, gather(realOf));
    if (sample.kinds[column] == CellKind::Integer)
      file.add(name, shape, gather(integerOf));
  }
}

void addSteps(NpzFile& file, const StoredRun& run) {
  std::vector<ExportRow> rows;
  for (const auto& step : run.steps) rows.push_back(stepRow(*step));
  addColumns(file, "", stepRow(StepRecord()), rows, {std::ssize(rows)});
}

void addLayers(NpzFile& file, const StoredRun& run) {
  std::vector<ExportRow> rows;
  for (const auto& step : run.steps)
    for (std::size_t layer = 0; layer < step->layers.size(); ++layer)
      rows.push_back(layerRow(*run.header, *step, layer));
  StepRecord one;
  one.layers.resize(1);
  addColumns(file, "layer_", layerRow(*run.header, one, 0), rows,
             {std::ssize(run.steps), run.header->layers});
}

/// Refuses a run that lacks too many Δm: for each, the array would store a row of NaN.
void requireFewAbsentDeltas(const StoredRun& run) {
  constexpr std::int64_t kMostAbsent = std::int64_t{1} << 28;  // 1 GiB of NaN
  std::int64_t absent = 0;
  for (const auto& step : run.steps)
    absent += std::ranges::count_if(
        step->layers, [](const LayerRecord& layer) { return layer.scaleDelta.empty(); });
  if (run.header->width > 0 && absent > kMostAbsent / run.header->width)
    throw unsupported("the run lacks the change of scale of " + std::to_string(absent) +
                      " layers, counted over all steps, and an array of " +
                      std::to_string(run.header->width) +
                      " channels would be filled with gaps; export its tables as CSV");
}

void addScaleDeltas(NpzFile& file, const StoredRun& run) {
  requireFewAbsentDeltas(run);
  const auto width = static_cast<std::size_t>(run.header->width);
  std::vector<float> numbers;
  for (const auto& step : run.steps)
    for (const LayerRecord& layer : step->layers) {
      std::vector<float> delta = layer.scaleDelta;
      delta.resize(width, std::numeric_limits<float>::quiet_NaN());
      numbers.insert(numbers.end(), delta.begin(), delta.end());
    }
  file.add("scale_delta", {std::ssize(run.steps), run.header->layers, run.header->width},
           numbers);
}

/// The largest number of candidates of any step.
/// @throws Error{Unsupported} if an array with this many places for each step would have
/// too many empty ones.
std::size_t mostChoices(const StoredRun& run, const std::string& pass,
                        Choices StepRecord::*choices) {
  constexpr std::size_t kFewAbsent = std::size_t{1} << 20;  // 24 MiB of gaps
  std::size_t most = 0;
  std::size_t present = 0;
  for (const auto& step : run.steps) {
    most = std::max(most, ((*step).*choices).size());
    present += ((*step).*choices).size();
  }
  const std::size_t allowed = kFewAbsent + 2 * present;
  if (most > 0 && run.steps.size() > allowed / most)
    throw unsupported("the run has " + std::to_string(present) + " candidates of the " +
                      pass + " pass, up to " + std::to_string(most) +
                      " a step, and an array of " + std::to_string(run.steps.size()) +
                      " steps would be filled with gaps; export its tables as CSV");
  return most;
}

void addChoices(NpzFile& file, const StoredRun& run, const std::string& pass,
                Choices StepRecord::*choices) {
  const std::size_t most = mostChoices(run, pass, choices);
  std::vector<std::int64_t> ids;
  std::vector<double> logits, probabilities;
  for (const auto& step : run.steps) {
    constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
    Choices padded = (*step).*choices;
    padded.resize(most, {TokenId(-1), {}, kAbsent, kAbsent});
    for (const Choice& choice : padded) {
      ids.push_back(choice.id.value);
      logits.push_back(choice.logit);
      probabilities.push_back(choice.probability);
    }
  }
  const Shape shape{std::ssize(run.steps), static_cast<std::int64_t>(most)};
  file.add(pass + "_id", shape, ids);
  file.add(pass + "_logit", shape, logits);
  file.add(pass + "_probability", shape, probabilities);
}

}  // namespace

void exportNpz(const StoredRun& run, const std::filesystem::path& path) {
  NpzFile file(path);
  addSteps(file, run);
  addLayers(file, run);
  if (run.header->closesWithScale) addScaleDeltas(file, run);
  addChoices(file, run, "contextual", &StepRecord::contextual);
  addChoices(file, run, "patched", &StepRecord::patched);
  addChoices(file, run, "bare", &StepRecord::bare);
  if (run.header->request.runsAblated())
    addChoices(file, run, "ablated", &StepRecord::ablated);
  std::vector<std::int64_t> ids;
  for (const Token& token : run.header->request.prompt) ids.push_back(token.id.value);
  file.add("prompt_ids", {std::ssize(ids)}, ids);
  file.addText("run_json", trimmed(jsonLine(runSettings(*run.header))));
  file.finish();
}

}  // namespace equipatch
