#include "core/checkpoint/spec.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_spec : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesALayersWeight();
  void ropesAreComparedFieldByField();
  void storedShapesFollowFromTheParts();
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

void tst_spec::storedShapesFollowFromTheParts() {
  using Shape = std::vector<std::int64_t>;
  TensorBinding binding{.name = "W_q", .checkpointName = "q", .shape = {6, 4}};
  QCOMPARE(storedShape(binding), (Shape{6, 4}));
  binding.part.transposed = true;
  QCOMPARE(storedShape(binding), (Shape{4, 6}));
  binding.part.parts = 3;
  QCOMPARE(storedShape(binding), (Shape{4, 18}));
  binding.part = {.groups = 2, .parts = 3, .index = 1};
  QCOMPARE(storedShape(binding), (Shape{18, 4}));
  binding.shape = {6};
  QCOMPARE(storedShape(binding), (Shape{18}));
}

EQUIPATCH_TEST(tst_spec)
#include "tst_spec.moc"
