// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/sql_statement.h"

#include <sqlite3.h>

#include "core/record/file/sqlite.h"

namespace equipatch {

void SqlStatement::Finalizer::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void SqlStatement::bind(int parameter, const SqlValue& value) {
  sqlite3_stmt* statement = m_statement.get();
  const int at = parameter + 1;
  struct Binder {
    sqlite3_stmt* statement;
    int at;
    int operator()(std::nullptr_t) const { return sqlite3_bind_null(statement, at); }
    int operator()(std::int64_t number) const {
      return sqlite3_bind_int64(statement, at, number);
    }
    int operator()(double number) const {
      return sqlite3_bind_double(statement, at, number);
    }
    int operator()(const std::string& text) const {
      return sqlite3_bind_text64(statement, at, text.data(), text.size(),
                                 SQLITE_TRANSIENT, SQLITE_UTF8);
    }
  };
  const int code = std::visit(Binder{statement, at}, value);
  if (code != SQLITE_OK) m_database->fail(code);
}

void SqlStatement::bind(int parameter, std::span<const std::byte> bytes) {
  // A null address would bind NULL.
  const void* data = bytes.empty() ? "" : static_cast<const void*>(bytes.data());
  const int code = sqlite3_bind_blob64(m_statement.get(), parameter + 1, data,
                                       bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) m_database->fail(code);
}

bool SqlStatement::step() {
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  reset();
  m_database->fail(code);
}

void SqlStatement::reset() {
  sqlite3_reset(m_statement.get());
  m_database->m_ticks = 0;
}

void SqlStatement::run() {
  step();
  reset();
}

SqlValue SqlStatement::value(int column) const {
  sqlite3_stmt* statement = m_statement.get();
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
      const auto* text =
          reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      m_database->countRead(size, *m_limit);
      return text ? std::string(text, size) : std::string();
    }
    default:
      return nullptr;
  }
}

std::span<const std::byte> SqlStatement::blob(int column) const {
  sqlite3_stmt* statement = m_statement.get();
  if (!isBlob(column)) return {};
  const auto* data =
      static_cast<const std::byte*>(sqlite3_column_blob(statement, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  m_database->countRead(size, *m_limit);
  return {data, data ? size : 0};
}

bool SqlStatement::isBlob(int column) const {
  return sqlite3_column_type(m_statement.get(), column) == SQLITE_BLOB;
}

int SqlStatement::columns() const {
  return sqlite3_column_count(m_statement.get());
}

std::string SqlStatement::columnName(int column) const {
  const char* name = sqlite3_column_name(m_statement.get(), column);
  return name ? name : "";  // null if memory is short
}

}  // namespace equipatch
