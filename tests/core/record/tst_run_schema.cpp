// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/run_schema.h"

#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/core/record/tamper.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

void makeTables(const std::filesystem::path& path) {
  const auto database = SqlDatabase::create(path);
  database->keep();
  database->execute("BEGIN");
  createTables(*database);
  database->execute("COMMIT");
}

}  // namespace

class tst_run_schema : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void sqlIsDerivedFromTheTable();
  void tablesOfTheProgramAreAccepted();
  void laterTablesAndColumnsAreIgnored();
  void olderFilesMayLackAddedColumns();
  void olderFilesMayLackAddedTables();
  void otherSchemasAreRefused_data();
  void otherSchemasAreRefused();
};

void tst_run_schema::sqlIsDerivedFromTheTable() {
  const RunTable table{"t", {"a", "b"}, {"x", "y"}};
  QCOMPARE(table.createSql(),
           std::string("CREATE TABLE t (a, b, x, y, PRIMARY KEY (a, b)) WITHOUT ROWID"));
  QCOMPARE(table.insertSql(), std::string("INSERT INTO t VALUES (?, ?, ?, ?)"));
  QCOMPARE(table.selectSql(1),
           std::string("SELECT b, x, y FROM t WHERE a = ? ORDER BY b"));
  QCOMPARE(table.selectSql(2), std::string("SELECT x, y FROM t WHERE a = ? AND b = ?"));
  QCOMPARE(runSchema().all().size(), 12u);
}

void tst_run_schema::tablesOfTheProgramAreAccepted() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  makeTables(path);
  checkTables(*SqlDatabase::openUntrusted(path));
  for (const RunTable* table : runSchema().all())
    QCOMPARE(
        test::cell(path, "SELECT count(*) FROM " + QString::fromStdString(table->name)),
        QString("0"));
}

void tst_run_schema::laterTablesAndColumnsAreIgnored() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  makeTables(path);
  test::tamper(path, "CREATE TABLE notes (number INTEGER PRIMARY KEY, name TEXT UNIQUE)");
  test::tamper(path, "ALTER TABLE steps ADD COLUMN curvature DEFAULT 0.5");
  const auto database = SqlDatabase::openUntrusted(path);
  checkTables(*database);
  QCOMPARE(runSchema().steps.in(*database).columns, runSchema().steps.columns);
}

void tst_run_schema::olderFilesMayLackAddedColumns() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  makeTables(path);
  const auto database = SqlDatabase::openUntrusted(path);
  RunTable later = runSchema().matrices;
  later.columns.insert(later.columns.begin() + 1, "rank");
  QVERIFY_ERROR(later.in(*database), "lacks the column \"rank\"");
  later.added = {"rank"};
  QCOMPARE(later.in(*database).columns, runSchema().matrices.columns);
}

void tst_run_schema::olderFilesMayLackAddedTables() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run").toStdString();
  makeTables(path);
  QVERIFY(runSchema().images.isIn(*SqlDatabase::openUntrusted(path)));
  test::tamper(path, "DROP TABLE images");
  const auto database = SqlDatabase::openUntrusted(path);
  QVERIFY(!runSchema().images.isIn(*database));
  QVERIFY(!runSchema().images.isWhole(*database));
  QVERIFY(runSchema().steps.isWhole(*database));
  test::tamper(path, "ALTER TABLE steps ADD COLUMN later");
  QVERIFY(!runSchema().steps.isWhole(*SqlDatabase::openUntrusted(path)));
  checkTables(*database);
}

void tst_run_schema::otherSchemasAreRefused_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* change, const char* part) {
    QTest::newRow(change) << QString(change) << QString(part);
  };
  row("PRAGMA application_id = 7", "not a run file of Equipatch");
  row("PRAGMA user_version = 99",
      "written by a newer Equipatch in format 99, this program reads format 1");
  row("PRAGMA user_version = 2; INSERT INTO manifest VALUES ('program_version', '3.1')",
      "written by Equipatch 3.1 in format 2");
  row("PRAGMA user_version = 0", "format is 0");
  row("PRAGMA user_version = -3", "format is -3");
  row("ALTER TABLE images DROP COLUMN sha256", "\"images\" lacks the column \"sha256\"");
  row("DROP TABLE steps", "\"steps\" is missing");
  row("CREATE VIRTUAL TABLE more USING fts5(x)", "more than the tables of a run");
  row("CREATE INDEX i ON steps (x)", "more than the tables of a run");
  row("CREATE VIEW v AS SELECT * FROM steps", "more than the tables of a run");
  row("CREATE TRIGGER t AFTER INSERT ON steps BEGIN DELETE FROM steps; END",
      "more than the tables of a run");
  row("ALTER TABLE steps ADD COLUMN c AS (abs(-9223372036854775808))",
      "\"steps\" computes the column \"c\"");
  row("ALTER TABLE steps DROP COLUMN linf", "\"steps\" lacks the column \"linf\"");
  row("DROP TABLE steps; CREATE TABLE steps (step, x)", "\"steps\" has other keys");
  row("DROP TABLE steps; CREATE VIEW steps AS SELECT * FROM layers",
      "more than the tables of a run");
}

void tst_run_schema::otherSchemasAreRefused() {
  QFETCH(QString, change);
  QFETCH(QString, part);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("run.eqrun").toStdString();
  makeTables(path);
  test::tamper(path, change);
  QVERIFY_ERROR(checkTables(*SqlDatabase::openUntrusted(path)), "run.eqrun", part);
}

EQUIPATCH_TEST(tst_run_schema)
#include "tst_run_schema.moc"
