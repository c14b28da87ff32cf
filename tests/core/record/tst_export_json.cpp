#include "core/record/export/export_json.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

QJsonObject exported(const StoredRun& run) {
  const QTemporaryDir folder;
  exportJson(run, folder.filePath("run.json").toStdString());
  QFile file(folder.filePath("run.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

}  // namespace

class tst_export_json : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void isOneDocument();
  void aRunWithoutStepsIsOneToo();
};

void tst_export_json::isOneDocument() {
  const QJsonObject document = exported(test::smallRun());
  QCOMPARE(document.keys(), (QStringList{"prompt_ids", "run", "steps", "summary"}));
  const QJsonObject settings = document["run"].toObject();
  QCOMPARE(settings["model_name"].toString(), QString("small, \"quoted\""));
  QCOMPARE(settings["method"].toString(), QString("balanced"));
  QCOMPARE(settings["top_p"].toDouble(), 1.0);
  QCOMPARE(document["prompt_ids"].toArray(), (QJsonArray{7, 9}));
  const QJsonArray steps = document["steps"].toArray();
  QCOMPARE(steps.size(), 2);
  QCOMPARE(steps[1].toObject()["bare_linf"].toDouble(), 4.0);
  QCOMPARE(steps[1].toObject()["token"].toString(), QString::fromUtf8("é\uFFFD"));
  const QJsonObject layer = steps[1].toObject()["layers"].toArray()[1].toObject();
  QCOMPARE(layer["dw"].toObject()["down"].toDouble(), 77.0);
  QCOMPARE(document["summary"].toObject()["matches"].toInt(), 1);
}

void tst_export_json::aRunWithoutStepsIsOneToo() {
  StoredRun run = test::smallRun();
  run.steps.clear();
  const QJsonObject document = exported(run);
  QCOMPARE(document["steps"].toArray().size(), 0);
  QCOMPARE(document["summary"].toObject()["steps"].toInt(), 0);
}

EQUIPATCH_TEST(tst_export_json)
#include "tst_export_json.moc"
