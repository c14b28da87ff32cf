// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kv_cache.h"

#include "tests/core/model/random_block.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

ModelSpec threeLayers() {
  ModelSpec spec = smallSpec();
  spec.layers.resize(3);
  return spec;
}

/// True if the cached values are those written, to the last bit.
bool sameWide(const Tensor& cached, const Tensor& written) {
  return sameBits(cached.to(written.scalar_type()), written);
}

}  // namespace

class tst_kv_cache : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void onlySetLengthChangesTheLength();
  void returnsWhatWasWritten();
  void layersAreIndependent();
  void positionsAreFilledPieceByPiece();
  void positionsMayBeWrittenAgain();
  void writtenValuesAreRoundedToTheDType();
  void aLayerThatIsNotThereIsRefused();
  void aKeptContextWithoutPositionsIsEmpty();
  void keptPositionsBeforeTheWindowAreLeftOut();
  void anImpossibleCapacityIsRefused_data();
  void anImpossibleCapacityIsRefused();

 private:
  static Arithmetic arithmetic() {
    QFETCH_GLOBAL(int, dtype);
    return Arithmetic(static_cast<DType>(dtype), at::kCPU);
  }
  ModelSpec m_spec = threeLayers();
  Tensor rows(const char* name, std::int64_t count) const {
    return randomTensor(name, {count, m_spec.kvHeads, m_spec.headDim}, arithmetic());
  }
};

void tst_kv_cache::initTestCase_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_kv_cache::onlySetLengthChangesTheLength() {
  KvCache cache(m_spec, 9, arithmetic());
  QCOMPARE(cache.length(), 0);
  QCOMPARE(cache.capacity(), 9);
  cache.write(LayerIndex(0), 0, rows("k", 4), rows("v", 4));
  QCOMPARE(cache.length(), 0);
  cache.setLength(4);
  QCOMPARE(cache.length(), 4);
}

void tst_kv_cache::returnsWhatWasWritten() {
  KvCache cache(m_spec, 9, arithmetic());
  const Tensor k = rows("k", 6), v = rows("v", 6);
  cache.write(LayerIndex(1), 2, k, v);
  const Tensor keys = cache.keys(LayerIndex(1), 2, 6);
  QCOMPARE(keys.sizes(), at::IntArrayRef({m_spec.kvHeads, 6, m_spec.headDim}));
  QCOMPARE(keys.scalar_type(), arithmetic().activationType());
  for (std::int64_t position = 0; position < 6; ++position)
    for (std::int64_t head = 0; head < m_spec.kvHeads; ++head) {
      QVERIFY(sameWide(keys[head][position], k[position][head]));
      QVERIFY(sameWide(cache.values(LayerIndex(1), 2 + position, 1)[head][0],
                       v[position][head]));
    }
}

void tst_kv_cache::layersAreIndependent() {
  KvCache cache(m_spec, 5, arithmetic());
  const char* names[] = {"zero", "one", "two"};
  for (std::int64_t layer = 0; layer < 3; ++layer)
    cache.write(LayerIndex(layer), 0, rows(names[layer], 5), -rows(names[layer], 5));
  for (std::int64_t layer = 0; layer < 3; ++layer) {
    const Tensor expected = rows(names[layer], 5).transpose(0, 1);
    QVERIFY(sameWide(cache.keys(LayerIndex(layer), 0, 5), expected));
    QVERIFY(sameWide(cache.values(LayerIndex(layer), 0, 5), -expected));
  }
}

void tst_kv_cache::positionsAreFilledPieceByPiece() {
  KvCache whole(m_spec, 8, arithmetic()), pieces(m_spec, 8, arithmetic());
  const Tensor k = rows("k", 8), v = rows("v", 8);
  whole.write(LayerIndex(2), 0, k, v);
  std::int64_t first = 0;
  for (const std::int64_t count : {3, 1, 4}) {
    pieces.write(LayerIndex(2), first, k.narrow(0, first, count),
                 v.narrow(0, first, count));
    first += count;
  }
  QVERIFY(sameBits(whole.keys(LayerIndex(2), 0, 8), pieces.keys(LayerIndex(2), 0, 8)));
  QVERIFY(
      sameBits(whole.values(LayerIndex(2), 1, 5), pieces.values(LayerIndex(2), 1, 5)));
}

void tst_kv_cache::positionsMayBeWrittenAgain() {
  KvCache cache(m_spec, 4, arithmetic());
  cache.write(LayerIndex(0), 0, rows("first", 4), rows("first", 4));
  cache.write(LayerIndex(0), 2, rows("second", 1), rows("third", 1));
  const Tensor first = rows("first", 4).transpose(0, 1);
  const Tensor keys = cache.keys(LayerIndex(0), 0, 4);
  QVERIFY(sameWide(keys.narrow(1, 0, 2), first.narrow(1, 0, 2)));
  QVERIFY(sameWide(keys.narrow(1, 2, 1), rows("second", 1).transpose(0, 1)));
  QVERIFY(sameWide(keys.narrow(1, 3, 1), first.narrow(1, 3, 1)));
  QVERIFY(sameWide(cache.values(LayerIndex(0), 2, 1), rows("third", 1).transpose(0, 1)));
}

void tst_kv_cache::writtenValuesAreRoundedToTheDType() {
  const Arithmetic a = arithmetic();
  KvCache cache(m_spec, 3, a);
  // Not representable in 16 bits.
  const Tensor k = rows("k", 3) / 3.0, v = rows("v", 3) / 3.0;
  cache.write(LayerIndex(0), 0, k, v);
  QVERIFY(sameWide(cache.keys(LayerIndex(0), 0, 3), a.round(k).transpose(0, 1)));
  QVERIFY(sameWide(cache.values(LayerIndex(0), 0, 3), a.round(v).transpose(0, 1)));
}

void tst_kv_cache::aLayerThatIsNotThereIsRefused() {
  KvCache cache(m_spec, 3, arithmetic());
  for (const std::int64_t layer : {-1, 3}) {
    QVERIFY_EXCEPTION_THROWN(cache.keys(LayerIndex(layer), 0, 1), std::out_of_range);
    QVERIFY_EXCEPTION_THROWN(cache.values(LayerIndex(layer), 0, 1), std::out_of_range);
    QVERIFY_EXCEPTION_THROWN(
        cache.write(LayerIndex(layer), 0, rows("k", 1), rows("v", 1)), std::out_of_range);
  }
}

void tst_kv_cache::anImpossibleCapacityIsRefused_data() {
  QTest::addColumn<qint64>("capacity");
  QTest::newRow("more bytes than 64 bits count") << (qint64{1} << 60);
  QTest::newRow("negative") << qint64{-1};
}

void tst_kv_cache::anImpossibleCapacityIsRefused() {
  QFETCH(qint64, capacity);
  const std::string number = std::to_string(capacity);
  QVERIFY_ERROR(KvCache(m_spec, capacity, arithmetic()), "no memory", number.c_str(),
                "shorter prompt");
  try {
    const KvCache cache(m_spec, capacity, arithmetic());
    QFAIL("was accepted");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Resource);
  }
}

void tst_kv_cache::aKeptContextWithoutPositionsIsEmpty() {
  QVERIFY(KeptContext().empty());
  QVERIFY(KeptContext({}, at::kCPU).empty());
}

void tst_kv_cache::keptPositionsBeforeTheWindowAreLeftOut() {
  const KeptContext kept({0, 3, 4, 9}, at::kCPU);
  QVERIFY(!kept.empty());
  const auto from = [&](std::int64_t first) { return kept.from(first); };
  QVERIFY(at::equal(from(0), at::tensor({0, 3, 4, 9}, at::kLong)));
  QVERIFY(at::equal(from(3), at::tensor({3, 4, 9}, at::kLong)));
  QVERIFY(at::equal(from(5), at::tensor({9}, at::kLong)));
  QCOMPARE(from(10).size(0), 0);
}

EQUIPATCH_TEST(tst_kv_cache)
#include "tst_kv_cache.moc"
