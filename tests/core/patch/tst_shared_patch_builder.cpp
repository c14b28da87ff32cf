// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/shared_patch_builder.h"

#include <QTemporaryDir>

#include "core/patch/hooks/patch_application.h"
#include "tests/core/patch/eigen_model.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
using equipatch::test::EigenModel;

namespace {

const std::vector<TokenId> kSharedContext{TokenId(5), TokenId(17), TokenId(3),
                                          TokenId(40)};
const std::vector<TokenId> kServed{TokenId(9), TokenId(22), TokenId(17), TokenId(31)};

/// A random model in float64 and the activations of several tokens after the context.
class SharedBuilderFixture {
 public:
  explicit SharedBuilderFixture(const std::string& family) {
    const auto folder = test::writeTinyCheckpoint(
        std::filesystem::path(m_folder.path().toStdString()) / "model",
        {.family = family});
    model = Transformer::load(Checkpoint::open(folder), Arithmetic(DType::F64, at::kCPU),
                              m_silent);
  }

  void readWithContext(const std::vector<TokenId>& served) {
    KvCache cache = model->makeCache(16);
    BlockHooks none;
    model->prefill(kSharedContext, cache, none, model->arithmetic(), m_silent);
    contexts.assign(served.size(),
                    ContextRecord(static_cast<std::size_t>(model->spec().layerCount())));
    std::vector<ContextRecorder> recorders;
    for (std::size_t token = 0; token < served.size(); ++token)
      recorders.emplace_back(static_cast<std::int64_t>(token), contexts[token]);
    std::vector<BlockHooks*> members;
    for (ContextRecorder& recorder : recorders) members.push_back(&recorder);
    HookChain chain(members);
    forward(served, cache, chain, 0);
  }

  void readWithoutContext(const std::vector<TokenId>& served, BlockHooks& hooks) {
    KvCache cache = model->makeCache(16);
    forward(served, cache, hooks, static_cast<std::int64_t>(kSharedContext.size()));
  }

  std::unique_ptr<Transformer> model;
  std::vector<ContextRecord> contexts;

 private:
  void forward(const std::vector<TokenId>& served, KvCache& cache, BlockHooks& hooks,
               std::int64_t visibleFrom) {
    const auto first = static_cast<std::int64_t>(kSharedContext.size());
    const RowBatch batch{.contextRows = static_cast<std::int64_t>(served.size()),
                         .firstPosition = first,
                         .cache = &cache,
                         .visibleFrom = visibleFrom};
    model->forward(model->embed(served, first), batch, hooks, model->arithmetic());
  }

  QTemporaryDir m_folder;
  SilentProgress m_silent;
};

}  // namespace

class tst_shared_patch_builder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void thePatchedWeightsRestoreEveryTokenInEveryBlock();
  void tokensWithEqualInputsAreRefused();
};

void tst_shared_patch_builder::initTestCase_data() {
  QTest::addColumn<QString>("family");
  for (const char* family : {"llama", "gemma3_text", "gpt_neox", "phi", "olmo2",
                             "granite", "mixtral", "qwen2_moe"})
    QTest::newRow(family) << family;
}

/// The oracle computes the tokens as a text without the context, with the matrices
/// W + U Vᵀ.
void tst_shared_patch_builder::thePatchedWeightsRestoreEveryTokenInEveryBlock() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  SharedBuilderFixture fixture(family.toStdString());
  fixture.readWithContext(kServed);
  SharedPatchBuilder builder(fixture.contexts, Application::Factored, Position(4));
  fixture.readWithoutContext(kServed, builder);
  const auto blocks = EigenModel(*fixture.model).runText(kServed, builder.patch());
  for (std::size_t layer = 0; layer < blocks.size(); ++layer)
    for (std::size_t token = 0; token < kServed.size(); ++token) {
      const Vector& wanted = fixture.contexts[token][layer].resid_post;
      const Vector got = blocks[layer].row(static_cast<Eigen::Index>(token));
      const double error = (got - wanted).norm() / wanted.norm();
      QVERIFY2(error < 1e-9, qPrintable(QString::number(error)));
      QVERIFY(builder.layers()[layer].hiddenError < 1e-10);
    }
  for (const LayerRecord& layer : builder.layers())
    QVERIFY(layer.matrices.back().norm > 0.0);
  // An ordinary forward pass with the finished patch also restores the last token.
  SharedWeights weights(builder.patch(), Application::Factored);
  HiddenErrorProbe probe(3, fixture.contexts[3]);
  HookChain chain({&weights, &probe});
  fixture.readWithoutContext(kServed, chain);
  for (const double error : probe.errors()) QVERIFY(error < 1e-9);
}

void tst_shared_patch_builder::tokensWithEqualInputsAreRefused() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  SharedBuilderFixture fixture(family.toStdString());
  // Without the context, the second token attends only to the first and to itself. Equal
  // tokens have equal attention values, so both tokens enter the MLP with the same input
  // but need different outputs.
  const std::vector<TokenId> twice{TokenId(9), TokenId(9)};
  fixture.readWithContext(twice);
  SharedPatchBuilder builder(fixture.contexts, Application::Factored, Position(4));
  QVERIFY_ERROR(fixture.readWithoutContext(twice, builder),
                "no single set of weights serves all these tokens", "in layer 0",
                "the tokens at positions 4 and 5 have the same input");
}

EQUIPATCH_TEST(tst_shared_patch_builder)
#include "tst_shared_patch_builder.moc"
