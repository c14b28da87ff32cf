// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/vision_tower.h"

#include <QTemporaryDir>
#include <filesystem>
#include <map>

#include "core/model/transformer.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::filesystem::path folder() {
  return test::data("images/gemma3_mm");
}

Tensor reference(const std::string& name) {
  static const SafetensorsFile file =
      SafetensorsFile::open(folder() / "golden.safetensors");
  return storedTensor(file.tensors().at(name)).clone();
}

std::vector<TokenId> referenceIds(const std::string& name) {
  const Tensor flat = reference(name).flatten();
  std::vector<TokenId> ids;
  for (std::int64_t at = 0; at < flat.numel(); ++at)
    ids.emplace_back(flat[at].item<std::int64_t>());
  return ids;
}

using test::largestDifference;

struct TowerTrace final : TowerHooks {
  std::map<std::string, Tensor> sites;
  void hookSite(const std::string& name, const Tensor& x) override {
    sites[name] = x.clone();
  }
};

/// Stores activations under their names in the golden file, a tensor per chunk of rows.
struct RowTrace final : BlockHooks {
  std::map<std::string, std::vector<Tensor>> sites;
  void hookResidPost(const HookedBlock& block, BlockSites& now) override {
    const std::string number = "." + std::to_string(block.layer.value);
    sites["hidden_states" + number].push_back(now.resid_pre);
    sites["attn_out" + number].push_back(now.attn_out);
    sites["mlp_out" + number].push_back(now.mlp_out);
  }
};

}  // namespace

class tst_vision_tower : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void sitesEqualHuggingFaces_data();
  void sitesEqualHuggingFaces();
  void textModelEqualsHuggingFaces();
  void textAloneEqualsHuggingFaces();
  void chunksHoldImagesWhole();
  void dtypesStayCloseToTheReference_data();
  void dtypesStayCloseToTheReference();
  void rowsThatAreNotFiniteAreAnError();
  void aTowerFailsIfItsFileWasTruncated();
  void loadingAndALayerCanBeStopped();

 private:
  Checkpoint m_checkpoint = Checkpoint::open(folder());
  SilentProgress m_silent;
  GivenRows givenFeatures(const Tensor& features) const;
};

void tst_vision_tower::sitesEqualHuggingFaces_data() {
  QTest::addColumn<int>("image");
  QTest::newRow("first image") << 0;
  QTest::newRow("second image") << 1;
}

void tst_vision_tower::sitesEqualHuggingFaces() {
  QFETCH(int, image);
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  const VisionTower tower(m_checkpoint, arithmetic, m_silent);
  TowerTrace trace;
  tower.rows(reference("pixel_values")[image], trace, m_silent);
  QCOMPARE(trace.sites.size(), std::size_t{4 + 3 + 3 + 2});
  for (const auto& [name, x] : trace.sites) {
    const bool exact = name == "vision_hidden_states.0" || name == "image_features";
    const double found = largestDifference(x, reference(name)[image]);
    QVERIFY2(found <= (exact ? 1e-5 : 2e-5),
             qPrintable(QString("%1: %2").arg(name.c_str()).arg(found)));
  }
}

/// Rows for the image tokens of the golden prompt: features[i] for image i.
GivenRows tst_vision_tower::givenFeatures(const Tensor& features) const {
  GivenRows given;
  const auto ids = referenceIds("input_ids");
  const TokenId image = m_checkpoint.spec().vision->imageToken;
  for (std::size_t at = 0; at < ids.size(); ++at) {
    if (ids[at] != image) continue;
    const auto index = static_cast<std::int64_t>(given.parts.size());
    given.parts.push_back({static_cast<std::int64_t>(at), features[index]});
    at += static_cast<std::size_t>(m_checkpoint.spec().vision->tokens) - 1;
  }
  return given;
}

void tst_vision_tower::textModelEqualsHuggingFaces() {
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  const auto model = Transformer::load(m_checkpoint, arithmetic, m_silent);
  const auto ids = referenceIds("input_ids");
  const Tensor types = reference("token_type_ids").flatten();
  for (std::size_t at = 0; at < ids.size(); ++at)
    QCOMPARE(ids[at] == m_checkpoint.spec().vision->imageToken,
             types[static_cast<std::int64_t>(at)].item<std::int64_t>() == 1);
  const GivenRows given = givenFeatures(reference("image_features"));
  QCOMPARE(given.parts.size(), std::size_t{2});
  KvCache cache = model->makeCache(static_cast<std::int64_t>(ids.size()));
  RowTrace trace;
  const Tensor x =
      model->prefill(ids, cache, trace, model->arithmetic(), m_silent, given);
  QCOMPARE(trace.sites.size(), std::size_t{3 * 7});
  for (const auto& [name, parts] : trace.sites) {
    const double found = largestDifference(at::cat(parts, 0), reference(name)[0]);
    QVERIFY2(found <= (name == "hidden_states.0" ? 1e-5 : 5e-5),
             qPrintable(QString("%1: %2").arg(name.c_str()).arg(found)));
  }
  QVERIFY(largestDifference(model->finalNorm(x, arithmetic),
                            reference("hidden_states.7")[0]) <= 5e-5);
  QVERIFY(largestDifference(model->logits(x, arithmetic), reference("logits")[0]) <=
          1e-4);
}

void tst_vision_tower::textAloneEqualsHuggingFaces() {
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  const auto model = Transformer::load(m_checkpoint, arithmetic, m_silent);
  const auto ids = referenceIds("text_only_ids");
  KvCache cache = model->makeCache(static_cast<std::int64_t>(ids.size()));
  BlockHooks none;
  const Tensor x = model->prefill(ids, cache, none, model->arithmetic(), m_silent);
  QVERIFY(largestDifference(model->logits(x, arithmetic),
                            reference("text_only_logits")[0]) <= 1e-4);
}

/// `prefill` reads a long text in chunks of 512 rows. It shortens or extends a chunk that
/// would end inside an image.
void tst_vision_tower::chunksHoldImagesWhole() {
  const c10::InferenceMode inference;
  const Arithmetic arithmetic(DType::F64, at::kCPU);
  const auto model = Transformer::load(m_checkpoint, arithmetic, m_silent);
  // With equal rows, attention would not depend on the number of visible rows.
  const auto rows = [&](std::int64_t count) {
    const Tensor some = reference("hidden_states.3")[0].to(at::kDouble);
    return some.index_select(0, at::arange(count) % some.size(0));
  };
  const std::vector<TokenId> ids(1030, TokenId(9));
  for (const auto& [first, count] :
       {std::pair<std::int64_t, std::int64_t>{508, 8}, {0, 600}}) {
    const GivenRows given{{{first, rows(count)}}};
    KvCache chunks = model->makeCache(1030), whole = model->makeCache(1030);
    BlockHooks none;
    const Tensor x =
        model->prefill(ids, chunks, none, model->arithmetic(), m_silent, given);
    QVERIFY(x.size(0) < 1030);
    const RowBatch batch{.contextRows = 1030, .cache = &whole, .groups = given.groups()};
    const Tensor y =
        model->forward(model->embed(ids, 0, given), batch, none, model->arithmetic());
    QVERIFY(largestDifference(x, y.narrow(0, 1030 - x.size(0), x.size(0))) <= 1e-11);
    for (std::int64_t layer = 0; layer < 7; ++layer)
      QVERIFY(largestDifference(chunks.keys(LayerIndex(layer), 0, 1030),
                                whole.keys(LayerIndex(layer), 0, 1030)) <= 1e-11);
  }
}

void tst_vision_tower::dtypesStayCloseToTheReference_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<bool>("native");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("float64") << int(DType::F64) << true << 1e-5;
  QTest::newRow("bfloat16") << int(DType::BF16) << true << 0.1;
  QTest::newRow("bfloat16 weights only") << int(DType::BF16) << false << 1e-5;
  QTest::newRow("float16") << int(DType::F16) << true << 0.02;
}

/// The stored weights are in bfloat16, which float32 (the reference) and float64 hold
/// exactly.
void tst_vision_tower::dtypesStayCloseToTheReference() {
  QFETCH(int, dtype);
  QFETCH(bool, native);
  QFETCH(double, tolerance);
  const Arithmetic arithmetic(DType(dtype), at::kCPU,
                              native ? Compute::Native : Compute::Float32);
  const VisionTower tower(m_checkpoint, arithmetic, m_silent);
  TowerHooks none;
  const Tensor rows = tower.rows(reference("pixel_values")[0], none, m_silent);
  QVERIFY(at::equal(rows, arithmetic.round(rows)));
  const Tensor expected = reference("image_features")[0];
  const double found =
      largestDifference(rows, expected) / expected.abs().max().item<double>();
  QVERIFY2(found <= tolerance, qPrintable(QString::number(found)));
}

void tst_vision_tower::rowsThatAreNotFiniteAreAnError() {
  const Tensor pixels = at::full_like(reference("pixel_values")[0], 1e38);
  TowerHooks none;
  for (const auto& [dtype, advice] : {std::pair(DType::F32, "use float64"),
                                      std::pair(DType::F16, "use bfloat16 or float32")}) {
    const VisionTower tower(m_checkpoint, Arithmetic(dtype, at::kCPU), m_silent);
    QVERIFY_ERROR(tower.rows(pixels, none, m_silent),
                  "the vision tower's output (image_features)", advice);
  }
}

/// A tower in bfloat16, the file's dtype, uses the mapped matrices in place.
void tst_vision_tower::aTowerFailsIfItsFileWasTruncated() {
  const QTemporaryDir copy;
  const std::filesystem::path path = copy.path().toStdString();
  std::filesystem::copy(folder(), path);
  const Checkpoint checkpoint = Checkpoint::open(path);
  const Arithmetic arithmetic(DType::BF16, at::kCPU);
  const VisionTower tower(checkpoint, arithmetic, m_silent);
  const Tensor pixels = reference("pixel_values")[0];
  TowerHooks none;
  tower.rows(pixels, none, m_silent);
  std::filesystem::resize_file(path / "model.safetensors", 1000);
  QVERIFY_ERROR(tower.rows(pixels, none, m_silent),
                "model.safetensors: a part of the file");
  QVERIFY_ERROR(VisionTower(checkpoint, arithmetic, m_silent),
                "model.safetensors: a part of the file");
}

void tst_vision_tower::loadingAndALayerCanBeStopped() {
  const Arithmetic arithmetic(DType::F32, at::kCPU);
  const VisionTower tower(m_checkpoint, arithmetic, m_silent);
  // Each layer checks for a stop three times: at its beginning and in its two heads.
  test::Patience intoSecond(4);
  TowerHooks none;
  QVERIFY_ERROR(tower.rows(reference("pixel_values")[0], none, intoSecond), "stopped");
  QCOMPARE(intoSecond.fractions.size(), std::size_t{2});  // one per started layer
  test::StoppedProgress stopped;
  QVERIFY_ERROR(VisionTower(m_checkpoint, arithmetic, stopped), "stopped");
}

EQUIPATCH_TEST(tst_vision_tower)
#include "tst_vision_tower.moc"
