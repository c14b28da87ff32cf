// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/settings.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<LabSetting> table() {
  return {
      {"steps", "training steps", std::int64_t{10}, std::int64_t{1000}, 1.0, 1e6},
      {"rate", "learning rate", 0.5, 0.25, 0.0, 1.0},
      {"kernel", "k", std::string("rbf"), std::string("rbf"), 0, 0, {"rbf", "linear"}},
      {"text", "any", std::string("a b"), std::string("a b")}};
}

}  // namespace

class tst_settings : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void presetsDiffer();
  void changedSettingsTakeEffect();
  void resultsNameTheModelAndNotItsFolder();
  void errorsNameTheSetting_data();
  void errorsNameTheSetting();
};

void tst_settings::presetsDiffer() {
  const LabSettings quick(table(), LabPreset::Quick), paper(table(), LabPreset::Paper);
  QCOMPARE(quick.count("steps"), std::int64_t{10});
  QCOMPARE(paper.count("steps"), std::int64_t{1000});
  QCOMPARE(paper.number("rate"), 0.25);
  QCOMPARE(quick.preset(), std::string("quick"));
  QCOMPARE(paper.preset(), std::string("paper"));
}

void tst_settings::changedSettingsTakeEffect() {
  LabSettings settings(table(), LabPreset::Quick);
  settings.set("steps", "10");
  QCOMPARE(settings.preset(), std::string("quick"));  // the preset's value
  settings.set("steps", "11");
  settings.set("rate", "1e-3");
  settings.set("kernel", "linear");
  settings.set("text", "");
  QCOMPARE(settings.count("steps"), std::int64_t{11});
  QCOMPARE(settings.number("rate"), 1e-3);
  QCOMPARE(settings.text("kernel"), std::string("linear"));
  QCOMPARE(settings.text("text"), std::string());
  QCOMPARE(settings.preset(), std::string("own"));
  QVERIFY(settings.choices()[0] == (LabChoice{"steps", std::int64_t{11}}));
}

void tst_settings::resultsNameTheModelAndNotItsFolder() {
  LabSettings settings({modelSetting("bundled")}, LabPreset::Quick);
  QVERIFY(settings.choices()[0] == (LabChoice{"model", std::string("bundled")}));
  QVERIFY_ERROR(settings.set("model", ""),
                "model: the name is empty; give a folder or a name that `models` lists");
  settings.set("model", "/home/me/models/tiny");
  QCOMPARE(settings.text("model"), std::string("/home/me/models/tiny"));
  QVERIFY(settings.choices()[0] == (LabChoice{"model", std::string("tiny")}));
}

void tst_settings::errorsNameTheSetting_data() {
  QTest::addColumn<QByteArray>("name");
  QTest::addColumn<QByteArray>("value");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* value, const char* part) {
    QTest::addRow("%s=%s", name, value)
        << QByteArray(name) << QByteArray(value) << QString(part);
  };
  row("steps", "0", "expected a whole number from 1 to 1000000, found \"0\"");
  row("steps", "2.5", "whole number");
  row("steps", "", "whole number");
  row("steps", "99999999999999999999", "whole number");
  row("rate", "nan", "expected a number from 0 to 1");
  row("rate", "1.5", "expected a number from 0 to 1");
  row("rate", "0.5x", "expected a number");
  row("kernel", "cubic", "expected one of rbf, linear, found \"cubic\"");
  row("depth", "1", "no setting \"depth\"; it has steps, rate, kernel, text");
}

void tst_settings::errorsNameTheSetting() {
  QFETCH(QByteArray, name);
  QFETCH(QByteArray, value);
  QFETCH(QString, part);
  LabSettings settings(table(), LabPreset::Quick);
  QVERIFY_ERROR(settings.set(name.toStdString(), value.toStdString()),
                QString::fromUtf8(name), part);
  QCOMPARE(settings.preset(), std::string("quick"));
}

EQUIPATCH_TEST(tst_settings)
#include "tst_settings.moc"
