// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

class SqlDatabase;

/// A user's labels of a recorded run. The run file keeps them in the table "labels" (key
/// → value), which older programs ignore.
struct RunLabels {
  std::string name;               ///< shown instead of a name made of the run's settings
  std::string notes;              ///< any text
  std::vector<std::string> tags;  ///< sorted, each once, without commas

  bool operator==(const RunLabels&) const = default;
  bool empty() const { return *this == RunLabels(); }
};

/// New labels of a run; absent ones stay as they are in the run file.
struct LabelChange {
  std::optional<std::string> name = {}, notes = {};
  std::optional<std::vector<std::string>> tags = {};

  RunLabels appliedTo(RunLabels labels) const;
};

/// Splits a text such as "a, b" into tags, sorted, each once, without spaces around them.
std::vector<std::string> parseTags(const std::string& text);

/// @returns the labels in an open run file; none if it has no table "labels"
/// @throws Error{BadInput} naming the file when that table has another form than this
/// program gives it.
RunLabels readLabels(const SqlDatabase& database);

/// Replaces the labels in an open run file; the caller may have begun a transaction.
/// @throws Error{BadInput} when a label is too long; as SqlDatabase::execute
void writeLabels(const SqlDatabase& database, const RunLabels& labels);

/// Replaces the labels in a run file, which this program must not be recording;
/// everything else in it stays.
/// @throws Error{BadInput} when a label is too long, the file is not a run file or is
/// being recorded by another program; Error{Unsupported} when a newer version wrote it;
/// Error{Resource} when it cannot be written.
void saveLabels(const std::filesystem::path& path, const RunLabels& labels);
/// Replaces only the labels that the change has. @throws as saveLabels
void changeLabels(const std::filesystem::path& path, const LabelChange& change);

/// The labels in a run file; none where they cannot be read.
RunLabels labelsIn(const std::filesystem::path& path);

}  // namespace equipatch
