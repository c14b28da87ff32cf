// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_labels.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostNameBytes = 500;
constexpr std::size_t kMostTagBytes = 2'000;  // of all tags
constexpr std::size_t kLongestNotes = 100'000;

const RunTable& labelTable() {
  static const RunTable table{"labels", {"key"}, {"value"}};
  return table;
}

void requireShort(const char* what, const std::string& text, std::size_t most) {
  if (text.size() > most)
    throw badInput(std::string(what) + " have " + std::to_string(text.size()) +
                   " bytes, expected at most " + std::to_string(most) +
                   "; shorten the text");
}

using Values = std::map<std::string, std::string>;  // by key

Values valuesOf(const RunLabels& labels) {
  const std::string tags = joined(labels.tags, ",");
  requireShort("the name's letters", labels.name, kMostNameBytes);
  requireShort("the tags", tags, kMostTagBytes);
  requireShort("the notes", labels.notes, kLongestNotes);
  return {{"name", labels.name}, {"notes", labels.notes}, {"tags", tags}};
}

/// An empty value removes its key. Keys that `values` lacks, such as those of later
/// versions, stay.
void replaceValues(const SqlDatabase& database, const Values& values) {
  if (!labelTable().isIn(database)) database.execute(labelTable().createSql());
  labelTable().in(database);
  SqlStatement remove = database.prepare("DELETE FROM labels WHERE key = ?");
  SqlStatement insert = database.prepare(labelTable().insertSql());
  for (const auto& [key, value] : values) {
    bindKeys(remove, key);
    remove.run();
    if (value.empty()) continue;
    bindKeys(insert, key, value);
    insert.run();
  }
}

void replaceValues(const std::filesystem::path& path, const Values& values) {
  // Call isHeld before openToChange: later, isHeld would drop SQLite's locks on the file.
  if (isFile(path) && FileClaim::isHeld(path))
    throw badInput(path.string() + " is being recorded; label it after its end");
  const auto database = SqlDatabase::openToChange(path);
  checkTables(*database);
  database->execute("BEGIN IMMEDIATE");
  replaceValues(*database, values);
  database->execute("COMMIT");
}

}  // namespace

RunLabels LabelChange::appliedTo(RunLabels labels) const {
  if (name) labels.name = *name;
  if (notes) labels.notes = *notes;
  if (tags) labels.tags = *tags;
  return labels;
}

std::vector<std::string> parseTags(const std::string& text) {
  std::set<std::string> tags;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (std::string tag = trimmed(std::string_view(text).substr(begin, end - begin));
        !tag.empty())
      tags.insert(std::move(tag));
    begin = end + 1;
  }
  return {tags.begin(), tags.end()};
}

RunLabels readLabels(const SqlDatabase& database) {
  RunLabels labels;
  if (!labelTable().isIn(database)) return labels;
  SqlStatement select = database.prepare(labelTable().in(database).selectSql(0));
  for (Rows rows(select); rows.next();) {
    const SqlValue keyCell = select.value(0), valueCell = select.value(1);
    std::string key, value;
    try {
      fromSql(keyCell, key);
      fromSql(valueCell, value);
    } catch (const Error& error) {
      throw database.damaged(error.within("table \"labels\""));
    }
    value = replaceInvalidUtf8(value);
    if (key == "name") labels.name = cutUtf8(value, kMostNameBytes);
    if (key == "notes") labels.notes = cutUtf8(value, kLongestNotes);
    if (key == "tags")
      labels.tags = parseTags(std::string(cutUtf8(value, kMostTagBytes)));
  }
  return labels;
}

void writeLabels(const SqlDatabase& database, const RunLabels& labels) {
  replaceValues(database, valuesOf(labels));
}

void saveLabels(const std::filesystem::path& path, const RunLabels& labels) {
  replaceValues(path, valuesOf(labels));
}

void changeLabels(const std::filesystem::path& path, const LabelChange& change) {
  Values values = valuesOf(change.appliedTo({}));
  if (!change.name) values.erase("name");
  if (!change.notes) values.erase("notes");
  if (!change.tags) values.erase("tags");
  replaceValues(path, values);
}

RunLabels labelsIn(const std::filesystem::path& path) {
  try {
    const auto database = SqlDatabase::openUntrusted(path);
    checkTables(*database);
    return readLabels(*database);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace equipatch
