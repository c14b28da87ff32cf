#include "core/patch/hooks/patch_application.h"

#include <QTemporaryDir>

#include "core/patch/hooks/patch_builder.h"
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

/// A product of all rows of x, as a block hands it to a hooks.
Product productOf(const Arithmetic& arithmetic, const Linear& linear, const Tensor& x) {
  return {{MatrixRole::Gate}, linear, x, arithmetic.product(x, linear), {}};
}

}  // namespace

class tst_patch_application : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void factoredAddsTheRankOneProduct();
  void materialisedIsTheStoredMatrix_data();
  void materialisedIsTheStoredMatrix();
  void onlyTheGivenRowChanges();
  void scalesAreStoredAsTheCheckpointWould();
  void aStoredPatchReplaysAsItWasBuilt_data();
  void aStoredPatchReplaysAsItWasBuilt();
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
  MatrixApplication{Application::Factored, arithmetic}.apply(change, product, 0);
  const Eigen::MatrixXd patched = W + change.u * change.w.transpose();
  QVERIFY((hostRow(product.output, 0) - patched * row).norm() < 1e-12);
}

void tst_patch_application::materialisedIsTheStoredMatrix_data() {
  QTest::addColumn<int>("dtype");
  QTest::newRow("bfloat16") << static_cast<int>(DType::BF16);
  QTest::newRow("float16") << static_cast<int>(DType::F16);
  QTest::newRow("float32") << static_cast<int>(DType::F32);
}

void tst_patch_application::materialisedIsTheStoredMatrix() {
  const c10::InferenceMode inference;
  QFETCH(int, dtype);
  test::Random random(2);
  const Arithmetic arithmetic(static_cast<DType>(dtype), at::kCPU);
  const Linear linear{tensorOf(random.matrix(33, 29), arithmetic.storage()),
                      toTensor(random.vector(33), arithmetic.wide())};
  const RankOne change{random.vector(33), random.vector(29)};
  const Tensor x = toTensor(random.vector(29), arithmetic.wide()).unsqueeze(0);

  // The matrix as one would store it, formed by libtorch and multiplied like any other.
  const Tensor delta = at::outer(toTensor(change.u, arithmetic.wide()),
                                 toTensor(change.w, arithmetic.wide()));
  const Linear stored{
      (linear.weight.to(arithmetic.wide()) + delta).to(arithmetic.storage()),
      linear.bias};
  Product product = productOf(arithmetic, linear, x);
  MatrixApplication{Application::Materialised, arithmetic}.apply(change, product, 0);
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
    MatrixApplication{application, arithmetic}.apply(change, product, 1);
    const Tensor after = product.output;
    QVERIFY(at::equal(before[0], after[0]));
    QVERIFY(at::equal(before[2], after[2]));
    QVERIFY((before[1] - after[1]).abs().max().item<double>() > 1e-3);
  }
}

void tst_patch_application::scalesAreStoredAsTheCheckpointWould() {
  const c10::InferenceMode inference;
  const Arithmetic arithmetic(DType::BF16, at::kCPU);
  const Vector m{{0.2, 1.0, -3.0}};
  // w = m − 1 = −0.8 lies between bfloat16 numbers 2^-8 apart: a loss of m itself of 1 %.
  const Vector shifted = storedScale(m, {.storedMinusOne = true}, arithmetic);
  QVERIFY(std::abs(shifted[0] - 1.0 + 0.80078125) < 1e-12);
  QCOMPARE(shifted[1], 1.0);
  QCOMPARE(shifted[2], -3.0);
  const Vector plain = storedScale(m, {.storedMinusOne = false}, arithmetic);
  QCOMPARE(plain[0], 0.2001953125);
}

void tst_patch_application::aStoredPatchReplaysAsItWasBuilt_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("application");
  for (const char* family : {"llama", "gemma3_text"})
    for (const char* application : {"factored", "materialised"})
      QTest::addRow("%s %s", family, application) << family << application;
}

/// The patched row of the building pass and an ordinary context-free forward with the
/// stored patch are the same computation.
void tst_patch_application::aStoredPatchReplaysAsItWasBuilt() {
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
  GivenPatch given(builder.patch(), 0, options.application);
  const Tensor replayed =
      model->forward(model->embed(x, 3), lone, given, model->arithmetic());
  QVERIFY(at::equal(built, replayed));
  const Tensor bare = model->forward(model->embed(x, 3), lone, none, model->arithmetic());
  QVERIFY((built - bare).abs().max().item<double>() > 0.1);
}

EQUIPATCH_TEST(tst_patch_application)
#include "tst_patch_application.moc"
