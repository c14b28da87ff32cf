// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/context_recorder.h"

#include <QTemporaryDir>

#include "core/model/transformer.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

/// Collects each block's sites, and the resid_post that the recorder already has at
/// hookDownProjection, before the block adds its output to the residual stream.
struct SiteCollector final : BlockHooks {
  explicit SiteCollector(const ContextRecord& context) : record(context) {}
  void hookDownProjection(const HookedBlock& block, std::vector<DownProduct>&) override {
    early.push_back(record[static_cast<std::size_t>(block.layer.value)].resid_post);
  }
  void hookResidPost(const HookedBlock&, BlockSites& now) override {
    sites.push_back(now);
  }

  const ContextRecord& record;
  std::vector<Vector> early;
  std::vector<BlockSites> sites;
};

struct RecorderFixture {
  explicit RecorderFixture(const std::string& family) {
    const auto path = test::writeTinyCheckpoint(
        std::filesystem::path(folder.path().toStdString()) / "model", {.family = family});
    model = Transformer::load(Checkpoint::open(path), Arithmetic(DType::F32, at::kCPU),
                              silent);
    record.resize(static_cast<std::size_t>(model->spec().layerCount()));
  }
  /// Computes each token without the others, in a row of its own.
  Tensor forwardAlone(const std::vector<TokenId>& ids, BlockHooks& hooks) {
    return model->forward(model->embed(ids, 0), {.reducedRows = std::ssize(ids)}, hooks,
                          model->arithmetic());
  }

  QTemporaryDir folder;
  SilentProgress silent;
  std::unique_ptr<Transformer> model;
  ContextRecord record;
};

}  // namespace

class tst_context_recorder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void recordsTheSitesOfItsRow_data();
  void recordsTheSitesOfItsRow();
  void downInputsCanBeOmitted();
  void residPostIsKnownAtTheDownProjection_data();
  void residPostIsKnownAtTheDownProjection();
  void theProbeMeasuresRelativeErrors();
};

void tst_context_recorder::recordsTheSitesOfItsRow_data() {
  QTest::addColumn<QString>("family");
  QTest::newRow("llama") << "llama";
  QTest::newRow("gemma3") << "gemma3_text";
}

void tst_context_recorder::recordsTheSitesOfItsRow() {
  const c10::InferenceMode inference;
  QFETCH(QString, family);
  RecorderFixture fixture(family.toStdString());
  ContextRecorder recorder(1, fixture.record);
  SiteCollector reference(fixture.record);
  HookChain chain({&recorder, &reference});
  fixture.forwardAlone({TokenId(8), TokenId(7)}, chain);
  for (std::size_t layer = 0; layer < fixture.record.size(); ++layer) {
    const ContextSites& sites = fixture.record[layer];
    QVERIFY(sites.resid_mid == hostRow(reference.sites[layer].resid_mid, 1));
    QVERIFY(sites.resid_mid != hostRow(reference.sites[layer].resid_mid, 0));
    QVERIFY(sites.mlp_in == hostRow(reference.sites[layer].mlp_in, 1));
    QVERIFY(sites.resid_post == hostRow(reference.sites[layer].resid_post, 1));
    QCOMPARE(sites.target({MatrixRole::Gate})->numel(), 48);
    QCOMPARE(sites.downInputs.at(0).input.h.size(), 48);
    QVERIFY(!sites.target({MatrixRole::Router}));
    QCOMPARE(sites.normalised.size() > 0, fixture.model->spec().mlpPostNorm);
    QVERIFY((sites.mlp_out - hostRow(reference.sites[layer].mlp_out, 1)).norm() < 1e-6);
  }
}

void tst_context_recorder::downInputsCanBeOmitted() {
  const c10::InferenceMode inference;
  RecorderFixture fixture("gemma3_text");
  ContextRecord without(fixture.record.size());
  ContextRecorder recorder(0, fixture.record);
  ContextRecorder sparing(0, without, DownInputs::Omit);
  HookChain chain({&recorder, &sparing});
  fixture.forwardAlone({TokenId(7)}, chain);
  for (std::size_t layer = 0; layer < without.size(); ++layer) {
    QVERIFY(!fixture.record[layer].downInputs.empty());
    QVERIFY(without[layer].downInputs.empty());
    QVERIFY(without[layer].mlp_out == fixture.record[layer].mlp_out);
    QCOMPARE(without[layer].inProjections.size(),
             fixture.record[layer].inProjections.size());
  }
}

void tst_context_recorder::residPostIsKnownAtTheDownProjection_data() {
  recordsTheSitesOfItsRow_data();
}

void tst_context_recorder::residPostIsKnownAtTheDownProjection() {
  const c10::InferenceMode inference;
  QFETCH(QString, family);
  RecorderFixture fixture(family.toStdString());
  ContextRecorder recorder(0, fixture.record);
  SiteCollector reference(fixture.record);
  HookChain chain({&recorder, &reference});
  fixture.forwardAlone({TokenId(7), TokenId(8)}, chain);
  for (std::size_t layer = 0; layer < fixture.record.size(); ++layer) {
    const Vector& x = fixture.record[layer].resid_post;
    QVERIFY((reference.early[layer] - x).norm() <= 1e-6 * x.norm());
  }
}

void tst_context_recorder::theProbeMeasuresRelativeErrors() {
  const c10::InferenceMode inference;
  RecorderFixture fixture("llama");
  ContextRecorder recorder(0, fixture.record);
  fixture.forwardAlone({TokenId(7)}, recorder);
  HiddenErrorProbe same(0, fixture.record);
  fixture.forwardAlone({TokenId(7)}, same);
  QCOMPARE(same.errors(), std::vector<double>(fixture.record.size(), 0.0));
  HiddenErrorProbe other(0, fixture.record);
  SiteCollector reference(fixture.record);
  HookChain chain({&other, &reference});
  fixture.forwardAlone({TokenId(8)}, chain);
  const Vector& x = fixture.record[1].resid_post;
  const double expected =
      (hostRow(reference.sites[1].resid_post, 0) - x).norm() / x.norm();
  QCOMPARE(other.errors()[1], expected);
}

EQUIPATCH_TEST(tst_context_recorder)
#include "tst_context_recorder.moc"
