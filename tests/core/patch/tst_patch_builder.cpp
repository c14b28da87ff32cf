#include "core/patch/patch_builder.h"

#include <QTemporaryDir>

#include "tests/core/patch/eigen_model.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
using equipatch::test::EigenModel;

namespace {

/// A random model in float64 with a few tokens of context in its cache.
class Fixture {
 public:
  Fixture(const std::string& family, const std::string& moreConfig = "{}") {
    const auto folder = test::writeTinyCheckpoint(
        std::filesystem::path(m_folder.path().toStdString()) / "model",
        {.family = family, .moreConfig = moreConfig});
    model = Transformer::load(Checkpoint::open(folder), DType::F64, at::kCPU, m_silent);
  }

  /// Runs x after `context` in lockstep with a builder; the caller reads it off.
  void run(const std::vector<TokenId>& context, TokenId x, PatchOptions options) {
    KvCache cache = model->makeCache(static_cast<std::int64_t>(context.size()) + 1);
    BlockPolicy none;
    model->prefill(context, cache, none, model->arithmetic(), m_silent);
    record.resize(static_cast<std::size_t>(model->spec().layerCount()));
    const bool open = options.loop == Loop::Open;
    ContextRecorder recorder(0, record);
    PatchBuilder builder(record, {.source = open ? 2 : 1, .patched = 1}, options);
    PolicyChain chain({&recorder, &builder});
    const RowBatch batch{.contextRows = 1,
                         .loneRows = open ? 2 : 1,
                         .firstPosition = cache.length(),
                         .cache = &cache};
    const Tensor rows =
        model->embed(std::vector<TokenId>(static_cast<std::size_t>(batch.rows()), x));
    const Tensor out = model->forward(rows, batch, chain, model->arithmetic());
    patchedRow = hostRow(out, 1);
    patch = builder.patch();
    diagnostics = builder.diagnostics();
  }

  std::unique_ptr<Transformer> model;
  ContextRecord record;
  Patch patch;
  std::vector<LayerDiagnostics> diagnostics;
  Vector patchedRow;

 private:
  QTemporaryDir m_folder;
  SilentProgress m_silent;
};

const std::vector<TokenId> kContext{TokenId(5), TokenId(17), TokenId(3), TokenId(40),
                                    TokenId(17)};

double relativeError(const Vector& a, const Vector& b) {
  return (a - b).norm() / b.norm();
}

}  // namespace

class tst_patch_builder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void thePatchedWeightsRestoreEveryBlock_data();
  void thePatchedWeightsRestoreEveryBlock();
  void aPatchIsForOneContextOnly();
  void withoutContextThereIsNoPatch();
  void reportedNormsAreThoseOfTheMatrices();
  void directLeavesTheLastMatrixAlone();
  void zeroInputIsNamedNotPatched();
};

void tst_patch_builder::initTestCase_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("config");
  QTest::newRow("llama") << "llama"
                         << "{}";
  QTest::newRow("llama with biases") << "llama"
                                     << R"({"attention_bias": true, "mlp_bias": true})";
  QTest::newRow("gemma3") << "gemma3_text"
                          << "{}";
}

void tst_patch_builder::thePatchedWeightsRestoreEveryBlock_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<double>("tolerance");
  // `direct` divides by activations that come near zero: exact, but it amplifies
  // rounding.
  QTest::newRow("balanced closed") << "balanced"
                                   << "closed" << 1e-12;
  QTest::newRow("balanced half") << "balanced"
                                 << "half" << 1e-12;
  QTest::newRow("balanced open") << "balanced"
                                 << "open" << 1e-12;
  QTest::newRow("direct closed") << "direct"
                                 << "closed" << 1e-9;
  QTest::newRow("direct half") << "direct"
                               << "half" << 1e-9;
  QTest::newRow("direct open") << "direct"
                               << "open" << 1e-8;
}

/// Theorems 1, 2 and 5: from the token alone, weights with the patch really added give
/// every block's output of the contextual pass. The oracle is Eigen's, not the program's.
void tst_patch_builder::thePatchedWeightsRestoreEveryBlock() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH_GLOBAL(QString, config);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(double, tolerance);
  Fixture fixture(family.toStdString(), config.toStdString());
  const TokenId x(9);
  fixture.run(kContext, x,
              {.method = *methodFromName(method.toStdString()),
               .loop = *loopFromName(loop.toStdString())});
  const EigenModel oracle(*fixture.model);
  const std::vector<Vector> patched = oracle.run(x, fixture.patch);
  const std::vector<Vector> bare = oracle.run(x, Patch(patched.size()));
  for (std::size_t layer = 0; layer < patched.size(); ++layer) {
    const Vector& wanted = fixture.record[layer].x;
    QVERIFY(relativeError(bare[layer], wanted) > 1e-2);  // there is something to restore
    QVERIFY2(relativeError(patched[layer], wanted) <= tolerance,
             qPrintable(QString::number(relativeError(patched[layer], wanted))));
  }
  QVERIFY(relativeError(fixture.patchedRow, fixture.record.back().x) <= tolerance);
  const Vector logits = oracle.logits(patched.back());
  QVERIFY(relativeError(logits, oracle.logits(fixture.record.back().x)) <= tolerance);
}

void tst_patch_builder::aPatchIsForOneContextOnly() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture one(family.toStdString()), other(family.toStdString());
  one.run(kContext, TokenId(9), {});
  other.run({TokenId(1), TokenId(2)}, TokenId(9), {});
  QVERIFY((one.patch[0].gate->u - other.patch[0].gate->u).norm() > 1e-3);
  const auto outputs = EigenModel(*one.model).run(TokenId(9), other.patch);
  QVERIFY(relativeError(outputs.back(), one.record.back().x) > 1e-2);
}

void tst_patch_builder::withoutContextThereIsNoPatch() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family.toStdString());
  fixture.run({}, TokenId(9), {});
  for (std::size_t layer = 0; layer < fixture.patch.size(); ++layer) {
    QVERIFY(fixture.patch[layer].empty());
    QCOMPARE(fixture.diagnostics[layer].effect, 0.0);
    QCOMPARE(fixture.diagnostics[layer].gateNorm, 0.0);
  }
  QVERIFY(fixture.patchedRow == fixture.record.back().x);
}

void tst_patch_builder::reportedNormsAreThoseOfTheMatrices() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family.toStdString());
  fixture.run(kContext, TokenId(9), {});
  const LayerPatch& patch = fixture.patch[1];
  const LayerDiagnostics& layer = fixture.diagnostics[1];
  const auto formed = [](const RankOne& change) {
    return Eigen::MatrixXd(change.u * change.w.transpose()).norm();
  };
  QVERIFY(std::abs(layer.gateNorm - formed(*patch.gate)) <= 1e-12 * layer.gateNorm);
  QVERIFY(std::abs(layer.upNorm - formed(*patch.up)) <= 1e-12 * layer.upNorm);
  QVERIFY(std::abs(layer.downNorm - formed(*patch.down)) <= 1e-12 * layer.downNorm);
  const double whole =
      test::toMatrix(fixture.model->weights().layers[1].W_gate.weight).norm();
  QVERIFY(std::abs(layer.gateRelative - layer.gateNorm / whole) <= 1e-12);
  QCOMPARE(layer.scaleDelta.size() > 0, fixture.model->spec().mlpPostNorm);
  QVERIFY(layer.zCosine < 1.0 && layer.zCosine > -1.0);
}

void tst_patch_builder::directLeavesTheLastMatrixAlone() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family.toStdString());
  fixture.run(kContext, TokenId(9), {.method = Method::Direct});
  const bool closesWithScale = fixture.model->spec().mlpPostNorm;
  for (const LayerPatch& patch : fixture.patch) {
    QCOMPARE(patch.down.has_value(), !closesWithScale);
    QCOMPARE(patch.scale.has_value(), closesWithScale);
  }
  if (closesWithScale) QVERIFY(fixture.diagnostics[0].smallestDivisor > 0.0);
}

void tst_patch_builder::zeroInputIsNamedNotPatched() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family.toStdString());
  ContextRecord record(1);
  record[0].v = Vector::Ones(32);
  record[0].z = Vector::Ones(32);
  record[0].gate = Vector::Ones(48);
  const Block& block = fixture.model->block(LayerIndex(0));
  const BlockView view{LayerIndex(0), fixture.model->weights().layers[0], block.outer(),
                       fixture.model->arithmetic()};
  PatchBuilder builder(record, {.source = 0, .patched = 0}, {});
  const Tensor zero = at::zeros({1, 32}, at::kDouble);
  Tensor product = at::zeros({1, 48}, at::kDouble);
  builder.atMlpInput(view, zero, zero);
  builder.atFirstProduct(view, FirstMatrix::Gate, product);
  QVERIFY(!builder.patch()[0].gate);
  QCOMPARE(builder.diagnostics()[0].guarded, 1);
  QVERIFY(QString::fromStdString(builder.diagnostics()[0].note).contains("z = 0"));
}

EQUIPATCH_TEST(tst_patch_builder)
#include "tst_patch_builder.moc"
