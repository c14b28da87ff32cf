// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_schema.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/strings.h"
#include "core/record/file/newer_format.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

/// Collects column names.
struct ColumnNames {
  RunTable& table;
  template <typename Field>
  void operator()(const FieldName& name, const Field&) {
    table.columns.push_back(name.text);
    if (name.isAdded) table.added.push_back(name.text);
  }
};

template <typename Record, typename Columns>
RunTable tableOf(std::string name, std::vector<std::string> keys, Columns columns) {
  RunTable table{std::move(name), std::move(keys), {}};
  ColumnNames names{table};
  Record record;
  columns(names, record);
  return table;
}

std::vector<std::string> together(std::vector<std::string> first,
                                  const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

RunSchema makeSchema() {
  const auto tokens = [](auto& at, Token& token) { tokenColumns(at, token); };
  const auto files = [](auto& at, TensorFileHash& file) { tensorFileColumns(at, file); };
  const auto parameters = [](auto& at, PatchedParameter& parameter) {
    parameterColumns(at, parameter);
  };
  const auto steps = [](auto& at, StepRecord& step) { stepColumns(at, step); };
  const auto choices = [](auto& at, Choice& choice) { choiceColumns(at, choice); };
  const auto layers = [](auto& at, LayerRecord& layer) { layerColumns(at, layer); };
  const auto matrices = [](auto& at, MatrixPatchNorm& norm) { matrixColumns(at, norm); };
  const auto continuations = [](auto& at, Continuation& continuation) {
    continuationColumns(at, continuation);
  };
  RunTable continued = tableOf<Continuation>("continuations", {"number"}, continuations);
  continued.isAdded = true;
  return {
      .manifest = {"manifest", {"key"}, {"value"}},
      .prompt = tableOf<Token>("prompt", {"position"}, tokens),
      .tensorFiles = tableOf<TensorFileHash>("tensor_files", {"number"}, files),
      .parameters = tableOf<PatchedParameter>("parameters", {"number"}, parameters),
      .steps = tableOf<StepRecord>("steps", {"step"}, steps),
      .choices = tableOf<Choice>("choices", {"step", "pass", "rank"}, choices),
      .layers = tableOf<LayerRecord>("layers", {"step", "layer"}, layers),
      .matrices =
          tableOf<MatrixPatchNorm>("matrices", {"step", "layer", "number"}, matrices),
      .images = {"images",
                 {"number"},
                 {"name", "sha256", "first_position", "last_position", "picture"},
                 {},
                 true},
      .continuations = std::move(continued),
      .digests = {"digests", {"step"}, {"record", "factors"}, {}, true},
      .vectors = {
          "vectors", {"step", "kind", "layer", "number"}, {"weight", "dtype", "data"}}};
}

/// The version of the program that wrote a file of another format; empty if unknown.
std::string writerOf(const SqlDatabase& database) {
  std::string version;
  try {
    SqlStatement select =
        database.prepare("SELECT value FROM manifest WHERE key = 'program_version'");
    if (Rows rows(select); rows.next()) fromSql(select.value(0), version);
  } catch (const Error&) {
    // Another format may have no such manifest.
  }
  return version;
}

void checkIdentity(const SqlDatabase& database) {
  const std::string name = database.path().string();
  const std::int64_t id = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (id != kRunFileId)
    throw badInput(name + ": a database, but not a run file of Equipatch");
  if (version > kRunFileVersion)
    throw newerFormat(name, writerOf(database), version, kRunFileVersion);
  if (version != kRunFileVersion)
    throw database.damaged(badInput("its format is " + std::to_string(version) +
                                    ", expected " + std::to_string(kRunFileVersion)));
}

}  // namespace

std::string RunTable::createSql() const {
  return "CREATE TABLE " + name + " (" + joined(together(keys, columns)) +
         ", PRIMARY KEY (" + joined(keys) + ")) WITHOUT ROWID";
}

std::string RunTable::insertSql() const {
  const std::vector<std::string> marks(keys.size() + columns.size(), "?");
  return "INSERT INTO " + name + " VALUES (" + joined(marks) + ")";
}

std::string RunTable::selectSql(std::size_t given) const {
  const std::vector<std::string> others(keys.begin() + std::ptrdiff_t(given), keys.end());
  std::string sql = "SELECT " + joined(together(others, columns)) + " FROM " + name;
  for (std::size_t key = 0; key < given; ++key)
    sql += (key == 0 ? " WHERE " : " AND ") + keys[key] + " = ?";
  if (!others.empty()) sql += " ORDER BY " + joined(others);
  return sql;
}

std::vector<const RunTable*> RunSchema::all() const {
  return {&manifest, &prompt,   &tensorFiles, &parameters,    &steps,   &choices,
          &layers,   &matrices, &images,      &continuations, &digests, &vectors};
}

bool RunTable::isIn(const SqlDatabase& database) const {
  SqlStatement select =
      database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return Rows(select, name).next();
}

bool RunTable::isWhole(const SqlDatabase& database) const {
  std::vector<std::string> found;
  SqlStatement select = database.prepare("PRAGMA table_xinfo(" + name + ")");
  for (Rows rows(select); rows.next();) fromSql(select.value(1), found.emplace_back());
  return found == together(keys, columns);
}

RunTable RunTable::in(const SqlDatabase& database) const {
  const auto refuse = [&](const std::string& problem) -> Error {
    return database.damaged(badInput("the table " + inQuotes(name) + problem));
  };
  constexpr int kName = 1, kKeyPlace = 5, kHidden = 6;  // columns of table_xinfo
  std::set<std::string> found;
  std::map<std::int64_t, std::string> primaryKey;  // by place, from 1
  SqlStatement select = database.prepare("PRAGMA table_xinfo(" + name + ")");
  for (Rows rows(select); rows.next();) {
    std::string column;
    fromSql(select.value(kName), column);
    if (select.value(kHidden) != SqlValue(std::int64_t{0}))
      throw refuse(" computes the column " + inQuotes(column));
    if (const std::int64_t place = rows.key(kKeyPlace); place > 0)
      primaryKey[place] = column;
    found.insert(std::move(column));
  }
  if (found.empty()) throw refuse(" is missing");
  std::vector<std::string> foundKeys;
  for (const auto& [place, column] : primaryKey) foundKeys.push_back(column);
  if (foundKeys != keys) throw refuse(" has other keys");
  RunTable present{name, keys, {}, added};
  for (const std::string& column : columns) {
    if (found.contains(column))
      present.columns.push_back(column);
    else if (std::ranges::count(added, column) == 0)
      throw refuse(" lacks the column " + inQuotes(column));
  }
  return present;
}

const RunSchema& runSchema() {
  static const RunSchema schema = makeSchema();
  return schema;
}

void createTables(const SqlDatabase& database) {
  database.execute("PRAGMA application_id = " + std::to_string(kRunFileId));
  database.execute("PRAGMA user_version = " + std::to_string(kRunFileVersion));
  for (const RunTable* table : runSchema().all()) database.execute(table->createSql());
}

void checkTables(const SqlDatabase& database) {
  checkIdentity(database);
  SqlStatement select =
      database.prepare("SELECT type, name, rootpage, sql IS NULL FROM sqlite_master");
  for (Rows rows(select); rows.next();) {
    const bool plainTable = select.value(0) == SqlValue("table") &&
                            select.value(2) != SqlValue(std::int64_t{0});
    const bool madeForKey = select.value(0) == SqlValue("index") &&
                            select.value(3) == SqlValue(std::int64_t{1});
    if (!plainTable && !madeForKey)
      throw database.damaged(badInput("it holds more than the tables of a run"));
  }
  for (const RunTable* table : runSchema().all())
    if (!table->isAdded || table->isIn(database)) table->in(database);
}

}  // namespace equipatch
