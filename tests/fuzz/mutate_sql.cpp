// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/strings.h"
#include "core/record/file/run_schema.h"
#include "tests/fuzz/mutate.h"

namespace equipatch::fuzz {
namespace {

constexpr std::size_t kMostLines = 24;

std::string sqlValue(Random& random) {
  static const std::vector<std::string> values{"NULL",
                                               "0",
                                               "1",
                                               "-1",
                                               "2",
                                               "3",
                                               "1.5",
                                               "-0.0",
                                               "1e308",
                                               "-1e308",
                                               "9e999",
                                               "-9e999",
                                               "5e-324",
                                               "1e19",
                                               "'nan'",
                                               "'inf'",
                                               "''",
                                               "'a'",
                                               "'0'",
                                               "'complete'",
                                               "'float64'",
                                               "X''",
                                               "X'00'",
                                               "X'FFFE'",
                                               "CAST(X'FF61' AS TEXT)",
                                               "CAST(X'1B5B41' AS TEXT)",
                                               "char(0)",
                                               "char(10)",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "4294967296",
                                               "100000",
                                               "100001",
                                               "1048576",
                                               "16777216",
                                               "zeroblob(8)",
                                               "zeroblob(16)",
                                               "zeroblob(320)",
                                               "zeroblob(100000)",
                                               "hex(zeroblob(5000))",
                                               "'0,0,2,3'",
                                               "'0,40'",
                                               "'40,40'",
                                               "'0,9223372036854775807'",
                                               "'gate,up,down'",
                                               "','",
                                               "'layers.0.W_gate'"};
  return random.pick(values);
}

/// A value to set the column to: an expression of the column, or another value.
std::string valueFor(const std::string& column, Random& random) {
  switch (random.below(5)) {
    case 0:
      return column + " + 1";
    case 1:
      return "-" + column;
    case 2:
      return column + " * 1e300";
    default:
      return sqlValue(random);
  }
}

std::string condition(const RunTable& table, Random& random) {
  if (random.chance(0.2)) return {};
  const std::string& key = random.pick(table.keys);
  if (table.name == "manifest")
    return " WHERE key = (SELECT key FROM manifest ORDER BY key LIMIT 1 OFFSET " +
           std::to_string(random.below(46)) + ")";
  if (table.name == "vectors" && random.chance(0.5))
    return " WHERE kind = (SELECT kind FROM vectors GROUP BY kind LIMIT 1 OFFSET " +
           std::to_string(random.below(12)) + ")";
  return " WHERE " + key + (random.chance(0.7) ? " = " : " >= ") +
         std::to_string(random.below(3));
}

std::string randomStatement(Random& random) {
  const RunTable& table = *random.pick(runSchema().all());
  std::vector<std::string> columns = table.keys;
  columns.insert(columns.end(), table.columns.begin(), table.columns.end());
  const std::string& column =
      random.chance(0.8) ? random.pick(table.columns) : random.pick(columns);
  const std::string& name = table.name;
  switch (random.below(12)) {
    case 0:
      return "DELETE FROM " + name + condition(table, random);
    case 1: {
      std::replace(columns.begin(), columns.end(), random.pick(columns),
                   sqlValue(random));
      return "INSERT OR REPLACE INTO " + name + " SELECT " + joined(columns) + " FROM " +
             name + condition(table, random);
    }
    case 2: {
      const std::string key = random.pick(table.keys);
      std::replace(columns.begin(), columns.end(), key, key + " + 1");
      return "INSERT OR REPLACE INTO " + name + " SELECT " + joined(columns) + " FROM " +
             name + condition(table, random);
    }
    case 3: {
      const std::vector<std::string> schemas{
          "ALTER TABLE " + name + " DROP COLUMN " + column,
          "ALTER TABLE " + name + " RENAME COLUMN " + column + " TO other",
          "ALTER TABLE " + name + " ADD COLUMN other DEFAULT 1",
          "DROP TABLE " + name,
          "CREATE TABLE other (a, b)",
          "CREATE INDEX other ON " + name + " (" + column + ")",
          "PRAGMA user_version = 2",
          "PRAGMA application_id = 0",
          "CREATE VIEW other AS SELECT * FROM " + name};
      return random.pick(schemas);
    }
    default:
      return "UPDATE OR REPLACE " + name + " SET " + column + " = " +
             valueFor(column, random) + condition(table, random);
  }
}

}  // namespace

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    lines.emplace_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

std::string joinedLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string mutateLines(std::string_view input, Random& random) {
  std::vector<std::string> lines = linesOf(input);
  if (lines.empty()) return {};
  const std::size_t place = random.below(lines.size());
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(place);
  switch (random.below(6)) {
    case 0:
      lines.erase(at);
      break;
    case 1:
      lines.insert(at, std::string(random.pick(lines)));
      break;
    case 2:
      std::swap(lines[place], lines[random.below(lines.size())]);
      break;
    case 3:
      if (const std::string json = mutateJson(*at, random); !json.empty()) *at = json;
      break;
    default:
      *at = mutateBytes(*at);
  }
  return joinedLines(lines);
}

std::string mutateSql(std::string_view input, Random& random) {
  std::vector<std::string> lines = linesOf(input);
  if (lines.size() > kMostLines || (!lines.empty() && random.chance(0.3)))
    return mutateLines(input, random);
  const std::size_t place = random.below(lines.size() + 1);
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place),
               randomStatement(random));
  return joinedLines(lines);
}

std::string crossLines(std::string_view a, std::string_view b, Random& random) {
  std::vector<std::string> lines = linesOf(a);
  const std::vector<std::string> others = linesOf(b);
  for (std::size_t count = 1 + random.below(3); count > 0 && !others.empty(); --count)
    lines.insert(
        lines.begin() + static_cast<std::ptrdiff_t>(random.below(lines.size() + 1)),
        random.pick(others));
  return joinedLines(lines);
}

}  // namespace equipatch::fuzz
