// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/token_label.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_token_label : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void labels_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("label");
    QTest::newRow("word") << QByteArray("Mars") << QByteArray("Mars");
    QTest::newRow("space before") << QByteArray(" Mars") << QByteArray("Mars");
    QTest::newRow("a space") << QByteArray(" ") << QByteArray("·");
    QTest::newRow("space after") << QByteArray("a ") << QByteArray("a·");
    QTest::newRow("line break") << QByteArray("\n\t") << QByteArray("↵→");
    QTest::newRow("half a character") << QByteArray("\xE2\x80") << QByteArray("\uFFFD");
    QTest::newRow("control") << QByteArray("a\x01") << QByteArray("a\uFFFD");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("long") << QByteArray("ααααααααααααααα")
                          << QByteArray("αααααααααααααα…");
  }

  void labels() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(tokenLabel(text.toStdString())), "label");
  }
};

EQUIPATCH_TEST(tst_token_label)
#include "tst_token_label.moc"
