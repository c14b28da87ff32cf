// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention.h"

#include "tests/core/model/block_oracle.h"
#include "tests/core/model/random_block.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr std::int64_t kAttentionTokens = 11;

struct AttentionSetting {
  explicit AttentionSetting(const ModelSpec& modelSpec, DType dtype = DType::F64,
                            SummationOrder order = SummationOrder::Standard)
      : spec(modelSpec),
        arithmetic(Arithmetic(dtype, at::kCPU).with(order)),
        weights(randomWeights(spec, arithmetic)),
        attention(spec, LayerIndex(0), weights, arithmetic),
        x(randomTensor("attn_in", {kAttentionTokens, spec.width}, arithmetic)),
        cache(spec, kAttentionTokens, arithmetic) {}

  AttentionSetting(const AttentionSetting&) = delete;

  /// Attention of tokens [first, first + count) of `input`; writes their keys and values
  /// to the cache.
  Tensor feed(const Tensor& input, std::int64_t first, std::int64_t count) {
    const RowBatch batch{.contextRows = count, .firstPosition = first, .cache = &cache};
    return attention.forward(input.narrow(0, first, count), batch, arithmetic);
  }

  /// Attention of token `position` of x over the kept positions and itself.
  Tensor reduced(std::vector<std::int64_t> kept, std::int64_t position) {
    const RowBatch batch{.reducedRows = 1,
                         .firstPosition = position,
                         .cache = &cache,
                         .kept = {std::move(kept), at::kCPU}};
    return attention.forward(x.narrow(0, position, 1), batch, arithmetic);
  }

  Matrix oracle() const { return BlockOracle(spec, weights).attention(toMatrix(x)); }

  ModelSpec spec;
  Arithmetic arithmetic;
  LayerWeights weights;
  Attention attention;
  Tensor x;
  KvCache cache;
};

ModelSpec windowed(std::int64_t window) {
  ModelSpec spec = smallSpec();
  spec.layers[0].window = window;
  return spec;
}

}  // namespace

class tst_attention : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheFormula_data();
  void equalsTheFormula();
  void attentionInChunksEqualsTheWholeText_data();
  void attentionInChunksEqualsTheWholeText();
  void theCacheHoldsValuesAndRotatedKeys();
  void laterTokensAreNotSeen();
  void theWindowLimitsTheContext();
  void withoutKeptTokensAReducedRowIsAOneTokenText();
  void reducedRowsAndContextAreIndependent();
  void aReducedRowSeesTheKeptPositions();
  void keptPositionsKeepTheirRotation();
  void keptTokensBeyondTheWindowAreNotSeen();
  void rowKeepingAllTokensEqualsTheContextRow_data();
  void rowKeepingAllTokensEqualsTheContextRow();
  void positionsBeforeTheFirstVisibleAreNotSeen();
  void alternateOrderAgreesToRounding_data();
  void alternateOrderAgreesToRounding();
  void narrowTypesStayNearTheOracle_data();
  void narrowTypesStayNearTheOracle();
};

void tst_attention::equalsTheFormula_data() {
  QTest::addColumn<int>("heads");
  QTest::addColumn<int>("kvHeads");
  QTest::addColumn<int>("window");
  QTest::addColumn<double>("softcap");
  QTest::addColumn<bool>("norms");
  QTest::addColumn<bool>("biases");
  QTest::newRow("one query head per key head") << 4 << 4 << 0 << 0.0 << false << false;
  QTest::newRow("three query heads per key head") << 6 << 2 << 0 << 0.0 << false << false;
  QTest::newRow("one key head") << 5 << 1 << 0 << 0.0 << false << false;
  QTest::newRow("window of one") << 6 << 2 << 1 << 0.0 << false << false;
  QTest::newRow("window of four") << 6 << 2 << 4 << 0.0 << false << false;
  QTest::newRow("window beyond the text") << 6 << 2 << 40 << 0.0 << false << false;
  QTest::newRow("softcap") << 6 << 2 << 0 << 0.7 << false << false;
  QTest::newRow("norms of queries and keys") << 6 << 2 << 0 << 0.0 << true << false;
  QTest::newRow("biases") << 6 << 2 << 0 << 0.0 << false << true;
  QTest::newRow("everything") << 6 << 3 << 3 << 1.3 << true << true;
}

void tst_attention::equalsTheFormula() {
  QFETCH(int, heads);
  QFETCH(int, kvHeads);
  QFETCH(int, window);
  QFETCH(double, softcap);
  QFETCH(bool, norms);
  QFETCH(bool, biases);
  ModelSpec spec = smallSpec();
  spec.heads = heads;
  spec.kvHeads = kvHeads;
  if (window > 0) spec.layers[0].window = window;
  if (softcap > 0.0) spec.attentionSoftcap = softcap;
  spec.queryKeyNorm = norms ? QueryKeyNorm::PerHead : QueryKeyNorm::None;
  spec.queryKeyValueBias = spec.attentionOutBias = biases;
  AttentionSetting setting(spec);
  QVERIFY(distance(setting.feed(setting.x, 0, kAttentionTokens), setting.oracle()) <
          1e-12);
}

void tst_attention::attentionInChunksEqualsTheWholeText_data() {
  QTest::addColumn<int>("window");
  QTest::addColumn<QList<int>>("chunks");
  for (const int window : {100, 1, 2, 5, 11})
    for (const QList<int>& chunks :
         {QList<int>{11}, QList<int>{6, 5}, QList<int>{1, 10}, QList<int>{10, 1},
          QList<int>{4, 1, 1, 3, 2}, QList<int>(11, 1)})
      QTest::addRow("window %d, %d chunks from %d", window,
                    static_cast<int>(chunks.size()), chunks.front())
          << window << chunks;
}

void tst_attention::attentionInChunksEqualsTheWholeText() {
  QFETCH(int, window);
  QFETCH(QList<int>, chunks);
  AttentionSetting setting(windowed(window));
  const Matrix whole = setting.oracle();
  std::int64_t first = 0;
  for (const int count : chunks) {
    const Tensor out = setting.feed(setting.x, first, count);
    QVERIFY(distance(out, whole.middleRows(first, count)) < 1e-12);
    first += count;
  }
  QCOMPARE(first, kAttentionTokens);
}

void tst_attention::theCacheHoldsValuesAndRotatedKeys() {
  ModelSpec spec = smallSpec();
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.queryKeyValueBias = true;
  AttentionSetting setting(spec);
  setting.feed(setting.x, 0, 4);
  setting.feed(setting.x, 4, 7);
  const BlockOracle oracle(spec, setting.weights);
  const Matrix k =
      oracle.heads(toMatrix(setting.x), setting.weights.W_k, setting.weights.k_norm);
  const Matrix v = BlockOracle::product(toMatrix(setting.x), setting.weights.W_v);
  const Tensor keys =
      setting.cache.keys(LayerIndex(0), 0, kAttentionTokens).transpose(0, 1);
  const Tensor values =
      setting.cache.values(LayerIndex(0), 0, kAttentionTokens).transpose(0, 1);
  QVERIFY(distance(keys, k) < 1e-12);
  QVERIFY(distance(values, v) < 1e-12);
}

void tst_attention::laterTokensAreNotSeen() {
  AttentionSetting setting(smallSpec());
  const Tensor before = setting.feed(setting.x, 0, kAttentionTokens).clone();
  Tensor other = setting.x.clone();
  other.narrow(0, 7, 4).mul_(-3.0);
  const Tensor after = setting.feed(other, 0, kAttentionTokens);
  QVERIFY(sameBits(after.narrow(0, 0, 7), before.narrow(0, 0, 7)));
  for (std::int64_t row = 7; row < kAttentionTokens; ++row)
    QVERIFY(distance(after[row], before[row]) > 1e-3);
}

void tst_attention::theWindowLimitsTheContext() {
  constexpr std::int64_t kWindow = 4, kChanged = 3;
  for (const std::int64_t chunk : {kAttentionTokens, std::int64_t{1}}) {
    AttentionSetting setting(windowed(kWindow));
    const Matrix before = setting.oracle();
    Tensor other = setting.x.clone();
    other[kChanged].mul_(-3.0);
    for (std::int64_t first = 0; first < kAttentionTokens; first += chunk) {
      const Tensor out = setting.feed(other, first, chunk);
      for (std::int64_t row = first; row < first + chunk; ++row) {
        const bool sees = row >= kChanged && row < kChanged + kWindow;
        const double change = distance(out[row - first], before.row(row));
        QVERIFY(sees ? change > 1e-3 : change < 1e-12);
      }
    }
  }
}

void tst_attention::withoutKeptTokensAReducedRowIsAOneTokenText() {
  ModelSpec spec = windowed(3);
  spec.queryKeyNorm = QueryKeyNorm::PerHead;
  spec.queryKeyValueBias = spec.attentionOutBias = true;
  spec.attentionSoftcap = 0.9;
  AttentionSetting setting(spec);
  const RowBatch lone{.reducedRows = 3};
  const Tensor out =
      setting.attention.forward(setting.x.narrow(0, 2, 3), lone, setting.arithmetic);
  const BlockOracle oracle(spec, setting.weights);
  for (std::int64_t row = 0; row < 3; ++row)
    QVERIFY(distance(out[row], oracle.attention(toMatrix(setting.x[2 + row]))) < 1e-12);
}

void tst_attention::reducedRowsAndContextAreIndependent() {
  AttentionSetting setting(smallSpec());
  const Matrix whole = setting.oracle();
  setting.feed(setting.x, 0, 8);
  const RowBatch batch{
      .contextRows = 1, .reducedRows = 2, .firstPosition = 8, .cache = &setting.cache};
  QCOMPARE(batch.rows(), 3);
  const Tensor rows = at::cat({setting.x.narrow(0, 8, 1), setting.x.narrow(0, 0, 2)});
  const Tensor out = setting.attention.forward(rows, batch, setting.arithmetic);
  QVERIFY(distance(out[0], whole.row(8)) < 1e-12);
  // A reduced row sees only itself, like token 0 of a text; token 1 would see token 0.
  QVERIFY(distance(out[1], whole.row(0)) < 1e-12);
  QVERIFY(distance(out[2], whole.row(1)) > 1e-3);
  const Tensor rest = setting.feed(setting.x, 9, 2);
  QVERIFY(distance(rest, whole.middleRows(9, 2)) < 1e-12);
}

/// Without rotary embedding, the row's output is that of the last token of a text without
/// the absorbed tokens.
void tst_attention::aReducedRowSeesTheKeptPositions() {
  ModelSpec spec = smallSpec();
  spec.layers[0].rope.reset();
  spec.attentionSoftcap = 0.9;
  AttentionSetting setting(spec);
  setting.feed(setting.x, 0, 8);
  const Tensor out = setting.reduced({1, 2, 6}, 8);
  const Tensor left = setting.x.index_select(0, at::tensor({1, 2, 6, 8}));
  const Matrix expected = BlockOracle(spec, setting.weights).attention(toMatrix(left));
  QVERIFY(distance(out[0], expected.row(3)) < 1e-12);
}

/// Keeping the last three tokens equals a sliding window of four only if each kept key is
/// rotated by its own position.
void tst_attention::keptPositionsKeepTheirRotation() {
  const AttentionSetting windowedSetting(windowed(4));
  AttentionSetting setting(smallSpec());
  setting.feed(setting.x, 0, 8);
  const Tensor out = setting.reduced({5, 6, 7}, 8);
  QVERIFY(distance(out[0], windowedSetting.oracle().row(8)) < 1e-12);
}

void tst_attention::keptTokensBeyondTheWindowAreNotSeen() {
  AttentionSetting setting(windowed(4));
  setting.feed(setting.x, 0, 8);
  QVERIFY(sameBits(setting.reduced({0, 3, 4, 6}, 8), setting.reduced({6}, 8)));
  QVERIFY(!sameBits(setting.reduced({5, 6}, 8), setting.reduced({6}, 8)));
  const Tensor alone = setting.attention.forward(setting.x.narrow(0, 8, 1),
                                                 {.reducedRows = 1}, setting.arithmetic);
  QVERIFY(sameBits(setting.reduced({0, 3}, 8), alone));
}

void tst_attention::rowKeepingAllTokensEqualsTheContextRow_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F64, DType::F32, DType::F16, DType::BF16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_attention::rowKeepingAllTokensEqualsTheContextRow() {
  QFETCH(int, dtype);
  AttentionSetting setting(windowed(7), static_cast<DType>(dtype));
  setting.feed(setting.x, 0, 8);
  const Tensor out = setting.reduced({0, 1, 2, 3, 4, 5, 6, 7}, 8);
  QVERIFY(sameBits(out, setting.feed(setting.x, 8, 1)));
}

/// Without rotary embedding, the outputs are those of a text that begins at the first
/// visible token.
void tst_attention::positionsBeforeTheFirstVisibleAreNotSeen() {
  ModelSpec spec = smallSpec();
  spec.layers[0].rope.reset();
  AttentionSetting setting(spec);
  setting.feed(setting.x, 0, 5);
  const RowBatch batch{
      .contextRows = 6, .firstPosition = 5, .cache = &setting.cache, .visibleFrom = 5};
  const Tensor out =
      setting.attention.forward(setting.x.narrow(0, 5, 6), batch, setting.arithmetic);
  const Tensor rest = setting.x.narrow(0, 5, 6);
  const Matrix expected = BlockOracle(spec, setting.weights).attention(toMatrix(rest));
  QVERIFY(distance(out, expected) < 1e-12);
}

void tst_attention::alternateOrderAgreesToRounding_data() {
  QTest::addColumn<int>("window");
  for (const int window : {1, 2, 5, 100}) QTest::addRow("window %d", window) << window;
}

void tst_attention::alternateOrderAgreesToRounding() {
  QFETCH(int, window);
  const ModelSpec spec = windowed(window);
  for (const DType dtype : {DType::F64, DType::F32}) {
    AttentionSetting standard(spec, dtype), other(spec, dtype, SummationOrder::Alternate);
    const Tensor one =
        at::cat({standard.feed(standard.x, 0, 10), standard.feed(standard.x, 10, 1)});
    const Tensor two = at::cat({other.feed(other.x, 0, 10), other.feed(other.x, 10, 1)});
    QVERIFY(!sameBits(one, two));
    QVERIFY(distance(two, other.oracle()) < (dtype == DType::F64 ? 1e-12 : 1e-5));
  }
}

void tst_attention::narrowTypesStayNearTheOracle_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("float32") << static_cast<int>(DType::F32) << 1e-5;
  QTest::newRow("float16") << static_cast<int>(DType::F16) << 5e-3;
  QTest::newRow("bfloat16") << static_cast<int>(DType::BF16) << 4e-2;
}

void tst_attention::narrowTypesStayNearTheOracle() {
  QFETCH(int, dtype);
  QFETCH(double, tolerance);
  AttentionSetting setting(windowed(6), static_cast<DType>(dtype));
  const Tensor out =
      at::cat({setting.feed(setting.x, 0, 9), setting.feed(setting.x, 9, 2)});
  QCOMPARE(out.scalar_type(), at::kFloat);
  QVERIFY(sameBits(setting.arithmetic.round(out), out));
  const double error = distance(out, setting.oracle());
  QVERIFY(error > 0.0);
  QVERIFY(error < tolerance);
}

EQUIPATCH_TEST(tst_attention)
#include "tst_attention.moc"
