// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/record/file/file_claim.h"
#include "core/record/file/sql_statement.h"

struct sqlite3;

namespace equipatch {

class Error;

/// An SQLite file. Failures of SQLite become Errors that name the file.
class SqlDatabase {
 public:
  /// Creates a file for writing and claims it. The destructor ends the claim and removes
  /// the file unless `keep` was called. @throws Error as FileClaim::create.
  static std::unique_ptr<SqlDatabase> create(const std::filesystem::path& path);
  /// Opens a possibly hostile file for reading: nothing in it is executed, cells are at
  /// most `kLargestCell` bytes and queries have a time limit. Rolls back first what a
  /// killed writer left. Reads a truncated file up to its end. Texts and blobs may be
  /// read up to the file's size in total, so that a small file cannot fill the memory;
  /// `allowReading` renews this limit.
  /// @throws Error{BadInput} for anything but a nonempty file, and for an unsafe journal
  /// beside it (journal.h); Error{Resource} when the file cannot be read. A file that is
  /// no database fails only at the first query.
  static std::unique_ptr<SqlDatabase> openUntrusted(const std::filesystem::path& path);
  /// Opens a possibly hostile file for a small change; nothing in it is executed.
  /// @throws as `openUntrusted`; Error{BadInput} also when a column is generated or has a
  /// computed default. If the file cannot be written, the first change throws
  /// Error{Resource}.
  static std::unique_ptr<SqlDatabase> openToChange(const std::filesystem::path& path);
  /// Opens a possibly hostile file to record more steps, and claims it until the
  /// destructor runs; nothing in the file is executed.
  /// @throws as `openToChange`; Error{BadInput} also when the file is damaged or already
  /// being recorded into; Error{Resource} also when it cannot be written.
  static std::unique_ptr<SqlDatabase> openToRecord(const std::filesystem::path& path);
  /// True if the file is absent or not a whole database. Reads through a new connection,
  /// because an open connection may return cached pages. To save time, the check skips
  /// the overflow pages of long cells if the file has more than `readWhole` bytes. False
  /// also if memory is short or another program keeps the file locked for `patience`.
  static bool isDamaged(const std::filesystem::path& path,
                        std::uintmax_t readWhole = kReadWhole,
                        std::chrono::milliseconds patience = kPatience);
  static constexpr std::uintmax_t kReadWhole = std::uintmax_t{128} << 20;
  static constexpr std::chrono::milliseconds kPatience{10'000};
  SqlDatabase(const SqlDatabase&) = delete;  // its statements point to it
  SqlDatabase& operator=(const SqlDatabase&) = delete;

  static constexpr int kLargestCell = 1 << 28;

  /// From now on, texts and blobs may again be read up to the file's size in total, which
  /// suffices to read every cell once.
  void allowReading();

  /// Lets reading continue although the file is shorter than its header says.
  void tolerateTruncation() const;
  /// This and `loss` require `create` or `openToRecord`; see FileClaim.
  void keep() { m_claim->keep(); }
  std::string loss(std::int64_t least) const { return m_claim->loss(least); }

  void execute(const std::string& sql) const;
  SqlStatement prepare(const std::string& sql) const;
  /// A statement whose rows are only hashed or compared, not kept. All such statements
  /// share a second limit on reading, as large as the first.
  SqlStatement prepareToHash(const std::string& sql) const;
  /// The first cell of the first row, as an integer; 0 without a row.
  std::int64_t integer(const std::string& sql) const;
  const std::filesystem::path& path() const { return m_path; }
  /// An Error{BadInput}: "FILE: damaged: PROBLEM; what to do", with PROBLEM from
  /// `problemOf`.
  Error damaged(const Error& error) const;
  /// The text of `error` without the file's name and the advice at its end. If `error` is
  /// BadInput and the file is shorter than its header says: "the file is cut short, …".
  std::string problemOf(const Error& error) const;

 private:
  friend class SqlStatement;
  enum class Access { Write, Record, Read, Recover, Change };
  struct Closer {
    void operator()(sqlite3* connection) const;
  };
  /// True if a column is generated or has a computed default, which SQLite would evaluate
  /// for each row added or checked. No version of the program writes such columns.
  static bool holdsExpressions(const std::filesystem::path& path);

  SqlDatabase(std::filesystem::path path, Access access)
      : m_path(std::move(path)), m_access(access) {}
  void connect();
  static std::unique_ptr<SqlDatabase> open(const std::filesystem::path& path,
                                           Access access);
  void harden();
  int probe() const;
  bool isRecording() const {
    return m_access == Access::Write || m_access == Access::Record;
  }
  /// Takes `bytes` from `limit`. @throws Error{BadInput} when less is left.
  void countRead(std::size_t bytes, std::uintmax_t& limit) const;
  int systemError() const;
  [[noreturn]] void fail(int code) const;

  std::filesystem::path m_path;
  Access m_access;
  mutable int m_ticks = 0;    // of the running query
  mutable int m_failure = 0;  // SQLite's result code of the last failure
  mutable std::uintmax_t m_readable = 0, m_hashable = 0;  // bytes left
  std::optional<FileClaim> m_claim;  // of a recorded file; outlives the connection
  std::unique_ptr<sqlite3, Closer> m_connection;
};

}  // namespace equipatch
