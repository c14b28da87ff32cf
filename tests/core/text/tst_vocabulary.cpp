// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/vocabulary.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_vocabulary : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsBothWays();
  void allowsGaps();
  void refusesInvalidIds();
  void refusesLongPieces();
};

void tst_vocabulary::findsBothWays() {
  Vocabulary vocabulary;
  vocabulary.add("b", 1, "f");
  vocabulary.add("a", 0, "f");
  vocabulary.add("a", 0, "f");  // again is no harm
  QCOMPARE(vocabulary.find("b").value(), std::uint32_t{1});
  QVERIFY(!vocabulary.find("c"));
  QCOMPARE(*vocabulary.piece(0), std::string("a"));
  QCOMPARE(vocabulary.size(), std::int64_t{2});
  const Vocabulary moved = std::move(vocabulary);
  QCOMPARE(*moved.piece(1), std::string("b"));
}

void tst_vocabulary::allowsGaps() {
  Vocabulary vocabulary;
  vocabulary.add("x", 5, "f");
  QCOMPARE(vocabulary.size(), std::int64_t{6});
  QVERIFY(!vocabulary.piece(4));
  QVERIFY(!vocabulary.piece(6));
  QVERIFY(!vocabulary.piece(-1));
}

void tst_vocabulary::refusesInvalidIds() {
  Vocabulary vocabulary;
  vocabulary.add("a", 0, "f");
  QVERIFY_ERROR(vocabulary.add("b", -1, "f: model"), "f: model", "\"b\"", "-1");
  QVERIFY_ERROR(vocabulary.add("b", 1'000'000'000'000, "f"), "1000000000000", "4194303");
  QVERIFY_ERROR(vocabulary.add("b", 0, "f"), "\"a\"", "\"b\"", "id 0");
  QVERIFY_ERROR(vocabulary.add("a", 2, "f"), "\"a\"", "0 and 2");
  QCOMPARE(vocabulary.size(), std::int64_t{1});
}

void tst_vocabulary::refusesLongPieces() {
  Vocabulary vocabulary;
  vocabulary.add(std::string(8192, 'a'), 0, "f");
  QVERIFY_ERROR(vocabulary.add(std::string(8193, 'a'), 1, "f: model"), "f: model",
                "8193 bytes");
}

EQUIPATCH_TEST(tst_vocabulary)
#include "tst_vocabulary.moc"
