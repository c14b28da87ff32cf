#include "core/patch/patch_size.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

ModelSpec specOfWidth(std::int64_t layers) {
  ModelSpec spec{.width = 10, .mlpWidth = 40};
  spec.layers.resize(std::size_t(layers));
  return spec;
}

}  // namespace

/// Of real patches of every golden model, core/run/tst_patched_parameters counts.
class tst_patch_size : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void gatedAndPlain() {
    ModelSpec spec = specOfWidth(3);
    QVERIFY(patchSize(spec) == (PatchSize{3 * 3 * 400, 3 * 3 * 50}));
    spec.mlpForm = MlpForm::Plain;
    QVERIFY(patchSize(spec) == (PatchSize{3 * 2 * 400, 3 * 2 * 50}));
  }

  void whatClosesTheBlock() {
    ModelSpec spec = specOfWidth(1);
    spec.mlpPostNorm = true;  // m joins
    QVERIFY(patchSize(spec) == (PatchSize{3 * 400 + 10, 3 * 50 + 10}));
    spec.norm.bias = true;  // the norm's bias does all alone
    QVERIFY(patchSize(spec) == (PatchSize{2 * 400 + 10, 2 * 50 + 10}));
    ModelSpec biased = specOfWidth(1);
    biased.mlpBias = true;  // in W_down's place
    QVERIFY(patchSize(biased) == (PatchSize{2 * 400 + 10, 2 * 50 + 10}));
  }

  void moeCountsActiveExperts() {
    ModelSpec spec = specOfWidth(2);
    spec.moe = MoeSpec{.experts = 8, .active = 2, .expertWidth = 5};
    spec.layers[1].moe = true;
    const PatchSize dense{3 * 400, 3 * 50}, router{80, 18}, expert{3 * 50, 3 * 15};
    QVERIFY(patchSize(spec) ==
            (PatchSize{dense.changed + router.changed + 2 * expert.changed,
                       dense.made + router.made + 2 * expert.made}));
    const PatchSize without = patchSize(spec);
    spec.moe->sharedWidth = 7;
    QVERIFY(patchSize(spec) ==
            (PatchSize{without.changed + 10 + 3 * 70, without.made + 11 + 3 * 17}));
  }
};

EQUIPATCH_TEST(tst_patch_size)
#include "tst_patch_size.moc"
