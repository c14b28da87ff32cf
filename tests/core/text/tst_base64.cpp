#include "core/text/base64.h"

#include <QByteArray>
#include <random>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_base64 : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsWhatOthersWrite();
  void refusesWhatIsNone_data();
  void refusesWhatIsNone();
};

/// Qt's own encoder is the reference.
void tst_base64::readsWhatOthersWrite() {
  std::mt19937 random(1);
  for (int size = 0; size < 70; ++size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(random());
    const std::string text = QByteArray::fromStdString(bytes).toBase64().toStdString();
    QCOMPARE(bytesOfBase64(text), bytes);
  }
}

void tst_base64::refusesWhatIsNone_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"A", "AAA", "AAAAA", "A=AA", "AA=A", "====", "A===", "AAA ",
                           "AAA-", "AAAA====", "AB==", "AAB=", "AA\n="})
    QTest::newRow(text) << text;
}

void tst_base64::refusesWhatIsNone() {
  QFETCH(QString, text);
  QVERIFY(!bytesOfBase64(text.toStdString()));
}

EQUIPATCH_TEST(tst_base64)
#include "tst_base64.moc"
