// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/random_weights.h"

#include <cmath>
#include <cstring>
#include <set>

#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

/// The value of a normal floating-point number, from its sign, exponent and fraction.
double valueOf(std::uint64_t bits, int exponentBits, int fractionBits) {
  const auto fraction = static_cast<double>(bits & ((1ull << fractionBits) - 1));
  const auto exponent =
      static_cast<int>(bits >> fractionBits & ((1ull << exponentBits) - 1));
  const double sign = (bits >> (exponentBits + fractionBits)) & 1 ? -1.0 : 1.0;
  return sign * std::ldexp(1.0 + std::ldexp(fraction, -fractionBits),
                           exponent - ((1 << (exponentBits - 1)) - 1));
}

struct Format {
  DType dtype;
  int exponentBits, fractionBits;
};
constexpr Format kFormats[] = {
    {DType::F64, 11, 52}, {DType::F32, 8, 23}, {DType::BF16, 8, 7}, {DType::F16, 5, 10}};

std::vector<double> valuesOf(std::span<const std::byte> bytes, const Format& format) {
  const std::size_t size = byteSize(format.dtype);
  std::vector<double> values;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size);
    values.push_back(valueOf(bits, format.exponentBits, format.fractionBits));
  }
  return values;
}

std::vector<double> randomValues(const Format& format, Magnitude magnitude,
                                 std::uint64_t seed = 1) {
  std::vector<std::byte> bytes(8 * 1000);
  fillRandom(bytes, format.dtype, magnitude, seed);
  return valuesOf(bytes, format);
}

}  // namespace

class tst_random_weights : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void valuesHaveTheGivenMagnitude();
  void valuesFollowTheSeed();
  void shapesEqualThoseOfTheStoredCheckpoint_data();
  void shapesEqualThoseOfTheStoredCheckpoint();
  void finalNormIsOneUnlessStoredMinusOne();
  void fusedWeightsShareTheirTensor();
  void mxfp4BlocksAreRandomBytes();
  void tooLargeModelsAreRefused();
  void aVisionTowerIsAddedOnRequest();
};

void tst_random_weights::valuesHaveTheGivenMagnitude() {
  for (const Format& format : kFormats) {
    double negative = 0.0;
    const auto small = randomValues(format, Magnitude::Small);
    for (const double value : small) {
      QVERIFY(std::abs(value) >= 0x1p-6 && std::abs(value) < 0x1p-5);
      negative += value < 0.0;
    }
    const double share = negative / static_cast<double>(small.size());
    QVERIFY(share > 0.4 && share < 0.6);
    double sum = 0.0;
    const auto scales = randomValues(format, Magnitude::One);
    for (const double value : scales) {
      QVERIFY(value >= 1.0 && value < 2.0);
      sum += value;
    }
    QVERIFY(std::abs(sum / static_cast<double>(scales.size()) - 1.5) < 0.05);
  }
  QVERIFY_ERROR(fillRandom({}, DType::I32, Magnitude::One, 0), "int32");
}

void tst_random_weights::valuesFollowTheSeed() {
  for (const Format& format : kFormats) {
    QVERIFY(randomValues(format, Magnitude::Small) ==
            randomValues(format, Magnitude::Small));
    QVERIFY(randomValues(format, Magnitude::Small) !=
            randomValues(format, Magnitude::Small, 2));
  }
}

void tst_random_weights::shapesEqualThoseOfTheStoredCheckpoint_data() {
  QTest::addColumn<QString>("folder");
  for (const std::string& name : test::goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void tst_random_weights::shapesEqualThoseOfTheStoredCheckpoint() {
  QFETCH(QString, folder);
  const auto path = test::data("golden") / folder.toStdString();
  const Checkpoint stored = Checkpoint::open(path);
  const Checkpoint random = Checkpoint::withRandomWeights(path, DType::BF16);
  QCOMPARE(random.parameterCount(), stored.parameterCount());
  QVERIFY(random.files().empty());
  for (std::int64_t layer = 0; layer < stored.spec().layerCount(); ++layer)
    for (const char* weight : {"W_q", "W_gate", "W_in", "W_router", "experts.1.W_down",
                               "attn_norm", "attn_norm.bias", "b_down"}) {
      const std::string name = layerWeight(layer, weight);
      QCOMPARE(random.has(name), stored.has(name));
      if (!stored.has(name)) continue;
      const StoredWeight &a = random.weight(name), &b = stored.weight(name);
      QCOMPARE(a.shape, b.shape);
      QCOMPARE(a.stored.shape, b.stored.shape);
      QCOMPARE(a.stored.dtype, DType::BF16);
      QVERIFY(a.part == b.part);
      QCOMPARE(a.stored.bytes.size(),
               static_cast<std::size_t>(a.stored.elements()) * byteSize(DType::BF16));
      QVERIFY(a.stored.aligned());
    }
}

void tst_random_weights::finalNormIsOneUnlessStoredMinusOne() {
  const auto scale = [](const char* folder) {
    const Checkpoint random =
        Checkpoint::withRandomWeights(test::data("golden") / folder, DType::BF16);
    return valuesOf(random.weight("final_norm").stored.bytes, {DType::BF16, 8, 7});
  };
  for (const double value : scale("llama2_gqa")) QVERIFY(value >= 1.0 && value < 2.0);
  for (const double value : scale("gemma3_text")) QVERIFY(std::abs(value) < 0.04);
}

void tst_random_weights::fusedWeightsShareTheirTensor() {
  const Checkpoint random =
      Checkpoint::withRandomWeights(test::data("golden/gpt2"), std::nullopt);
  QVERIFY(random.weight("layers.0.W_q").stored.bytes.data() ==
          random.weight("layers.0.W_v").stored.bytes.data());
  QVERIFY(random.weight("layers.0.W_q").stored.bytes.data() !=
          random.weight("layers.1.W_q").stored.bytes.data());
}

/// Every scale is 2⁻⁷. A matrix that is not MXFP4 has the given dtype.
void tst_random_weights::mxfp4BlocksAreRandomBytes() {
  const Checkpoint random =
      Checkpoint::withRandomWeights(test::data("shapes/tiny_mxfp4"), DType::BF16);
  const StoredWeight& up = random.weight("layers.1.experts.2.W_up");
  QVERIFY(up.scales.has_value());
  QCOMPARE(up.stored.dtype, DType::U8);
  QCOMPARE(up.stored.shape, (std::vector<std::int64_t>{3, 64, 2, 16}));
  QCOMPARE(up.scales->shape, (std::vector<std::int64_t>{3, 64, 2}));
  QCOMPARE(up.stored.bytes.size(), std::size_t{3 * 64 * 2 * 16});
  std::set<std::byte> values(up.stored.bytes.begin(), up.stored.bytes.end());
  QVERIFY(values.size() > 200);
  QCOMPARE(up.scales->bytes.size(), std::size_t{3 * 64 * 2});
  for (const std::byte scale : up.scales->bytes) QCOMPARE(int(scale), 127 - 7);
  QCOMPARE(random.weight("layers.1.W_q").stored.dtype, DType::BF16);
  QVERIFY(!random.weight("layers.1.W_q").scales);
}

void tst_random_weights::tooLargeModelsAreRefused() {
  ModelDescription description;
  description.tensors.push_back(
      {"embed", "embed.weight", {std::int64_t{1} << 27, std::int64_t{1} << 20}});
  QVERIFY_ERROR(randomWeights(description.tensors, description.spec, DType::BF16),
                "bfloat16", "free");
}

void tst_random_weights::aVisionTowerIsAddedOnRequest() {
  const auto path = test::data("images/gemma3_mm");
  Checkpoint random = Checkpoint::withRandomWeights(path, DType::BF16);
  QCOMPARE(random.visionParameterCount(), 0);
  QVERIFY(!random.spec().vision->problem.empty());
  random.addRandomTower(DType::BF16);
  const Checkpoint stored = Checkpoint::open(path);
  QCOMPARE(random.visionParameterCount(), stored.visionParameterCount());
  QVERIFY(random.spec().vision->problem.empty());
  for (const auto& [name, weight] : stored.visionWeights()) {
    QCOMPARE(random.visionWeight(name).stored.shape, weight.stored.shape);
    QCOMPARE(random.visionWeight(name).stored.dtype, DType::BF16);
  }
  Checkpoint text = Checkpoint::withRandomWeights(test::data("golden/gpt2"), DType::BF16);
  QVERIFY_ERROR(text.addRandomTower(DType::BF16), "no vision tower");
}

EQUIPATCH_TEST(tst_random_weights)
#include "tst_random_weights.moc"
