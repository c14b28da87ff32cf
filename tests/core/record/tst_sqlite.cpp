// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/sqlite.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QtEndian>
#include <cstring>

#include "core/base/error.h"
#include "tests/core/record/tamper.h"
#include "tests/support/current_folder.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sqlite : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { m_folder = std::make_unique<QTemporaryDir>(); }
  void cellsAreReadBack();
  void filesThatAreNoDatabaseAreRefused();
  void damageIsFound();
  void sharedPagesInABTreeAreDamage();
  void aLockIsNoDamage();
  void aLackOfMemoryIsNoDamage();
  void pipesAndDevicesAreRefused();
  void aTruncatedFileIsReadInPart();
  void untrustedFilesAreNotWritten();
  void endlessQueriesAreInterrupted();
  void bytesReadAreLimitedByTheFilesSize();
  void journalsThatNameOtherFilesAreRefused();
  void expressionsOfTablesAreNotComputed();
  void anExistingFileIsOpenedForRecording();
  void namesSpecialToSqliteAreFileNames();

 private:
  std::filesystem::path path(const char* name = "a.db") const {
    return m_folder->filePath(name).toStdString();
  }
  void write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_sqlite::cellsAreReadBack() {
  const std::vector<SqlValue> values{nullptr, std::int64_t{-7}, 0.1,
                                     std::string("a\0b\xff", 4), std::string()};
  const std::vector<float> numbers{1.5f, -2.5f};
  {
    const auto database = SqlDatabase::create(path());
    database->keep();
    database->execute("CREATE TABLE t (value)");
    SqlStatement insert = database->prepare("INSERT INTO t VALUES (?)");
    for (const SqlValue& value : values) {
      insert.bind(0, value);
      insert.run();
    }
    insert.bind(0, std::as_bytes(std::span(numbers)));
    insert.run();
    insert.bind(0, std::span<const std::byte>());
    insert.run();
  }
  const auto database = SqlDatabase::openUntrusted(path());
  SqlStatement select = database->prepare("SELECT value, typeof(value) FROM t");
  for (const SqlValue& value : values) {
    QVERIFY(select.step());
    QVERIFY(select.value(0) == value);
    QVERIFY(select.blob(0).empty());
  }
  QVERIFY(select.step());
  QCOMPARE(select.blob(0).size(), sizeof(float) * 2);
  QCOMPARE(std::memcmp(select.blob(0).data(), numbers.data(), sizeof(float) * 2), 0);
  QVERIFY(select.step());
  QVERIFY(select.blob(0).empty() && select.value(1) == SqlValue("blob"));
  QVERIFY(!select.step());
}

void tst_sqlite::filesThatAreNoDatabaseAreRefused() {
  const auto schema = [&](const char* name) {
    return SqlDatabase::openUntrusted(path(name))
        ->integer("SELECT count(*) FROM sqlite_master");
  };
  QVERIFY_ERROR(schema("none"), "none", "no such run file");
  QVERIFY_ERROR(schema("."), "expected a run file, found a folder");
  write("letter", QByteArray(5000, 'x'));
  QVERIFY_ERROR(schema("letter"), "letter", "not a run file of Equipatch; expected");
  test::tamper(path("cut"), "CREATE TABLE t (x); CREATE TABLE u (x)");
  QFile(m_folder->filePath("cut")).resize(1000);
  QVERIFY_ERROR(schema("cut"), "cut", "damaged");
}

namespace {

/// The index, from 0, of an overflow page; −1 if there is none. In this file an overflow
/// page holds the number of the next overflow page, then zeros.
qint64 overflowPageOf(const QByteArray& file) {
  constexpr qint64 kPage = 4096;
  for (qint64 page = 2; (page + 1) * kPage <= file.size(); ++page) {
    const QByteArray content = file.sliced(page * kPage, kPage);
    if (content.sliced(4) == QByteArray(kPage - 4, 0) &&
        content.first(4) != QByteArray(4, 0))
      return page;
  }
  return -1;
}

}  // namespace

/// In a file larger than `readWhole` bytes, overflow pages are not read.
void tst_sqlite::damageIsFound() {
  test::tamper(path("whole"),
               "CREATE TABLE t (k PRIMARY KEY, data) WITHOUT ROWID;"
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
               "200) INSERT INTO t SELECT i, zeroblob(20000) FROM n");
  QFile whole(m_folder->filePath("whole"));
  QVERIFY(whole.open(QIODevice::ReadOnly));
  const QByteArray bytes = whole.readAll();
  const auto isDamaged = [&](qint64 page, std::uintmax_t readWhole) {
    QByteArray damaged = bytes;
    if (page >= 0) damaged.replace(page * 4096, 4, QByteArray(4, '\xFF'));
    write("damaged", damaged);
    return SqlDatabase::isDamaged(path("damaged"), readWhole);
  };
  const qint64 overflow = overflowPageOf(bytes);
  QVERIFY(overflow > 0);
  for (const std::uintmax_t readWhole : {std::uintmax_t{0}, SqlDatabase::kReadWhole}) {
    QVERIFY(!isDamaged(-1, readWhole));
    QVERIFY(isDamaged(0, readWhole));
    QVERIFY(isDamaged(1, readWhole));
    QCOMPARE(isDamaged(overflow, readWhole), readWhole > 0);
  }
  QVERIFY(SqlDatabase::isDamaged(path("none")));
}

namespace {

constexpr qint64 kSmallPage = 512;

QByteArray smallPage(const QByteArray& file, quint32 number) {
  return file.sliced(qint64(number - 1) * kSmallPage, kSmallPage);
}

/// Where an interior page of a table stores the page numbers of its children: offsets in
/// the page, the rightmost child's first.
QList<qint64> placesOfChildren(const QByteArray& page) {
  constexpr qint64 kCount = 3, kLastChild = 8, kCells = 12;
  QList<qint64> places{kLastChild};
  const int cells = qFromBigEndian<quint16>(page.constData() + kCount);
  for (int cell = 0; cell < cells; ++cell)
    places << qFromBigEndian<quint16>(page.constData() + kCells + 2 * cell);
  return places;
}

QByteArray withChild(QByteArray page, quint32 child) {
  for (const qint64 place : placesOfChildren(page))
    qToBigEndian(child, page.data() + place);
  return page;
}

}  // namespace

/// If the branches of a B-tree share pages, a file of a few kilobytes can hold any number
/// of rows.
void tst_sqlite::sharedPagesInABTreeAreDamage() {
  test::tamper(path("tree"),
               "PRAGMA page_size = 512; CREATE TABLE t (x);"
               "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
               "20000) INSERT INTO t SELECT 1 FROM n");
  QVERIFY(!SqlDatabase::isDamaged(path("tree"), 0));
  QFile tree(m_folder->filePath("tree"));
  QVERIFY(tree.open(QIODevice::ReadOnly));
  const QByteArray bytes = tree.readAll();
  const auto below = [&](const QByteArray& page) {
    return smallPage(bytes, qFromBigEndian<quint32>(page.constData() +
                                                    placesOfChildren(page).first()));
  };
  constexpr char kInner = 5, kLeaf = 13;
  const QByteArray root = smallPage(bytes, 2), inner = below(root), leaf = below(inner);
  QCOMPARE(root[0], kInner);
  QCOMPARE(inner[0], kInner);
  QCOMPARE(leaf[0], kLeaf);
  constexpr qint64 kPageCount = 28;
  QByteArray header = smallPage(bytes, 1);
  qToBigEndian<quint32>(4, header.data() + kPageCount);
  write("shared", header + withChild(root, 3) + withChild(inner, 4) + leaf);
  QVERIFY(SqlDatabase::isDamaged(path("shared"), 0));
}

void tst_sqlite::aLockIsNoDamage() {
  test::tamper(path(), "CREATE TABLE t (x)");
  const auto other = SqlDatabase::openToChange(path());
  other->execute("BEGIN EXCLUSIVE");
  for (const std::uintmax_t readWhole : {std::uintmax_t{0}, SqlDatabase::kReadWhole})
    QVERIFY(!SqlDatabase::isDamaged(path(), readWhole, std::chrono::milliseconds(1)));
}

void tst_sqlite::aLackOfMemoryIsNoDamage() {
  test::tamper(path(), "CREATE TABLE t (x)");
  const auto isDamaged = [this](sqlite3_int64 memory) {
    const sqlite3_int64 before = sqlite3_hard_heap_limit64(memory);
    const bool damaged = SqlDatabase::isDamaged(path());
    sqlite3_hard_heap_limit64(before);
    return damaged;
  };
  for (const sqlite3_int64 more : {1, 1'000, 10'000, 20'000, 50'000, 1'000'000})
    QVERIFY(!isDamaged(sqlite3_memory_used() + more));
}

/// Opening a pipe would block for ever.
void tst_sqlite::pipesAndDevicesAreRefused() {
  QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
  QVERIFY_ERROR(SqlDatabase::openUntrusted(path("pipe")), "pipe: expected a run file");
  QVERIFY_ERROR(SqlDatabase::openUntrusted("/dev/zero"),
                "/dev/zero: expected a run file");
  for (const char* companion : {"run-journal", "run-wal", "run-shm"}) {
    test::tamper(path("run"), "CREATE TABLE IF NOT EXISTS t(x)");
    QCOMPARE(::mkfifo(path(companion).c_str(), 0600), 0);
    QVERIFY_ERROR(SqlDatabase::openUntrusted(path("run")), companion, "delete it");
    QVERIFY(std::filesystem::remove(path(companion)));
  }
  QVERIFY(SqlDatabase::openUntrusted(path("run")));
}

void tst_sqlite::aTruncatedFileIsReadInPart() {
  test::tamper(path(),
               "CREATE TABLE t (x); INSERT INTO t VALUES (5);"
               "CREATE TABLE u (x); INSERT INTO u VALUES (7)");
  QFile(m_folder->filePath("a.db")).resize(2 * 4096);
  const auto database = SqlDatabase::openUntrusted(path());
  QCOMPARE(database->integer("SELECT x FROM t"), 5);
  QVERIFY_ERROR(database->integer("SELECT x FROM u"), "a.db", "damaged");
  QVERIFY_ERROR(database->execute("DELETE FROM sqlite_master"), "a.db");
}

void tst_sqlite::untrustedFilesAreNotWritten() {
  test::tamper(path(), "CREATE TABLE t (x)");
  const auto database = SqlDatabase::openUntrusted(path());
  QVERIFY_ERROR(database->execute("INSERT INTO t VALUES (1)"), "a.db");
  QVERIFY_ERROR(database->execute("ATTACH 'other.db' AS other"), "a.db");
}

void tst_sqlite::endlessQueriesAreInterrupted() {
  test::tamper(path(), "CREATE TABLE t (x)");
  const auto database = SqlDatabase::openUntrusted(path());
  QVERIFY_ERROR(database->integer("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
                                  "SELECT i + 1 FROM n) SELECT count(*) FROM n"),
                "interrupted");
  QCOMPARE(database->integer("SELECT 5"), 5);
}

void tst_sqlite::bytesReadAreLimitedByTheFilesSize() {
  test::tamper(path(), "CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(6000))");
  const auto database = SqlDatabase::openUntrusted(path());
  SqlStatement select = database->prepare("SELECT x FROM t");
  const auto read = [&] {
    select.step();
    const std::size_t size = select.blob(0).size();
    select.reset();
    return size;
  };
  // The limit is the file's size, 12288 bytes in three pages; a third read exceeds it.
  QCOMPARE(read(), 6000u);
  QCOMPARE(read(), 6000u);
  QVERIFY_ERROR(read(), "more bytes than the file has");
  database->allowReading();
  select.reset();
  QCOMPARE(read(), 6000u);
}

/// A rollback of such a journal would delete the file that the journal names.
void tst_sqlite::journalsThatNameOtherFilesAreRefused() {
  test::tamper(path(), "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  write("precious", "not to be deleted");
  // SQLite's journal header: magic, number of records (unknown), nonce, number of pages,
  // sector size, page size.
  const QByteArray magic = QByteArray::fromHex("d9d505f920a163d7");
  QByteArray journal = magic + QByteArray::fromHex("ffffffff00000000") +
                       QByteArray::fromHex("000000020000020000001000");
  journal.resize(512, '\0');
  const QByteArray name = m_folder->filePath("precious").toUtf8();
  quint32 sum = 0;
  for (const char letter : name) sum += quint32(qint8(letter));
  const auto number = [](quint32 value) {
    QByteArray bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift);
    return bytes;
  };
  const QByteArray page = number(0x40000000 / 0x1000 + 1);
  write("a.db-journal",
        journal + page + name + number(quint32(name.size())) + number(sum) + magic);
  QVERIFY_ERROR(SqlDatabase::openUntrusted(path())->integer("SELECT x FROM t"),
                "a.db-journal", "names another file");
  QVERIFY(QFile::exists(m_folder->filePath("precious")));
}

/// A hostile file's expressions could compute for ever.
void tst_sqlite::expressionsOfTablesAreNotComputed() {
  test::tamper(path(),
               "PRAGMA ignore_check_constraints = ON; CREATE TABLE t(x CHECK (x > 5)); "
               "INSERT INTO t VALUES (1)");
  QVERIFY(!SqlDatabase::isDamaged(path()));
  {
    const auto database = SqlDatabase::openToRecord(path());
    database->execute("INSERT INTO t VALUES (2)");
  }
  QCOMPARE(test::cell(path(), "SELECT count(*) FROM t"), QString("2"));
  for (const char* table : {"CREATE TABLE u(x, y NOT NULL AS (length(hex(x))))",
                            "CREATE TABLE u(x, y DEFAULT (hex(randomblob(9))))"}) {
    test::tamper(path(), table);
    QVERIFY_ERROR(SqlDatabase::openToRecord(path()), "damaged, so no steps can be added");
    QVERIFY_ERROR(SqlDatabase::openToChange(path()), "damaged, so it cannot be changed");
    SqlDatabase::openUntrusted(path());
    test::tamper(path(), "DROP TABLE u");
  }
  SqlDatabase::openToRecord(path());
}

void tst_sqlite::anExistingFileIsOpenedForRecording() {
  test::tamper(path(), "CREATE TABLE t(x)");
  {
    const auto database = SqlDatabase::openToRecord(path());
    QVERIFY(FileClaim::isHeld(path()));
    database->execute("INSERT INTO t VALUES (1)");
    QCOMPARE(database->loss(0), std::string());
  }
  QVERIFY(!FileClaim::isHeld(path()));
  QCOMPARE(test::cell(path(), "SELECT count(*) FROM t"), QString("1"));
  std::filesystem::permissions(path(), std::filesystem::perms::owner_read);
  QVERIFY_ERROR(
      test::withOrdinaryRights([this] { return SqlDatabase::openToRecord(path()); }),
      "cannot be written", "in another file");
}

/// SQLite itself takes these names for an in-memory database and for URIs.
void tst_sqlite::namesSpecialToSqliteAreFileNames() {
  const test::CurrentFolder current(m_folder->path());
  for (const char* name : {":memory:", "file:a.db", "file:a.db?mode=memory"}) {
    {
      const auto database = SqlDatabase::create(name);
      database->execute("CREATE TABLE t (x)");
      database->keep();
    }
    QVERIFY2(std::filesystem::file_size(name) > 0, name);
    const auto database = SqlDatabase::openUntrusted(name);
    QCOMPARE(database->integer("SELECT count(*) FROM sqlite_master"), 1);
  }
}

EQUIPATCH_TEST(tst_sqlite)
#include "tst_sqlite.moc"
