// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/network/attention_loops.h"

#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kTokens = 37;
constexpr double kPeriod = 100;
const NetworkShape kAttentionShape = {.heads = 4, .kvHeads = 2, .maxPositions = 64};
const std::int64_t kColumns =
    kAttentionShape.queryWidth() + 2 * kAttentionShape.keyWidth();
using Vector = std::vector<double>;

/// A head of qkv, normed and rotated, in double.
Vector prepared(const float* head, const std::vector<float>& scale,
                std::int64_t position) {
  Vector x(head, head + kHeadDim);
  double squares = 0;
  for (const double value : x) squares += value * value;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= (1.0 + scale[i]) / std::sqrt(squares / kHeadDim + kAttentionShape.epsilon);
  Vector rotated(x.size());
  const std::size_t half = kHeadDim / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double angle =
        static_cast<double>(position) * std::pow(kPeriod, -static_cast<double>(i) / half);
    rotated[i] = x[i] * std::cos(angle) - x[half + i] * std::sin(angle);
    rotated[half + i] = x[half + i] * std::cos(angle) + x[i] * std::sin(angle);
  }
  return rotated;
}

/// Attention by its definition, head by head and query by query.
Vector reference(const std::vector<float>& qkv, std::int64_t window,
                 const std::vector<float>& queryNorm, const std::vector<float>& keyNorm) {
  Vector out(static_cast<std::size_t>(kTokens * kAttentionShape.queryWidth()));
  for (std::int64_t head = 0; head < kAttentionShape.heads; ++head)
    for (std::int64_t token = 0; token < kTokens; ++token) {
      const std::int64_t kv = head / (kAttentionShape.heads / kAttentionShape.kvHeads);
      const float* row = qkv.data() + token * kColumns;
      const Vector query = prepared(row + head * kHeadDim, queryNorm, token);
      Vector sum(kHeadDim);
      double total = 0;
      for (std::int64_t j = std::max<std::int64_t>(0, token - window + 1); j <= token;
           ++j) {
        const float* keys =
            qkv.data() + j * kColumns + kAttentionShape.queryWidth() + kv * kHeadDim;
        const Vector key = prepared(keys, keyNorm, j);
        double score = 0;
        for (std::size_t i = 0; i < kHeadDim; ++i) score += query[i] * key[i];
        const double weight = std::exp(score / std::sqrt(double{kHeadDim}));
        total += weight;
        for (std::size_t i = 0; i < kHeadDim; ++i)
          sum[i] +=
              weight * keys[kAttentionShape.keyWidth() + static_cast<std::int64_t>(i)];
      }
      for (std::size_t i = 0; i < kHeadDim; ++i)
        out[static_cast<std::size_t>(token * kAttentionShape.queryWidth() +
                                     head * kHeadDim) +
            i] = sum[i] / total;
    }
  return out;
}

}  // namespace

class tst_attention_loops : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void attentionEqualsTheReference_data() {
    QTest::addColumn<int>("window");
    QTest::newRow("global") << 64;
    QTest::newRow("local") << 5;
    QTest::newRow("itself alone") << 1;
  }
  void attentionEqualsTheReference() {
    QFETCH(int, window);
    const DocumentAttention::Rotation rotation(kAttentionShape, kPeriod);
    const DocumentAttention::Layer layer = {&rotation, window, m_queryNorm.data(),
                                            m_keyNorm.data()};
    DocumentAttention attention(kAttentionShape);
    std::vector<float> out(
        static_cast<std::size_t>(kTokens * kAttentionShape.queryWidth()));
    attention.forward(layer, kTokens, m_qkv.data(), out.data());
    const Vector expected = reference(m_qkv, window, m_queryNorm, m_keyNorm);
    for (std::size_t i = 0; i < out.size(); ++i)
      QVERIFY(isNear(out[i], expected[i], 1e-5));

    const auto dOut = randomNumbers(kTokens * kAttentionShape.queryWidth(), 4);
    std::vector<float> dQkv(m_qkv.size());
    std::vector<float> dQueryNorm(kHeadDim);
    std::vector<float> dKeyNorm(kHeadDim);
    attention.backward(layer, kTokens, m_qkv.data(), dOut.data(), dQkv.data(),
                       {dQueryNorm.data(), dKeyNorm.data()});
    const auto loss = [&](const auto& qkv, const auto& queryNorm, const auto& keyNorm) {
      const Vector y = reference(qkv, window, queryNorm, keyNorm);
      double sum = 0;
      for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dOut[i];
      return sum;
    };
    const auto along = randomNumbers(kTokens * kColumns, 5);
    QVERIFY(isNear(dot(dQkv, along),
                   directionalDerivative(
                       [&](const auto& x) { return loss(x, m_queryNorm, m_keyNorm); },
                       m_qkv, along, 1e-3),
                   1e-3));
    const auto alongNorm = randomNumbers(kHeadDim, 6);
    QVERIFY(isNear(
        dot(dQueryNorm, alongNorm),
        directionalDerivative([&](const auto& n) { return loss(m_qkv, n, m_keyNorm); },
                              m_queryNorm, alongNorm, 1e-3),
        1e-3));
    QVERIFY(isNear(
        dot(dKeyNorm, alongNorm),
        directionalDerivative([&](const auto& n) { return loss(m_qkv, m_queryNorm, n); },
                              m_keyNorm, alongNorm, 1e-3),
        1e-3));
  }

  /// Scratch memory of a longer document must not affect a shorter one.
  void scratchMemoryIsCleared() {
    const DocumentAttention::Rotation rotation(kAttentionShape, kPeriod);
    const DocumentAttention::Layer layer = {&rotation, 64, m_queryNorm.data(),
                                            m_keyNorm.data()};
    std::vector<float> fresh(static_cast<std::size_t>(9 * kAttentionShape.queryWidth()));
    std::vector<float> used = fresh;
    std::vector<float> longer(
        static_cast<std::size_t>(kTokens * kAttentionShape.queryWidth()));
    DocumentAttention(kAttentionShape).forward(layer, 9, m_qkv.data(), fresh.data());
    DocumentAttention attention(kAttentionShape);
    attention.forward(layer, kTokens, m_qkv.data(), longer.data());
    attention.forward(layer, 9, m_qkv.data(), used.data());
    QCOMPARE(used, fresh);
  }

 private:
  std::vector<float> m_qkv = randomNumbers(kTokens * kColumns, 1, 2);
  std::vector<float> m_queryNorm = randomNumbers(kHeadDim, 2);
  std::vector<float> m_keyNorm = randomNumbers(kHeadDim, 3);
};

EQUIPATCH_TEST(tst_attention_loops)
#include "tst_attention_loops.moc"
