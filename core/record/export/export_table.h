// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record/export/output_file.h"
#include "core/record/file/run_file.h"
#include "core/record/file/sql_fields.h"

namespace equipatch {

enum class CellKind { Integer, Real, Text };

template <typename Field>
constexpr CellKind kCellKind = CellKind::Text;
template <>
inline constexpr CellKind kCellKind<bool> = CellKind::Integer;
template <>
inline constexpr CellKind kCellKind<std::optional<bool>> = CellKind::Integer;
template <>
inline constexpr CellKind kCellKind<std::int64_t> = CellKind::Integer;
template <typename Tag>
constexpr CellKind kCellKind<Id<Tag>> = CellKind::Integer;
template <>
inline constexpr CellKind kCellKind<double> = CellKind::Real;
template <typename Distance>
constexpr CellKind kCellKind<DistancePart<Distance>> = CellKind::Real;

/// Numbers in full precision; empty for NULL.
std::string cellText(const SqlValue& cell);

/// A row of an exported table, with the columns of docs/run-files.md.
struct ExportRow {
  std::vector<std::string> names;
  std::vector<CellKind> kinds;
  std::vector<SqlValue> cells;  ///< NULL where the run has no value

  template <typename Field>
  void operator()(const FieldName& name, const Field& field) {
    add(name.text, kCellKind<Field>, toSql(field));
  }
  void add(const std::string& name, CellKind kind, SqlValue cell);
};

ExportRow stepRow(const StepRecord& step);
/// The row has "dw_gate", "dw_rel_gate", … for every matrix that the model's patches
/// change; the cells of a matrix that this layer lacks are NULL.
/// @param layer index in `step.layers`
ExportRow layerRow(const RunHeader& header, const StepRecord& step, std::size_t layer);
ExportRow choiceRow(const StepRecord& step, const std::string& pass, std::size_t rank,
                    const Choice& choice);
/// One column per setting. To hide paths, "model_folder" is the model's name.
ExportRow runRow(const RunHeader& header);

/// Writes a table as CSV in UTF-8. As in OutputFile, the file has a temporary name until
/// `finish`.
class CsvFile {
 public:
  /// @throws Error as OutputFile
  explicit CsvFile(const std::filesystem::path& path) : m_file(path) {}

  /// Writes the headings, unless they are written already.
  void begin(const std::vector<std::string>& columns);
  /// Writes a row and, if none were written, its names as headings.
  /// @param row must have the columns of the headings in their order
  void add(const ExportRow& row);
  void finish() { m_file.finish(); }

 private:
  OutputFile m_file;
  bool m_begun = false;
};

/// Writes run.csv, steps.csv, choices.csv, layers.csv and, if the model's blocks end with
/// a norm scale, scale_delta.csv into the folder, which is created if missing. If blocks
/// end without a norm scale, removes an existing scale_delta.csv. Call requireOwnTables
/// first, because existing tables are replaced.
/// @throws Error as makeFolder and OutputFile
void exportCsv(const StoredRun& run, const std::filesystem::path& folder);

struct NamedRun {
  std::string name;  ///< unique among the exported runs
  StoredRun run;
  std::string file;  ///< name of the run file; a branch has its parent's in `branch_of`
};

/// Writes the same tables for several runs, one run below the other. The first column,
/// "run", is the run's name; run.csv ends with the column "file". If runs differ in their
/// columns (patched matrices, width), a table has the columns of all runs.
/// scale_delta.csv is written if the blocks of at least one model end with a norm scale.
/// @param runs at least one
/// @throws as above
void exportCsv(const std::vector<NamedRun>& runs, const std::filesystem::path& folder);

/// Checks that `exportCsv` would overwrite nothing but its own tables.
/// @throws Error{BadInput} naming a file that something else wrote
void requireOwnTables(const std::filesystem::path& folder);

}  // namespace equipatch
