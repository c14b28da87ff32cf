#include "core/patch/patch_strength.h"

#include "core/patch/host_vector.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Tensor tensor(const Vector& vector) {
  return toTensor(vector, at::TensorOptions(at::kDouble));
}

/// Two layers: one with a scale, one with a bias.
struct StrengthSetting {
  StrengthSetting() : patch(2) {
    weights.layers.resize(2);
    weights.layers[0].mlp_post_norm.m = tensor(Vector{{1.0, 2.0}});
    weights.layers[1].mlp.W_down.bias = tensor(Vector{{5.0, 5.0}});
    const RankOne change{Vector{{4.0, 8.0}}, Vector{{1.0, 1.0, 1.0}}};
    patch[0].matrices = {{{MatrixRole::Gate}, change}};
    patch[0].scale = Vector{{3.0, 2.0}};
    patch[1].matrices = {{{MatrixRole::In}, change}};
    patch[1].bias = Vector{{7.0, 1.0}};
  }

  ModelSpec spec;
  Weights weights;
  Patch patch;
};

}  // namespace

class tst_patch_strength : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void fullStrengthIsThePatch();
  void halfStrengthIsHalfWay();
  void layersNotChosenAreLeftAlone();
  void aBiasBehindTheNormIsMeasuredFromThere();
};

void tst_patch_strength::fullStrengthIsThePatch() {
  const StrengthSetting setting;
  const Patch same = strengthened(setting.patch, setting.spec, setting.weights, {});
  QVERIFY(PatchStrength{}.whole());
  for (std::size_t layer = 0; layer < 2; ++layer) {
    QVERIFY(same[layer].matrices[0].change.u ==
            setting.patch[layer].matrices[0].change.u);
    QCOMPARE(same[layer].scale.has_value(), setting.patch[layer].scale.has_value());
  }
  QVERIFY(*same[0].scale == *setting.patch[0].scale);
  QVERIFY(*same[1].bias == *setting.patch[1].bias);
}

void tst_patch_strength::halfStrengthIsHalfWay() {
  const StrengthSetting setting;
  const Patch half =
      strengthened(setting.patch, setting.spec, setting.weights, {.alpha = 0.5});
  QVERIFY(half[0].matrices[0].change.u == Vector({{2.0, 4.0}}));
  QVERIFY(half[0].matrices[0].change.w == Vector::Ones(3));
  QVERIFY(*half[0].scale == Vector({{2.0, 2.0}}));
  QVERIFY(*half[1].bias == Vector({{6.0, 3.0}}));
  const Patch none =
      strengthened(setting.patch, setting.spec, setting.weights, {.alpha = 0.0});
  QVERIFY(none[0].matrices[0].change.u.isZero(0.0));
  QVERIFY(*none[0].scale == Vector({{1.0, 2.0}}));
}

void tst_patch_strength::layersNotChosenAreLeftAlone() {
  const StrengthSetting setting;
  const Patch second =
      strengthened(setting.patch, setting.spec, setting.weights, {.layers = {1}});
  QVERIFY(second[0].empty());
  QVERIFY(*second[1].bias == *setting.patch[1].bias);
  QVERIFY(!PatchStrength{.layers = {1}}.whole());
}

void tst_patch_strength::aBiasBehindTheNormIsMeasuredFromThere() {
  StrengthSetting setting;
  setting.spec.mlpPostNorm = setting.spec.norm.bias = true;
  setting.weights.layers[1].mlp_post_norm.bias = tensor(Vector{{9.0, 9.0}});
  const Patch half =
      strengthened(setting.patch, setting.spec, setting.weights, {.alpha = 0.5});
  QVERIFY((*half[1].bias - Vector{{8.0, 5.0}}).isZero(1e-15));
}

EQUIPATCH_TEST(tst_patch_strength)
#include "tst_patch_strength.moc"
