// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/patch_application.h"

#include <QTemporaryDir>

#include "core/patch/hooks/patch_builder.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/core/patch/eigen_model.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

Tensor tensorOf(const Eigen::MatrixXd& matrix, at::ScalarType type) {
  Tensor out = at::empty({matrix.rows(), matrix.cols()}, at::kDouble);
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    setRow(out, row, matrix.row(row));
  return out.to(type);
}

Product productOf(const Arithmetic& arithmetic, const Linear& linear, const Tensor& x) {
  return {{MatrixRole::Gate}, linear, x, arithmetic.product(x, linear), {}};
}

/// A product of a random matrix [5, 8] with three rows.
struct SharedSetting {
  explicit SharedSetting(DType dtype) : arithmetic(dtype, at::kCPU) {
    test::Random random(1);
    const auto options = at::TensorOptions(arithmetic.wide());
    linear.weight = arithmetic.roundAsWeight(toRows(random.matrix(8, 5), options))
                        .to(arithmetic.weightType());
    linear.bias = toTensor(random.vector(5), options);
    input = toRows(random.matrix(8, 3), options);
  }

  Product product(MatrixRole role = MatrixRole::Gate) const {
    return {{role}, linear, input, arithmetic.product(input, linear), {}};
  }

  Arithmetic arithmetic;
  Linear linear;
  Tensor input;
};

Tensor tensor(const Vector& vector) {
  return toTensor(vector, at::TensorOptions(at::kDouble));
}

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

class tst_patch_application : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void factoredAddsTheRankOneProduct();
  void materialisedProductUsesTheStoredMatrix_data();
  void materialisedProductUsesTheStoredMatrix();
  void onlyTheGivenRowChanges();
  void scalesAreRoundedAsInTheCheckpoint();
  void aReplayedPatchRepeatsTheBuildersOutput_data();
  void aReplayedPatchRepeatsTheBuildersOutput();
  void everyRowGetsThePatchedMatrix();
  void materialisedRowsUseTheStoredMatrix();
  void theDownProductExcludesItsBias();
  void fullStrengthLeavesThePatchUnchanged();
  void alphaMultipliesTheChange();
  void strengthenedPatchesAreRoundedWhenStored();
  void layersNotChosenGetNoPatch();
  void halfStrengthHalvesAChangeOfTheNormsBias();
};

void tst_patch_application::factoredAddsTheRankOneProduct() {
  const c10::InferenceMode inference;
  test::Random random(1);
  const Eigen::MatrixXd W = random.matrix(6, 5);
  const RankOne change{random.vector(6), random.vector(5)};
  const Arithmetic arithmetic(DType::F64, at::kCPU);
  const Linear linear{tensorOf(W, at::kDouble), {}};
  const Vector row = random.vector(5);
  const Tensor x = toTensor(row, at::kDouble).unsqueeze(0);
  Product product = productOf(arithmetic, linear, x);
  applyToRow(change, product, 0, Application::Factored, arithmetic);
  const Eigen::MatrixXd patched = W + change.u * change.w.transpose();
  QVERIFY((hostRow(product.output, 0) - patched * row).norm() < 1e-12);
}

void tst_patch_application::materialisedProductUsesTheStoredMatrix_data() {
  QTest::addColumn<int>("dtype");
  QTest::newRow("bfloat16") << static_cast<int>(DType::BF16);
  QTest::newRow("float16") << static_cast<int>(DType::F16);
  QTest::newRow("float32") << static_cast<int>(DType::F32);
}

void tst_patch_application::materialisedProductUsesTheStoredMatrix() {
  const c10::InferenceMode inference;
  QFETCH(int, dtype);
  test::Random random(2);
  const Arithmetic arithmetic(static_cast<DType>(dtype), at::kCPU);
  const Linear linear{tensorOf(random.matrix(33, 29), arithmetic.weightType()),
                      toTensor(random.vector(33), arithmetic.wide())};
  const RankOne change{random.vector(33), random.vector(29)};
  const Tensor x = toTensor(random.vector(29), arithmetic.wide()).unsqueeze(0);

  const Tensor delta = at::outer(toTensor(change.u, arithmetic.wide()),
                                 toTensor(change.w, arithmetic.wide()));
  const Linear stored{
      (linear.weight.to(arithmetic.wide()) + delta).to(arithmetic.weightType()),
      linear.bias};
  Product product = productOf(arithmetic, linear, x);
  applyToRow(change, product, 0, Application::Materialised, arithmetic);
  QVERIFY(at::equal(product.output, arithmetic.product(x, stored)));
}

void tst_patch_application::onlyTheGivenRowChanges() {
  const c10::InferenceMode inference;
  test::Random random(3);
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  const Linear linear{tensorOf(random.matrix(8, 8), at::kFloat), {}};
  const RankOne change{random.vector(8), random.vector(8)};
  const Tensor x = tensorOf(random.matrix(3, 8), at::kFloat);
  for (const Application application :
       {Application::Factored, Application::Materialised}) {
    const Tensor before = arithmetic.product(x, linear);
    Product product = productOf(arithmetic, linear, x);
    applyToRow(change, product, 1, application, arithmetic);
    const Tensor after = product.output;
    QVERIFY(at::equal(before[0], after[0]));
    QVERIFY(at::equal(before[2], after[2]));
    QVERIFY((before[1] - after[1]).abs().max().item<double>() > 1e-3);
  }
}

void tst_patch_application::scalesAreRoundedAsInTheCheckpoint() {
  const c10::InferenceMode inference;
  const Arithmetic arithmetic(DType::BF16, at::kCPU);
  const Vector m{{0.2, 1.0, -3.0}};
  // The checkpoint holds m − 1 = −0.8, which bfloat16 rounds to −0.80078125.
  const Vector shifted = storedScale(m, {.storedMinusOne = true}, arithmetic);
  QVERIFY(std::abs(shifted[0] - 1.0 + 0.80078125) < 1e-12);
  QCOMPARE(shifted[1], 1.0);
  QCOMPARE(shifted[2], -3.0);
  const Vector plain = storedScale(m, {.storedMinusOne = false}, arithmetic);
  QCOMPARE(plain[0], 0.2001953125);
}

void tst_patch_application::aReplayedPatchRepeatsTheBuildersOutput_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("application");
  for (const char* family : {"llama", "gemma3_text"})
    for (const char* application : {"factored", "materialised"})
      QTest::addRow("%s %s", family, application) << family << application;
}

void tst_patch_application::aReplayedPatchRepeatsTheBuildersOutput() {
  const c10::InferenceMode inference;
  QFETCH(QString, family);
  QFETCH(QString, application);
  const PatchOptions options{.application =
                                 *applicationFromName(application.toStdString())};
  QTemporaryDir folder;
  SilentProgress silent;
  const auto path = test::writeTinyCheckpoint(
      std::filesystem::path(folder.path().toStdString()) / "model",
      {.family = family.toStdString()});
  const auto model = Transformer::load(Checkpoint::open(path),
                                       Arithmetic(DType::BF16, at::kCPU), silent);
  const std::vector<TokenId> context{TokenId(4), TokenId(8), TokenId(15)}, x{TokenId(16)};
  KvCache cache = model->makeCache(4);
  BlockHooks none;
  model->prefill(context, cache, none, model->arithmetic(), silent);

  ContextRecord record(static_cast<std::size_t>(model->spec().layerCount()));
  ContextRecorder recorder(0, record);
  model->prefill(x, cache, recorder, model->arithmetic(), silent);
  PatchBuilder builder(record, {.source = 0, .patched = 0}, options);
  const RowBatch lone{.reducedRows = 1};
  const Tensor built =
      model->forward(model->embed(x, 3), lone, builder, model->arithmetic());
  const Patch patch = builder.takePatch();
  GivenPatch given(patch, 0, options.application);
  const Tensor replayed =
      model->forward(model->embed(x, 3), lone, given, model->arithmetic());
  QVERIFY(at::equal(built, replayed));
  const Tensor bare = model->forward(model->embed(x, 3), lone, none, model->arithmetic());
  QVERIFY((built - bare).abs().max().item<double>() > 0.1);
}

void tst_patch_application::everyRowGetsThePatchedMatrix() {
  const SharedSetting setting(DType::F64);
  test::Random random(2);
  const LowRank change(random.matrix(5, 2), random.matrix(8, 2));
  Product product = setting.product();
  applyToAllRows(change, product, Application::Factored, setting.arithmetic);
  const Eigen::MatrixXd W = hostColumns(setting.linear.weight).transpose();
  const Eigen::MatrixXd formed = W + change.U * change.V.transpose();
  const Columns expected =
      (formed * hostColumns(setting.input)).colwise() + toHost(setting.linear.bias);
  QVERIFY((hostColumns(product.output) - expected).norm() < 1e-13);
}

void tst_patch_application::materialisedRowsUseTheStoredMatrix() {
  const SharedSetting setting(DType::BF16);
  test::Random random(3);
  const LowRank change(random.matrix(5, 2), random.matrix(8, 2));
  Product factored = setting.product(), stored = setting.product();
  applyToAllRows(change, factored, Application::Factored, setting.arithmetic);
  applyToAllRows(change, stored, Application::Materialised, setting.arithmetic);
  const auto wide = at::TensorOptions(at::kFloat);
  const Tensor formed = (setting.linear.weight.to(at::kFloat) +
                         at::mm(toRows(change.U, wide).t(), toRows(change.V, wide)))
                            .to(at::kBFloat16);
  const Tensor expected =
      at::mm(setting.input, formed.to(at::kFloat).t()) + setting.linear.bias;
  QVERIFY(test::largestDifference(stored.output, expected) < 1e-4);
  // The stored sum W + U Vᵀ is rounded.
  QVERIFY(test::largestDifference(stored.output, factored.output) > 1e-3);
}

void tst_patch_application::theDownProductExcludesItsBias() {
  const SharedSetting setting(DType::F64);
  const LowRank none(Columns::Zero(5, 1), Columns::Zero(8, 1));
  Product first = setting.product(), last = setting.product(MatrixRole::Down);
  applyToAllRows(none, first, Application::Materialised, setting.arithmetic);
  applyToAllRows(none, last, Application::Materialised, setting.arithmetic);
  QVERIFY(test::largestDifference(first.output - last.output,
                                  setting.linear.bias.expand_as(first.output)) < 1e-13);
}

void tst_patch_application::fullStrengthLeavesThePatchUnchanged() {
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

void tst_patch_application::alphaMultipliesTheChange() {
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

/// bfloat16 cannot represent the strengthened scale and bias.
void tst_patch_application::strengthenedPatchesAreRoundedWhenStored() {
  StrengthSetting setting;
  const double next = 1.0078125;  // the next bfloat16 number after 1
  setting.patch[0].scale = setting.patch[0].denseScale = Vector{{next, 2.0}};
  setting.weights.layers[0].dense_post_norm.m = tensor(Vector{{1.0, 2.0}});
  setting.patch[1].bias = Vector{{5.0625, 5.0}};
  const Patch part =
      strengthened(setting.patch, setting.spec, setting.weights, {.alpha = 0.75});
  QVERIFY(*part[0].scale == Vector({{1.005859375, 2.0}}));
  const Arithmetic arithmetic(DType::BF16, at::kCPU);
  const Patch stored = storedPatch(part, setting.spec.norm, arithmetic);
  QVERIFY(*stored[0].scale == Vector({{next, 2.0}}));
  QVERIFY(*stored[0].denseScale == *stored[0].scale);
  QVERIFY(*stored[1].bias == Vector({{5.0625, 5.0}}));
  QVERIFY(*part[1].bias == Vector({{5.046875, 5.0}}));
  QVERIFY(stored[0].matrices[0].change.u == part[0].matrices[0].change.u);
}

void tst_patch_application::layersNotChosenGetNoPatch() {
  const StrengthSetting setting;
  const Patch second =
      strengthened(setting.patch, setting.spec, setting.weights, {.layers = {1}});
  QVERIFY(second[0].matrices.empty() && !second[0].scale && !second[0].bias);
  QVERIFY(*second[1].bias == *setting.patch[1].bias);
  QVERIFY(!PatchStrength{.layers = {1}}.whole());
}

void tst_patch_application::halfStrengthHalvesAChangeOfTheNormsBias() {
  StrengthSetting setting;
  setting.spec.mlpPostNorm = setting.spec.norm.bias = true;
  setting.weights.layers[1].mlp_post_norm.bias = tensor(Vector{{9.0, 9.0}});
  const Patch half =
      strengthened(setting.patch, setting.spec, setting.weights, {.alpha = 0.5});
  QVERIFY((*half[1].bias - Vector{{8.0, 5.0}}).isZero(1e-15));
}

EQUIPATCH_TEST(tst_patch_application)
#include "tst_patch_application.moc"
