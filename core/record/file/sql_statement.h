// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>

struct sqlite3_stmt;

namespace equipatch {

/// The value of a cell. Blobs are passed as bytes instead.
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

/// A prepared statement. Its SqlDatabase must outlive it.
class SqlStatement {
 public:
  /// Parameters and columns count from 0.
  void bind(int parameter, const SqlValue& value);
  /// The bytes are not copied: they must stay valid until the statement is reset.
  void bind(int parameter, std::span<const std::byte> bytes);

  /// @returns whether there is a row. @throws Error when SQLite fails.
  bool step();
  /// Makes the statement ready to be bound and stepped again.
  void reset();
  void run();  ///< executes a statement that gives no rows, and resets it

  /// A blob reads as null. @throws Error{BadInput} when more bytes were read than
  /// `SqlDatabase::allowReading` allows.
  SqlValue value(int column) const;
  /// A view, valid until the next step or reset; empty if the cell holds no blob.
  /// @throws as `value`.
  std::span<const std::byte> blob(int column) const;
  bool isBlob(int column) const;

  int columns() const;
  std::string columnName(int column) const;

 private:
  friend class SqlDatabase;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
  const class SqlDatabase* m_database = nullptr;
  std::uintmax_t* m_limit = nullptr;  // bytes that may still be read; the database's
};

}  // namespace equipatch
