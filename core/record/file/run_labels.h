// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

class SqlDatabase;

/// A user's labels of a recorded run, from the run file's table "labels" (key → value).
struct RunLabels {
  std::string name;  ///< empty: a name is made of the run's settings
  std::string notes;
  std::vector<std::string> tags;  ///< sorted, each once, without commas

  bool operator==(const RunLabels&) const = default;
  bool empty() const { return *this == RunLabels(); }
};

/// New labels of a run; those without a value stay unchanged.
struct LabelChange {
  std::optional<std::string> name = {}, notes = {};
  std::optional<std::vector<std::string>> tags = {};

  RunLabels appliedTo(RunLabels labels) const;
};

/// Splits a text such as "a, b" at commas. The tags are trimmed, sorted and unique.
std::vector<std::string> parseTags(const std::string& text);

/// @returns no labels if the file has no table "labels"
/// @throws Error{BadInput} when the table's columns or values have an unexpected form.
RunLabels readLabels(const SqlDatabase& database);

/// Replaces all labels; may be called inside a transaction.
/// @throws Error{BadInput} when a label is too long; as SqlDatabase::execute
void writeLabels(const SqlDatabase& database, const RunLabels& labels);

/// Replaces all labels in a run file, which this program must not be recording.
/// @throws Error{BadInput} when a label is too long, the file is not a run file, or
/// another program is recording into it; Error{Unsupported} for a newer format;
/// Error{Resource} when the file cannot be written.
void saveLabels(const std::filesystem::path& path, const RunLabels& labels);
/// Replaces only the labels that `change` has; otherwise as saveLabels.
void changeLabels(const std::filesystem::path& path, const LabelChange& change);

/// @returns no labels if they cannot be read
RunLabels labelsIn(const std::filesystem::path& path);

}  // namespace equipatch
