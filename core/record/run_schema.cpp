#include "core/record/run_schema.h"

#include <algorithm>
#include <map>

#include "core/base/joined.h"
#include "core/record/run_rows.h"
#include "core/record/run_tables.h"

namespace equipatch {
namespace {

/// Writes down the columns that it is handed.
struct ColumnNames {
  std::vector<std::string> names;
  template <typename Field>
  void operator()(const std::string& name, const Field&) {
    names.push_back(name);
  }
};

template <typename Record, typename Columns>
std::vector<std::string> columnsOf(Columns columns) {
  ColumnNames names;
  Record record;
  columns(names, record);
  return names.names;
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
  return {
      .manifest = {"manifest", {"key"}, {"value"}},
      .prompt = {"prompt", {"position"}, columnsOf<Token>(tokens)},
      .tensorFiles = {"tensor_files", {"number"}, columnsOf<TensorFileHash>(files)},
      .parameters = {"parameters", {"number"}, columnsOf<PatchedParameter>(parameters)},
      .steps = {"steps", {"step"}, columnsOf<StepRecord>(steps)},
      .choices = {"choices", {"step", "pass", "rank"}, columnsOf<Choice>(choices)},
      .layers = {"layers", {"step", "layer"}, columnsOf<LayerRecord>(layers)},
      .matrices = {"matrices",
                   {"step", "layer", "number"},
                   columnsOf<MatrixPatchNorm>(matrices)},
      .vectors = {
          "vectors", {"step", "kind", "layer", "number"}, {"weight", "dtype", "data"}}};
}

void checkIdentity(const SqlDatabase& database) {
  const std::string name = database.path().string();
  const std::int64_t id = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (id != kRunFileId)
    throw badInput(name + ": a database, but not a run file of Equipatch");
  if (version > kRunFileVersion)
    throw unsupported(name + ": written by a newer Equipatch (format " +
                      std::to_string(version) + ", this one reads " +
                      std::to_string(kRunFileVersion) + "); update to open it");
  if (version != kRunFileVersion)
    throw badInput(name + ": damaged, its format is " + std::to_string(version) +
                   ", expected " + std::to_string(kRunFileVersion));
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
  return {&manifest, &prompt, &tensorFiles, &parameters, &steps,
          &choices,  &layers, &matrices,    &vectors};
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
  std::map<std::string, std::string> expected;
  for (const RunTable* table : runSchema().all())
    expected[table->name] = table->createSql();
  SqlStatement select = database.prepare("SELECT name, sql FROM sqlite_schema");
  for (Rows rows(select); rows.next();) {
    const SqlValue name = select.value(0);
    const auto known = std::ranges::find_if(
        expected, [&](const auto& table) { return SqlValue(table.first) == name; });
    if (known == expected.end() || select.value(1) != SqlValue(known->second))
      throw badInput(database.path().string() +
                     ": damaged, it holds more than the tables of a run");
    expected.erase(known);
  }
  if (!expected.empty())
    throw badInput(database.path().string() + ": damaged, the table " +
                   inQuotes(expected.begin()->first) + " is missing");
}

}  // namespace equipatch
