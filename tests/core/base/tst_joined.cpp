#include "core/base/joined.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_joined : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void separatorsStandBetween();
  void emptyTextsCount();
};

void tst_joined::separatorsStandBetween() {
  QCOMPARE(joined({}), std::string());
  QCOMPARE(joined({"a"}), std::string("a"));
  QCOMPARE(joined({"a", "b", "c"}), std::string("a, b, c"));
  QCOMPARE(joined({"a", "b"}, " "), std::string("a b"));
}

void tst_joined::emptyTextsCount() {
  QCOMPARE(joined({"", "", "a"}), std::string(", , a"));
}

EQUIPATCH_TEST(tst_joined)
#include "tst_joined.moc"
