#include "core/checkpoint/spec.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_spec : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesALayersWeight();
  void ropesAreComparedFieldByField();
};

void tst_spec::namesALayersWeight() {
  QCOMPARE(layerWeight(3, "W_gate"), std::string("layers.3.W_gate"));
  QCOMPARE(layerWeight(0, "attn_norm"), std::string("layers.0.attn_norm"));
}

void tst_spec::ropesAreComparedFieldByField() {
  const RopeSpec plain;
  RopeSpec other = plain;
  QVERIFY(plain == other);
  other.originalPositions = 32;
  QVERIFY(plain != other);
}

EQUIPATCH_TEST(tst_spec)
#include "tst_spec.moc"
