// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/sqlite.h"

#include <sqlite3.h>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"
#include "core/record/file/journal.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

/// The schema is in the first page: a shorter file has no readable tables.
constexpr std::uintmax_t kPage = 4096;
constexpr std::string_view kDamaged = "damaged: ";
constexpr std::string_view kRestore =
    "; restore a copy of the file, or record the run again";
// SQLite before 3.33 lacks the name sqlite_schema, and before 3.38 the function format.
constexpr const char* kProbe = "SELECT count(*) FROM sqlite_master";
// Queries of a genuine run file take far fewer than 10⁸ virtual machine instructions.
constexpr int kInstructionsPerTick = 1'000'000;
constexpr int kMostTicks = 100;

int countTick(void* ticks) {
  return ++*static_cast<int*>(ticks) > kMostTicks ? 1 : 0;
}

/// The file's size in bytes according to its header; 0 if unknown. Reads through SQLite's
/// handle: closing another handle would drop this process's locks on the file.
std::uintmax_t statedSize(sqlite3* connection) {
  std::array<unsigned char, 100> header{};
  sqlite3_file* file = nullptr;
  if (!connection ||
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) !=
          SQLITE_OK ||
      !file || !file->pMethods ||
      file->pMethods->xRead(file, header.data(), int(header.size()), 0) != SQLITE_OK)
    return 0;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uintmax_t value = 0;
    for (std::size_t i = at; i < at + bytes; ++i) value = value << 8 | header[i];
    return value;
  };
  // The page count is valid only if the change counter equals version-valid-for
  // (sqlite.org/fileformat.html).
  if (number(24, 4) != number(92, 4)) return 0;
  const std::uintmax_t pageSize = number(16, 2);
  return (pageSize == 1 ? 65'536 : pageSize) * number(28, 4);
}

bool isResource(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_NOMEM:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return true;
    default:
      return false;
  }
}

/// True for failures that say nothing about the file's content.
bool isTransient(int code) {
  const int kind = code & 0xff;
  return kind == SQLITE_BUSY || kind == SQLITE_LOCKED || kind == SQLITE_NOMEM ||
         code == SQLITE_IOERR_NOMEM;
}

}  // namespace

void SqlDatabase::Closer::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

void SqlDatabase::connect() {
  const int flags =
      m_access == Access::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  // ":memory:" and "file:…" have a special meaning in SQLite; "./" removes it.
  const fs::path file = m_path.is_relative() ? "." / m_path : m_path;
  sqlite3* connection = nullptr;
  const int code =
      sqlite3_open_v2(file.c_str(), &connection, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  m_connection.reset(connection);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(connection, 1);
  sqlite3_busy_timeout(connection, int(kPatience.count()));
  if (m_access != Access::Write) harden();
  // A CHECK constraint in a hostile file may never end; the program writes none.
  execute("PRAGMA ignore_check_constraints = ON");
  allowReading();
}

std::unique_ptr<SqlDatabase> SqlDatabase::open(const fs::path& path, Access access) {
  std::unique_ptr<SqlDatabase> database(new SqlDatabase(path, access));
  database->connect();
  return database;
}

std::unique_ptr<SqlDatabase> SqlDatabase::create(const fs::path& path) {
  // The claim refuses an existing file, to which SQLite would add tables.
  FileClaim claim = FileClaim::create(path);
  auto database = open(path, Access::Write);
  database->m_claim.emplace(std::move(claim));
  return database;
}

bool SqlDatabase::isDamaged(const fs::path& path, std::uintmax_t readWhole,
                            std::chrono::milliseconds patience) {
  std::unique_ptr<SqlDatabase> database(new SqlDatabase(path, Access::Write));
  try {
    database->connect();
    sqlite3_busy_timeout(database->m_connection.get(), int(patience.count()));
    if (fs::file_size(path) <= readWhole) {
      // Not as a table-valued function: SQLite 3.46 takes the number in
      // pragma_quick_check(1) for a table's name.
      SqlStatement check = database->prepare("PRAGMA quick_check(1)");
      return !check.step() || check.value(0) != SqlValue(std::string("ok"));
    }
    // Stepping through all rows of a table reads every page of its B-tree.
    SqlStatement scans = database->prepare(
        "SELECT printf('SELECT 1 FROM \"%w\" NOT INDEXED', name) FROM sqlite_master "
        "WHERE type = 'table' AND rootpage > 0");
    while (scans.step()) {
      // More rows than fit into the file mean damage: in a damaged B-tree, many branches
      // may share a page, whose rows are then returned repeatedly.
      constexpr std::uintmax_t kLeastRow = 4;  // bytes, including the cell pointer
      std::uintmax_t most = fs::file_size(path) / kLeastRow;
      SqlStatement rows = database->prepare(std::get<std::string>(scans.value(0)));
      while (rows.step())
        if (most-- == 0) return true;
    }
    return false;
  } catch (const Error&) {
    return !isTransient(database->m_failure);
  } catch (const fs::filesystem_error&) {
    return true;
  }
}

bool SqlDatabase::holdsExpressions(const fs::path& path) {
  return open(path, Access::Read)
             ->integer(
                 "SELECT count(*) FROM sqlite_master AS tables, "
                 "pragma_table_xinfo(tables.name) WHERE tables.type = 'table' AND "
                 "(hidden > 1 OR dflt_value LIKE '%(%')") > 0;
}

std::unique_ptr<SqlDatabase> SqlDatabase::openUntrusted(const fs::path& path) {
  if (isFolder(path))
    throw badInput(path.string() + ": expected a run file, found a folder");
  if (isAbsent(path)) throw badInput(path.string() + ": there is no such run file");
  if (isPipeOrDevice(path))
    throw badInput(path.string() + ": expected a run file, found a pipe or device");
  std::error_code unknown;
  if (fs::file_size(path, unknown) == 0)
    throw badInput(path.string() +
                   " is empty; expected a run file (a program that is killed before its "
                   "run starts leaves an empty one)");
  refuseOddCompanions(path);
  auto database = open(path, Access::Read);
  const int state = database->probe();
  if ((state & 0xff) == SQLITE_CORRUPT && fs::file_size(path, unknown) >= kPage)
    database->tolerateTruncation();
  if (state != SQLITE_READONLY_ROLLBACK) return database;
  // Rolling back the journal of a killed writer needs write access.
  if (const fs::path journal = journalOf(path); namesAnotherFile(journal))
    throw badInput(journal.string() +
                   " names another file, which no run's journal does; delete it");
  open(path, Access::Recover)->integer(kProbe);
  return open(path, Access::Read);
}

std::unique_ptr<SqlDatabase> SqlDatabase::openToChange(const fs::path& path) {
  openUntrusted(path);  // checks the file and rolls back what a killed writer left
  if (holdsExpressions(path))
    throw badInput(path.string() + ": damaged, so it cannot be changed" +
                   std::string(kRestore));
  return open(path, Access::Change);
}

std::unique_ptr<SqlDatabase> SqlDatabase::openToRecord(const fs::path& path) {
  openUntrusted(path);  // as in openToChange
  FileClaim claim = FileClaim::take(path);
  if (holdsExpressions(path) || isDamaged(path))
    throw badInput(path.string() +
                   ": damaged, so no steps can be added; continue the run in another "
                   "file (compare --out OTHER.eqrun)");
  auto database = open(path, Access::Record);
  database->m_claim.emplace(std::move(claim));
  return database;
}

/// SQLite's result code of a first read.
int SqlDatabase::probe() const {
  return sqlite3_exec(m_connection.get(), kProbe, nullptr, nullptr, nullptr);
}

/// SQLite refuses a file that is shorter than its header says, unless writable_schema is
/// on. On a file opened for reading, writable_schema has no other effect.
void SqlDatabase::tolerateTruncation() const {
  sqlite3_db_config(m_connection.get(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
  sqlite3_db_config(m_connection.get(), SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nullptr);
}

void SqlDatabase::harden() {
  sqlite3* connection = m_connection.get();
  for (const auto& [option, value] : {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1),
                                      std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
                                      std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
                                      std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0)})
    sqlite3_db_config(connection, option, value, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLargestCell);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_progress_handler(connection, kInstructionsPerTick, countTick, &m_ticks);
  execute("PRAGMA cell_size_check = ON");
  execute("PRAGMA mmap_size = 0");
}

void SqlDatabase::allowReading() {
  std::error_code failure;
  const std::uintmax_t size = fs::file_size(m_path, failure);
  m_readable = m_hashable = failure ? 0 : size;
}

void SqlDatabase::countRead(std::size_t bytes, std::uintmax_t& limit) const {
  if (isRecording()) return;
  if (bytes > limit)
    throw damaged(badInput("its cells claim to hold more bytes than the file has"));
  limit -= bytes;
}

void SqlDatabase::execute(const std::string& sql) const {
  const int code =
      sqlite3_exec(m_connection.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

SqlStatement SqlDatabase::prepare(const std::string& sql) const {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(m_connection.get(), sql.c_str(),
                                      static_cast<int>(sql.size()), &prepared, nullptr);
  SqlStatement statement;
  statement.m_statement.reset(prepared);
  statement.m_database = this;
  statement.m_limit = &m_readable;
  if (code != SQLITE_OK) fail(code);
  return statement;
}

SqlStatement SqlDatabase::prepareToHash(const std::string& sql) const {
  SqlStatement statement = prepare(sql);
  statement.m_limit = &m_hashable;
  return statement;
}

std::int64_t SqlDatabase::integer(const std::string& sql) const {
  SqlStatement statement = prepare(sql);
  if (!statement.step()) return 0;
  return sqlite3_column_int64(statement.m_statement.get(), 0);
}

std::string SqlDatabase::problemOf(const Error& error) const {
  if (error.kind() == ErrorKind::BadInput) {
    const std::uintmax_t stated = statedSize(m_connection.get());
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(m_path, unknown);
    if (!unknown && size < stated)
      return "the file is cut short, it has " + std::to_string(size) + " of its " +
             std::to_string(stated) + " bytes";
  }
  std::string_view problem = error.what();
  if (const std::string name = m_path.string() + ": "; problem.starts_with(name))
    problem.remove_prefix(name.size());
  if (problem.starts_with(kDamaged)) problem.remove_prefix(kDamaged.size());
  if (problem.ends_with(kRestore)) problem.remove_suffix(kRestore.size());
  return std::string(problem);
}

Error SqlDatabase::damaged(const Error& error) const {
  return badInput(m_path.string() + ": " + std::string(kDamaged) + problemOf(error) +
                  std::string(kRestore));
}

/// errno of the last failed system call on the file; 0 if none failed.
int SqlDatabase::systemError() const {
  int code = 0;
  // sqlite3_system_errno would return the error of the rollback.
  if (m_connection)
    sqlite3_file_control(m_connection.get(), "main", SQLITE_FCNTL_LAST_ERRNO, &code);
  return code;
}

void SqlDatabase::fail(int code) const {
  m_failure = code;
  const std::string reason =
      m_connection ? sqlite3_errmsg(m_connection.get()) : sqlite3_errstr(code);
  const ErrorKind kind = isResource(code) ? ErrorKind::Resource : ErrorKind::BadInput;
  if (isRecording() && kind == ErrorKind::Resource)
    throw writeFailed(m_path, "the run cannot be recorded", reason, systemError());
  if (isRecording())
    throw Error(kind, m_path.string() + ": the run cannot be recorded (" + reason +
                          "); record it into another file");
  if (m_access == Access::Change && kind == ErrorKind::Resource)
    throw writeFailed(m_path, "the run file cannot be changed", reason, systemError());
  if (m_access == Access::Recover && kind == ErrorKind::Resource)
    throw Error(kind, m_path.string() +
                          ": its writer was interrupted in the middle of a step, which "
                          "must be undone, but the file cannot be changed (" +
                          reason +
                          "); copy it together with its journal to a folder "
                          "of yours");
  if (kind == ErrorKind::Resource)
    throw Error(kind, m_path.string() + ": the file cannot be read (" + reason + ")");
  if ((code & 0xff) == SQLITE_NOTADB)
    throw badInput(m_path.string() +
                   ": not a run file of Equipatch; expected what the window or "
                   "`equipatch-cli compare --out` recorded (.eqrun)");
  throw damaged(badInput(reason));
}

}  // namespace equipatch
