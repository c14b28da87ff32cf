// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block.h"
#include "core/patch/hooks/patch_builder.h"
#include "tests/core/model/block_oracle.h"
#include "tests/core/model/topologies.h"
#include "tests/core/patch/eigen_model.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::BlockOracle;
using equipatch::test::toMatrix;

namespace {

constexpr std::int64_t kContextRows = 6;

/// A random block, a context of kContextRows rows, and the token after this context.
class TheoremSetting {
 public:
  TheoremSetting(const ModelSpec& spec, DType dtype)
      : m_spec(spec),
        m_arithmetic(dtype, at::kCPU),
        m_weights(test::randomWeights(m_spec, m_arithmetic)),
        m_block(m_spec, LayerIndex(0), m_weights, m_arithmetic),
        m_x(test::randomTensor("x", {kContextRows + 1, m_spec.width}, m_arithmetic)),
        m_cache(m_spec, kContextRows + 1, m_arithmetic) {}

  /// Rows of the batch: contextual, patched and, in the open loop, open-loop.
  void run(PatchOptions options) {
    BlockHooks none;
    m_block.forward(m_x.narrow(0, 0, kContextRows),
                    {.contextRows = kContextRows,
                     .cache = &m_cache,
                     .perLayer = perLayer(kContextRows)},
                    none, m_arithmetic);
    const bool open = options.loop == Loop::Open;
    m_record.assign(1, {});
    ContextRecorder recorder(0, m_record);
    PatchBuilder builder(m_record, {.source = open ? 2 : 1, .patched = 1}, options);
    HookChain chain({&recorder, &builder});
    const RowBatch batch{.contextRows = 1,
                         .reducedRows = open ? 2 : 1,
                         .firstPosition = kContextRows,
                         .cache = &m_cache,
                         .perLayer = perLayer(open ? 3 : 2)};
    const Tensor out =
        m_block.forward(m_x.narrow(0, kContextRows, 1).repeat({batch.rows(), 1}), batch,
                        chain, m_arithmetic);
    contextual = hostRow(out, 0);
    patched = hostRow(out, 1);
    patch = builder.takePatch().front();
  }

  /// The block's output for the token alone, which the oracle computes from W + u wᵀ.
  Vector formed() const {
    const BlockOracle oracle(m_spec, test::patched(m_weights, patch, m_block.outer()));
    return oracle.forwardAlone(toMatrix(m_x.narrow(0, kContextRows, 1))).output.row(0);
  }

  Vector contextual, patched;
  LayerPatch patch;

 private:
  Tensor perLayer(std::int64_t rows) const {
    const Tensor all = test::perLayerRows(m_spec, rows);
    return all.defined() ? all.to(m_arithmetic.wide()) : all;
  }

  ModelSpec m_spec;
  Arithmetic m_arithmetic;
  LayerWeights m_weights;
  Block m_block;
  Tensor m_x;
  KvCache m_cache;
  ContextRecord m_record;
};

double relativeError(const Vector& a, const Vector& b) {
  return (a - b).norm() / b.norm();
}

}  // namespace

/// For every block topology, patched weights without the context give the output of the
/// original weights with the context.
class tst_block_theorems : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void float64PatchesRestoreTheBlockOutput_data();
  void float64PatchesRestoreTheBlockOutput();
  void patchesInOtherDtypesAreExactToRounding_data();
  void patchesInOtherDtypesAreExactToRounding();
  void withoutAPatchBlockOutputsDiffer();
};

void tst_block_theorems::initTestCase_data() {
  QTest::addColumn<int>("topology");
  QTest::newRow("gated") << -1;
  int index = 0;
  for (const test::NamedSpec& topology : test::topologies())
    QTest::newRow(topology.name) << index++;
}

namespace {

ModelSpec specOf(int topology) {
  if (topology < 0) return test::smallSpec();
  return test::topologies()[static_cast<std::size_t>(topology)].spec;
}

}  // namespace

void tst_block_theorems::float64PatchesRestoreTheBlockOutput_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  for (const char* method : {"balanced", "direct", "stable"})
    for (const char* loop : {"closed", "half", "open"})
      QTest::addRow("%s %s", method, loop) << method << loop;
}

void tst_block_theorems::float64PatchesRestoreTheBlockOutput() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(int, topology);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  TheoremSetting setting(specOf(topology), DType::F64);
  setting.run({.method = *methodFromName(method.toStdString()),
               .loop = *loopFromName(loop.toStdString())});
  // `direct` divides by activations and `stable` by scales, which costs accuracy.
  const double tolerance = method == "balanced" ? 1e-12 : 1e-10;
  QVERIFY(relativeError(setting.patched, setting.contextual) < tolerance);
  QVERIFY(relativeError(setting.formed(), setting.contextual) < tolerance);
  QVERIFY(!setting.patch.matrices.empty());
}

void tst_block_theorems::patchesInOtherDtypesAreExactToRounding_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("application");
  QTest::addColumn<double>("tolerance");
  for (const char* application : {"factored", "materialised"}) {
    QTest::addRow("float32 %s", application) << "float32" << application << 1e-5;
    QTest::addRow("float16 %s", application) << "float16" << application << 1e-2;
    QTest::addRow("bfloat16 %s", application) << "bfloat16" << application << 6e-2;
  }
}

void tst_block_theorems::patchesInOtherDtypesAreExactToRounding() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(int, topology);
  QFETCH(QString, dtype);
  QFETCH(QString, application);
  QFETCH(double, tolerance);
  TheoremSetting setting(specOf(topology), *dtypeFromTorchName(dtype.toStdString()));
  setting.run({.application = *applicationFromName(application.toStdString())});
  QVERIFY(relativeError(setting.patched, setting.contextual) < tolerance);
}

/// The limit 1e-1 exceeds the tolerances of all other tests.
void tst_block_theorems::withoutAPatchBlockOutputsDiffer() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(int, topology);
  TheoremSetting setting(specOf(topology), DType::F64);
  setting.run({});
  setting.patch = {};
  QVERIFY(relativeError(setting.formed(), setting.contextual) > 1e-1);
}

EQUIPATCH_TEST(tst_block_theorems)
#include "tst_block_theorems.moc"
