// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_csv.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Rows of a CSV file as RFC 4180 reads them.
QList<QStringList> readCsv(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(file.readAll());
  QList<QStringList> rows;
  QStringList row;
  QString cell;
  bool quoted = false;
  for (qsizetype at = 0; at < text.size(); ++at) {
    const QChar letter = text[at];
    if (letter == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
      cell += letter;
      ++at;
    } else if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && (letter == ',' || letter == '\n')) {
      row += cell;
      cell.clear();
      if (letter == '\n') rows += std::exchange(row, {});
    } else {
      cell += letter;
    }
  }
  return rows;
}

}  // namespace

class tst_export_csv : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    exportCsv(test::smallRun(), (m_folder.path() + "/csv").toStdString());
  }
  void writesEveryTable();
  void textsAndNumbersComeBack();
  void scaleDeltasHaveAColumnAChannel();
  void whereThereIsNoScaleThereIsNoTable();
  void damagedPlacesAreNamed();

 private:
  QString cell(const QString& file, int row, const QString& column) const {
    const auto rows = readCsv(m_folder.filePath("csv/" + file));
    return rows.value(row + 1).value(rows.value(0).indexOf(column));
  }
  QTemporaryDir m_folder;
};

void tst_export_csv::writesEveryTable() {
  const QDir folder(m_folder.filePath("csv"));
  QCOMPARE(folder.entryList(QDir::Files),
           (QStringList{"choices.csv", "layers.csv", "run.csv", "scale_delta.csv",
                        "steps.csv"}));
  const QList<std::pair<QString, int>> sizes{
      {"choices.csv", 6}, {"layers.csv", 4}, {"run.csv", 1}, {"steps.csv", 2}};
  for (const auto& [file, count] : sizes) {
    const auto rows = readCsv(folder.filePath(file));
    QCOMPARE(rows.size(), count + 1);
    for (const QStringList& row : rows) QCOMPARE(row.size(), rows[0].size());
  }
}

void tst_export_csv::textsAndNumbersComeBack() {
  QCOMPARE(cell("run.csv", 0, "model_name"), QString("small, \"quoted\""));
  QCOMPARE(cell("steps.csv", 0, "token_text"), QString("a,\"b\"\n"));
  QCOMPARE(cell("steps.csv", 1, "token_text"), QString::fromUtf8("é\uFFFD"));
  QCOMPARE(cell("steps.csv", 0, "margin"), QString("0.1"));
  QCOMPARE(cell("steps.csv", 0, "linf"), QString("1e-07"));
  QCOMPARE(cell("steps.csv", 0, "bare_linf"), QString());
  QCOMPARE(cell("steps.csv", 1, "bare_linf"), QString("4"));
  QCOMPARE(cell("steps.csv", 0, "milliseconds"), QString("nan"));
  QCOMPARE(cell("steps.csv", 1, "match"), QString("0"));
  QCOMPARE(cell("steps.csv", 0, "sampled_match"), QString());
  QCOMPARE(cell("steps.csv", 1, "sampled_match"), QString("0"));
  QCOMPARE(cell("steps.csv", 1, "patched_token_id"), QString("51"));
  QCOMPARE(cell("layers.csv", 3, "dw_down"), QString("77"));
  QCOMPARE(cell("layers.csv", 2, "dw_down"), QString());
  QCOMPARE(cell("layers.csv", 2, "experts"), QString("3,5"));
  QCOMPARE(cell("choices.csv", 2, "pass"), QString("patched"));
  QCOMPARE(cell("choices.csv", 3, "logit"), QString("111"));
}

void tst_export_csv::scaleDeltasHaveAColumnAChannel() {
  const auto rows = readCsv(m_folder.filePath("csv/scale_delta.csv"));
  QCOMPARE(rows.size(), 5);
  QCOMPARE(rows[0], (QStringList{"step", "layer", "channel_0", "channel_1"}));
  QCOMPARE(rows[4], (QStringList{"1", "1", "101", "0.1"}));
}

void tst_export_csv::whereThereIsNoScaleThereIsNoTable() {
  StoredRun run = test::smallRun();
  RunHeader header = *run.header;
  header.closesWithScale = false;
  run.header = std::make_shared<const RunHeader>(header);
  exportCsv(run, (m_folder.path() + "/without").toStdString());
  QVERIFY(!QFile::exists(m_folder.filePath("without/scale_delta.csv")));
  QVERIFY(QFile::exists(m_folder.filePath("without/layers.csv")));
}

void tst_export_csv::damagedPlacesAreNamed() {
  QVERIFY_ERROR(exportCsv(test::smallRun(), "/proc/nowhere"), "/proc/nowhere");
}

EQUIPATCH_TEST(tst_export_csv)
#include "tst_export_csv.moc"
