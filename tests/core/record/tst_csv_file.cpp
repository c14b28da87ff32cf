#include "core/record/export/export_table.h"

#include <QFile>
#include <QTemporaryDir>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_csv_file : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void headingsAreThoseOfTheFirstRow();
  void textsAreQuotedWhereTheyMustBe();
  void numbersReadBackAsTheyWere();
  void takesItsNameOnlyWhenFinished();

 private:
  QByteArray written(const std::vector<ExportRow>& rows) const {
    CsvFile file(path());
    for (const ExportRow& row : rows) file.add(row);
    file.finish();
    QFile read(m_folder.filePath("table.csv"));
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
  }
  std::filesystem::path path() const {
    return m_folder.filePath("table.csv").toStdString();
  }

  QTemporaryDir m_folder;
};

namespace {

ExportRow row(const std::string& text, double number) {
  ExportRow result;
  result("text", text);
  result("number", number);
  result.add("none", CellKind::Real, nullptr);
  return result;
}

}  // namespace

void tst_csv_file::headingsAreThoseOfTheFirstRow() {
  QCOMPARE(written({row("a", 1.0), row("b", 2.5)}),
           QByteArray("text,number,none\na,1,\nb,2.5,\n"));
}

void tst_csv_file::textsAreQuotedWhereTheyMustBe() {
  QCOMPARE(written({row("say \"a,b\"\n", 1.0)}),
           QByteArray("text,number,none\n\"say \"\"a,b\"\"\n\",1,\n"));
  QCOMPARE(written({row("\xFF", 1.0)}),
           QByteArray("text,number,none\n\xEF\xBF\xBD,1,\n"));
}

void tst_csv_file::numbersReadBackAsTheyWere() {
  const double number = 0.1 + 0.2;
  const QByteArray cell = written({row("", number)}).split('\n')[1].split(',')[1];
  QVERIFY(cell.toDouble() == number);
  QCOMPARE(csvNumber(0.1f), std::string("0.1"));
}

void tst_csv_file::takesItsNameOnlyWhenFinished() {
  QTemporaryDir folder;
  const std::filesystem::path other = folder.filePath("other.csv").toStdString();
  {
    CsvFile file(other);
    file.add(row("a", 1.0));
    QVERIFY(!std::filesystem::exists(other));
  }
  QVERIFY(!std::filesystem::exists(other));
  QVERIFY_ERROR(CsvFile("/nowhere/table.csv"), "/nowhere/table.csv");
}

EQUIPATCH_TEST(tst_csv_file)
#include "tst_csv_file.moc"
