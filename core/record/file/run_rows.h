// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/record/file/sql_fields.h"
#include "core/record/file/sqlite.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Binds values, mostly a row's keys, to the first parameters of a statement.
/// @returns their number
template <typename... Key>
int bindKeys(SqlStatement& statement, const Key&... keys) {
  int next = 0;
  (statement.bind(next++, toSql(keys)), ...);
  return next;
}

/// Each call binds a field to the next parameter.
class RowWriter {
 public:
  RowWriter(SqlStatement& insert, int first) : m_insert(insert), m_next(first) {}

  template <typename Field>
  void operator()(const FieldName&, const Field& field) {
    m_insert.bind(m_next++, toSql(field));
  }

 private:
  SqlStatement& m_insert;
  int m_next;
};

/// Iterates over the rows that a prepared query selects for the given keys. The
/// destructor resets the query.
class Rows {
 public:
  template <typename... Key>
  explicit Rows(SqlStatement& select, const Key&... keys) : m_select(select) {
    bindKeys(select, keys...);
  }
  ~Rows() { m_select.reset(); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// Moves to the next row, in the first call to the first. @returns false after the last
  bool next() { return m_select.step(); }

  /// The value of a column that holds a count or an index.
  std::int64_t key(int column) const {
    std::int64_t number = 0;
    fromSql(m_select.value(column), number);
    return number;
  }

  /// @throws Error{BadInput} unless key(column) equals `expected`.
  void expectKey(int column, std::size_t expected) const {
    const std::int64_t found = key(column);
    if (found != static_cast<std::int64_t>(expected))
      throw badInput("expected row " + std::to_string(expected) + ", found row " +
                     std::to_string(found));
  }

 private:
  SqlStatement& m_select;
};

/// Each call reads a field from the row's next column. If `columns` lacks the field, the
/// field keeps its value. @throws Error{BadInput} naming a column whose value does not
/// suit the field.
class RowReader {
 public:
  /// @param first index of the first field's column
  /// @param columns names of the row's columns from `first` on, in the order of the
  ///        fields; must outlive this object
  RowReader(const SqlStatement& row, int first, const std::vector<std::string>& columns)
      : m_row(row), m_first(first), m_columns(columns) {}

  template <typename Field>
  void operator()(const FieldName& name, Field&& field) {
    if (m_next == m_columns.size() || m_columns[m_next] != name.text) return;
    try {
      fromSql(m_row.value(m_first + static_cast<int>(m_next++)), field);
    } catch (const Error& error) {
      throw error.within("column " + inQuotes(name.text));
    }
  }

 private:
  const SqlStatement& m_row;
  int m_first;
  const std::vector<std::string>& m_columns;
  std::size_t m_next = 0;
};

/// Writes the header into the tables of a new file.
void writeHeader(const SqlDatabase& database, const RunHeader& header);
/// @throws Error{BadInput} when something is missing or contradicts the rest.
RunHeader readHeader(const SqlDatabase& database);

/// @param number of the continuation, from 0
void addContinuation(const SqlDatabase& database, std::int64_t number,
                     const Continuation& continuation);

/// Replaces the recorded ending and its time. @param ending Complete or Stopped
void writeEnding(const SqlDatabase& database, RunEnding ending);
void removeEnding(const SqlDatabase& database);
RunEnding readEnding(const SqlDatabase& database);
/// When the ending was written, in the form of `utcNow`; empty if not recorded.
std::string readEndTime(const SqlDatabase& database);

}  // namespace equipatch
