// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include <QTemporaryDir>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/base/file_map.h"
#include "core/model/transformer.h"
#include "tests/core/model/eigen_tensor.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

struct Named {
  std::string name;  ///< canonical
  Tensor tensor;
};

std::vector<Named> matrices(const Weights& weights) {
  std::vector<Named> all{{"embed", weights.embed}};
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    const LayerWeights& layer = weights.layers[i];
    const auto add = [&](const char* name, const Linear& linear) {
      all.push_back({layerWeight(static_cast<std::int64_t>(i), name), linear.weight});
    };
    add("W_q", layer.W_q);
    add("W_k", layer.W_k);
    add("W_v", layer.W_v);
    add("W_o", layer.W_o);
    add("W_gate", layer.mlp.W_gate);
    add("W_up", layer.mlp.W_up);
    add("W_down", layer.mlp.W_down);
  }
  return all;
}

/// The stored tensor of a canonical name, read independently of core/model.
Matrix stored(const Checkpoint& checkpoint, const std::string& name) {
  const TensorView& view = checkpoint.weight(name).stored;
  Tensor copy = at::empty(view.shape, toTorch(view.dtype));
  std::memcpy(copy.data_ptr(), view.bytes.data(), view.bytes.size());
  return toMatrix(copy);
}

Matrix rounded(Matrix values, DType dtype) {
  if (dtype == DType::F64) return values;
  return values.unaryExpr([dtype](double value) {
    return static_cast<double>(roundedTo(static_cast<float>(value), dtype));
  });
}

bool liesInTheFile(const Tensor& tensor, const TensorView& view) {
  const auto* at = static_cast<const std::byte*>(tensor.data_ptr());
  const auto bytes = view.owner->bytes();
  return at >= bytes.data() && at < bytes.data() + bytes.size();
}

const std::vector<DType> kTypes{DType::F64, DType::F32, DType::BF16, DType::F16};

}  // namespace

class tst_weights : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { m_folder.reset(); }
  void storedDtypesAreUsedInPlace_data() { dtypes(); }
  void storedDtypesAreUsedInPlace();
  void otherDtypesAreConverted_data() { dtypes(); }
  void otherDtypesAreConverted();
  void misalignedTensorsAreCopied_data() { dtypes(); }
  void misalignedTensorsAreCopied();
  void weightsOutliveTheCheckpoint();
  void aPassFailsIfTheModelFileWasTruncated();
  void normScalesIncludeTheFamilysOffset_data();
  void normScalesIncludeTheFamilysOffset();
  void missingTensorsAreUndefined();
  void biasesAreRoundedAndHeldInTheWideDtype();
  void aTiedHeadIsTheEmbedding();
  void patchableMatricesStoreTheirFrobeniusNorm();
  void loadingCanStopBeforeEachMatrix();
  void progressIsReported();
  void frobeniusNormIsSummedInFloat64_data();
  void frobeniusNormIsSummedInFloat64();
  void frobeniusNormIsRightForSizesLayoutsAndInfinity();

 private:
  static void dtypes() {
    QTest::addColumn<int>("dtype");
    for (const DType dtype : kTypes)
      QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
  }
  Checkpoint write(const TinyModel& model) {
    return Checkpoint::open(writeTinyCheckpoint(folder(), model));
  }
  /// A new folder for every test function.
  std::filesystem::path folder() {
    if (!m_folder) m_folder.emplace();
    return m_folder->path().toStdString();
  }
  static Weights load(const Checkpoint& checkpoint, DType dtype,
                      WeightPlace place = WeightPlace::Mapped) {
    SilentProgress progress;
    return Weights::load(checkpoint, Arithmetic(dtype, at::kCPU), progress, place);
  }

  std::optional<QTemporaryDir> m_folder;
};

void tst_weights::storedDtypesAreUsedInPlace() {
  QFETCH(int, dtype);
  const auto type = static_cast<DType>(dtype);
  const Checkpoint checkpoint = write({.dtype = type});
  const Weights weights = load(checkpoint, type);
  QCOMPARE(weights.layers.size(), std::size_t{3});
  std::vector<Named> all = matrices(weights);
  all.push_back({"head", weights.head.weight});
  for (const auto& [name, tensor] : all) {
    const TensorView& view = checkpoint.weight(name).stored;
    QCOMPARE(tensor.data_ptr(), static_cast<const void*>(view.bytes.data()));
    QCOMPARE(tensor.scalar_type(), toTorch(type));
    QCOMPARE(tensor.sizes(), at::IntArrayRef(view.shape));
    QVERIFY(tensor.is_contiguous());
  }
}

void tst_weights::otherDtypesAreConverted() {
  QFETCH(int, dtype);
  const auto from = static_cast<DType>(dtype);
  const Checkpoint checkpoint = write({.layers = 1, .dtype = from});
  for (const DType to : kTypes) {
    if (to == from) continue;
    const Weights weights = load(checkpoint, to);
    for (const auto& [name, tensor] : matrices(weights)) {
      QVERIFY(!liesInTheFile(tensor, checkpoint.weight(name).stored));
      QCOMPARE(tensor.scalar_type(), toTorch(to));
      QVERIFY(distance(tensor, rounded(stored(checkpoint, name), to)) == 0.0);
    }
    QVERIFY(weights.head.weight.scalar_type() == toTorch(to));
  }
}

void tst_weights::misalignedTensorsAreCopied() {
  QFETCH(int, dtype);
  const auto type = static_cast<DType>(dtype);
  writeTinyCheckpoint(folder(), {.family = "gemma3_text", .layers = 2, .dtype = type});
  const Weights aligned = load(Checkpoint::open(folder()), type);
  misalign(folder() / "model.safetensors");
  const Checkpoint checkpoint = Checkpoint::open(folder());
  for (const DType to : kTypes) {
    const Weights weights = load(checkpoint, to);
    for (const auto& [name, tensor] : matrices(weights)) {
      QVERIFY(!checkpoint.weight(name).stored.aligned());
      QVERIFY(!liesInTheFile(tensor, checkpoint.weight(name).stored));
      const auto address = reinterpret_cast<std::uintptr_t>(tensor.data_ptr());
      QCOMPARE(address % byteSize(to), std::uintptr_t{0});
      QVERIFY(distance(tensor, rounded(stored(checkpoint, name), to)) == 0.0);
    }
    if (to == type) QVERIFY(sameBits(weights.final_norm.m, aligned.final_norm.m));
  }
}

void tst_weights::weightsOutliveTheCheckpoint() {
  Weights weights;
  Matrix before;
  {
    const Checkpoint checkpoint = write({.dtype = DType::BF16});
    weights = load(checkpoint, DType::BF16);
    before = stored(checkpoint, "layers.2.W_down");
  }
  m_folder.reset();  // the mapping outlives the removed file
  QVERIFY(distance(weights.layers[2].mlp.W_down.weight, before) == 0.0);
}

void tst_weights::aPassFailsIfTheModelFileWasTruncated() {
  const c10::InferenceMode inference;
  const Checkpoint checkpoint = write({});
  SilentProgress silent;
  const auto model =
      Transformer::load(checkpoint, Arithmetic(DType::F32, at::kCPU), silent);
  const std::vector<TokenId> ids{TokenId(1), TokenId(2), TokenId(3)};
  const auto logits = [&] {
    KvCache cache = model->makeCache(std::ssize(ids));
    BlockHooks none;
    const Tensor x = model->prefill(ids, cache, none, model->arithmetic(), silent);
    return model->logits(x, model->arithmetic());
  };
  logits();
  std::filesystem::resize_file(folder() / "model.safetensors", 1000);
  QVERIFY_ERROR(logits(), "model.safetensors: a part of the file");
}

void tst_weights::normScalesIncludeTheFamilysOffset_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<double>("added");
  QTest::newRow("stored as m") << "llama" << 0.0;
  QTest::newRow("stored as m - 1") << "gemma3_text" << 1.0;
}

void tst_weights::normScalesIncludeTheFamilysOffset() {
  QFETCH(QString, family);
  QFETCH(double, added);
  const Checkpoint checkpoint = write({.family = family.toStdString()});
  for (const DType dtype : kTypes) {
    const Weights weights = load(checkpoint, dtype);
    const auto verify = [&](const Tensor& m, const std::string& name) {
      QCOMPARE(m.scalar_type(), Arithmetic(dtype, at::kCPU).wide());
      const Matrix expected = rounded(stored(checkpoint, name), dtype).array() + added;
      QVERIFY(distance(m, expected) < 1e-7);
      QVERIFY(std::abs(expected.mean() - 1.0) < 0.3);
    };
    verify(weights.final_norm.m, "final_norm");
    verify(weights.layers[1].attn_norm.m, "layers.1.attn_norm");
    verify(weights.layers[2].mlp_norm.m, "layers.2.mlp_norm");
    if (added == 0.0) continue;
    verify(weights.layers[0].attn_post_norm.m, "layers.0.attn_post_norm");
    verify(weights.layers[1].mlp_post_norm.m, "layers.1.mlp_post_norm");
    verify(weights.layers[2].q_norm.m, "layers.2.q_norm");
    verify(weights.layers[0].k_norm.m, "layers.0.k_norm");
  }
}

void tst_weights::missingTensorsAreUndefined() {
  const Weights weights = load(write({}), DType::F32);
  for (const LayerWeights& layer : weights.layers) {
    for (const Tensor& absent :
         {layer.q_norm.m, layer.k_norm.m, layer.attn_post_norm.m, layer.mlp_post_norm.m,
          layer.attn_norm.bias, weights.positions})
      QVERIFY(!absent.defined());
    for (const Linear* linear : {&layer.W_q, &layer.W_k, &layer.W_v, &layer.W_o,
                                 &layer.mlp.W_gate, &layer.mlp.W_up, &layer.mlp.W_down})
      QVERIFY(!linear->bias.defined());
  }
  QVERIFY(!weights.head.bias.defined());
}

void tst_weights::biasesAreRoundedAndHeldInTheWideDtype() {
  const Checkpoint checkpoint =
      write({.moreConfig = R"({"attention_bias": true, "mlp_bias": true})"});
  for (const DType dtype : kTypes) {
    const Weights weights = load(checkpoint, dtype);
    const LayerWeights& layer = weights.layers[1];
    const std::vector<std::pair<const char*, const Linear*>> all{
        {"b_q", &layer.W_q},           {"b_k", &layer.W_k},
        {"b_v", &layer.W_v},           {"b_o", &layer.W_o},
        {"b_gate", &layer.mlp.W_gate}, {"b_up", &layer.mlp.W_up},
        {"b_down", &layer.mlp.W_down}};
    for (const auto& [name, linear] : all) {
      QCOMPARE(linear->bias.scalar_type(), Arithmetic(dtype, at::kCPU).wide());
      const Matrix expected = rounded(stored(checkpoint, layerWeight(1, name)), dtype);
      QVERIFY(distance(linear->bias, expected) == 0.0);
      QVERIFY(expected.cwiseAbs().maxCoeff() > 0.0);
    }
  }
}

void tst_weights::aTiedHeadIsTheEmbedding() {
  const Checkpoint tied = write({.moreConfig = R"({"tie_word_embeddings": true})"});
  for (const DType dtype : {DType::F32, DType::BF16}) {
    const Weights weights = load(tied, dtype);
    QCOMPARE(weights.head.weight.data_ptr(), weights.embed.data_ptr());
  }
  const Weights apart = load(write({}), DType::F32);
  QVERIFY(distance(apart.head.weight, apart.embed) > 0.1);
}

void tst_weights::patchableMatricesStoreTheirFrobeniusNorm() {
  const auto matrices = [](const Weights& weights) {
    std::vector<Linear> all;
    for (const LayerWeights& layer : weights.layers)
      all.insert(all.end(), {layer.mlp.W_gate, layer.mlp.W_up, layer.mlp.W_down});
    return all;
  };
  const Checkpoint checkpoint = write({});
  for (const DType dtype : kTypes) {
    const std::vector<Linear> mapped = matrices(load(checkpoint, dtype));
    const std::vector<Linear> resident =
        matrices(load(checkpoint, dtype, WeightPlace::Resident));
    for (std::size_t at = 0; at < mapped.size(); ++at) {
      const double norm = toMatrix(mapped[at].weight).norm();
      QVERIFY(std::abs(mapped[at].norm / norm - 1.0) < 1e-13);
      QVERIFY(resident[at].norm == mapped[at].norm);
    }
  }
}

void tst_weights::loadingCanStopBeforeEachMatrix() {
  const Checkpoint checkpoint = write({});
  const Arithmetic arithmetic(DType::BF16, at::kCPU);
  Patience patient;
  Weights::load(checkpoint, arithmetic, patient);
  QVERIFY(patient.asked >= 3 * 7);  // a check before each matrix
  for (int patience = 0; patience < patient.asked; ++patience) {
    Patience impatient(patience);
    try {
      Weights::load(checkpoint, arithmetic, impatient);
      QFAIL("was not stopped");
    } catch (const Error& error) {
      QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
    QCOMPARE(impatient.asked, patience + 1);
    QVERIFY(impatient.fractions.empty() || impatient.fractions.back() < 1.0);
  }
}

void tst_weights::progressIsReported() {
  Patience progress;
  Weights::load(write({.layers = 4}), Arithmetic(DType::F32, at::kCPU), progress);
  QVERIFY(std::is_sorted(progress.fractions.begin(), progress.fractions.end()));
  QCOMPARE(progress.fractions.front(), 0.0);
  QCOMPARE(progress.fractions.back(), 1.0);
  QCOMPARE(
      std::count(progress.labels.begin(), progress.labels.end(), "Reading layer 3 of 4"),
      1);
}

void tst_weights::frobeniusNormIsSummedInFloat64_data() {
  QTest::addColumn<double>("size");
  QTest::newRow("usual") << 1.0;
  QTest::newRow("whose squares are too small for float32") << 1e-25;
  QTest::newRow("whose squares are too large for float32") << 1e25;
}

void tst_weights::frobeniusNormIsSummedInFloat64() {
  QFETCH(double, size);
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16}) {
    const Arithmetic a(dtype, at::kCPU);
    const Tensor weight = randomTensor("W", {37, 61}, a, size).to(a.weightType());
    const double norm = toMatrix(weight).norm();
    QVERIFY(std::abs(frobeniusNorm(weight) / norm - 1.0) < 1e-13);
  }
}

void tst_weights::frobeniusNormIsRightForSizesLayoutsAndInfinity() {
  QVERIFY(std::abs(frobeniusNorm(at::full({3, 12}, -0.5, at::kHalf)) - 3.0) < 1e-15);
  QCOMPARE(frobeniusNorm(at::zeros({5, 5}, at::kBFloat16)), 0.0);
  for (const std::int64_t rows : {1, 1023, 1024, 1025, 2500}) {
    const Arithmetic a(DType::F32, at::kCPU);
    const Tensor weight = randomTensor("W", {rows, 5}, a);
    // With two rows or more, `columns` is not contiguous, and frobeniusNorm sums its
    // squares in tiles of 1024 rows.
    const Tensor columns = weight.t().contiguous().t();
    const double norm = toMatrix(weight).norm();
    QVERIFY(std::abs(frobeniusNorm(weight) / norm - 1.0) < 1e-13);
    QVERIFY(std::abs(frobeniusNorm(columns) / norm - 1.0) < 1e-13);
  }
  const Tensor infinite =
      at::full({1, 1}, std::numeric_limits<double>::infinity(), at::kFloat);
  QVERIFY(std::isinf(frobeniusNorm(infinite)));
}

EQUIPATCH_TEST(tst_weights)
#include "tst_weights.moc"
