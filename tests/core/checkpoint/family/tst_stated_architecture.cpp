#include "core/checkpoint/family/stated_architecture.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_stated_architecture : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isTheConfigsOwnWord_data();
  void isTheConfigsOwnWord();
};

void tst_stated_architecture::isTheConfigsOwnWord_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QString>("word");
  QTest::newRow("class") << QByteArray(
                                R"({"architectures": ["A", "B"], "model_type": "t"})")
                         << "A";
  QTest::newRow("type") << QByteArray(R"({"architectures": null, "model_type": "t"})")
                        << "t";
  QTest::newRow("empty list") << QByteArray(R"({"architectures": []})") << "";
  QTest::newRow("no names") << QByteArray(R"({"architectures": [1], "model_type": 2})")
                            << "";
  QTest::newRow("no object") << QByteArray("[]") << "";
}

void tst_stated_architecture::isTheConfigsOwnWord() {
  QFETCH(QByteArray, config);
  QFETCH(QString, word);
  QCOMPARE(QString::fromStdString(statedArchitecture(Json::parse(config.toStdString()))),
           word);
}

EQUIPATCH_TEST(tst_stated_architecture)
#include "tst_stated_architecture.moc"
