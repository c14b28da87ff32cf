// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include <QTemporaryDir>
#include <numeric>

#include "core/base/file_map.h"
#include "core/checkpoint/safetensors.h"
#include "tests/core/model/eigen_tensor.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_stored_tensor : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void partsAreViewsOfTheStoredTensor();
  void thirdsOfRowsAreUsedInPlace();
  void thirdsOfATransposedMatrixAreCopied();
  void rowsOfAPartAreGatheredFromAllGroups();
  void partsMayHaveDifferentSizes();
  void anExpertIsReadAsASliceOfTheTensor();
  void partsOfVectorsAreGathered();
  void aMatrixOfSeveralTilesIsConvertedWhole();

 private:
  /// A part of a stored matrix whose entries are 100 · row + column.
  StoredWeight stored(std::int64_t rows, std::int64_t columns, DType dtype,
                      std::vector<std::int64_t> shape, TensorPart part) {
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column)
        values.push_back(static_cast<float>(100 * row + column));
    std::vector<std::int64_t> whole{rows, columns};
    if (columns == 1) whole = {rows};
    const auto path =
        std::filesystem::path(m_folder.path().toStdString()) / "t.safetensors";
    writeSafetensors(path, {{"t", whole, values}}, dtype);
    return {SafetensorsFile::open(path).tensors().at("t"), std::move(shape), part};
  }

  QTemporaryDir m_folder;
};

void tst_stored_tensor::partsAreViewsOfTheStoredTensor() {
  const StoredWeight weight = stored(6, 4, DType::F32, {2, 4}, {.parts = 3, .index = 1});
  const Tensor whole = storedTensor(weight.stored);
  QCOMPARE(static_cast<const void*>(whole.data_ptr()),
           static_cast<const void*>(weight.stored.bytes.data()));
  const Tensor part = partOf(whole, weight.part);
  QVERIFY(part.is_alias_of(whole));
  QVERIFY(at::equal(part, whole.narrow(0, 2, 2).unsqueeze(0)));
}

void tst_stored_tensor::thirdsOfRowsAreUsedInPlace() {
  const Arithmetic a(DType::F32, at::kCPU);
  const StoredWeight weight = stored(6, 4, DType::F32, {2, 4}, {.parts = 3, .index = 1});
  QVERIFY(isUsedInPlace(weight, a));
  QVERIFY(!isUsedInPlace(weight, Arithmetic(DType::F64, at::kCPU)));
  const Tensor second = loadTensor(weight, a);
  QCOMPARE(static_cast<const void*>(second.data_ptr()),
           static_cast<const void*>(weight.stored.bytes.data() + 2 * 4 * sizeof(float)));
  Matrix expected(2, 4);
  expected << 200, 201, 202, 203, 300, 301, 302, 303;
  QVERIFY(distance(second, expected) == 0.0);
}

void tst_stored_tensor::thirdsOfATransposedMatrixAreCopied() {
  const Arithmetic a(DType::F32, at::kCPU);
  const StoredWeight weight =
      stored(2, 6, DType::F32, {2, 2}, {.transposed = true, .parts = 3, .index = 2});
  QVERIFY(!isUsedInPlace(weight, a));
  const Tensor third = loadTensor(weight, a);
  Matrix expected(2, 2);
  expected << 4, 104, 5, 105;
  QVERIFY(third.is_contiguous());
  QVERIFY(distance(third, expected) == 0.0);
}

void tst_stored_tensor::rowsOfAPartAreGatheredFromAllGroups() {
  // Each of two heads has two rows of q, two of k, two of v: k is rows 2, 3, 8 and 9.
  const Arithmetic a(DType::F64, at::kCPU);
  const Tensor keys = loadTensor(
      stored(12, 3, DType::F32, {4, 3}, {.groups = 2, .parts = 3, .index = 1}), a);
  Matrix expected(4, 3);
  expected << 200, 201, 202, 300, 301, 302, 800, 801, 802, 900, 901, 902;
  QVERIFY(distance(keys, expected) == 0.0);
}

/// Each of the two groups holds two query heads, a key head and a value head. A head is
/// one row.
void tst_stored_tensor::partsMayHaveDifferentSizes() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto part = [&](std::int64_t rows, std::int64_t index, std::int64_t span) {
    return loadTensor(stored(8, 2, DType::F32, {rows, 2},
                             {.groups = 2, .parts = 4, .index = index, .span = span}),
                      a);
  };
  Matrix queries(4, 2), values(2, 2);
  queries << 0, 1, 100, 101, 400, 401, 500, 501;
  values << 300, 301, 700, 701;
  QVERIFY(distance(part(4, 0, 2), queries) == 0.0);
  QVERIFY(distance(part(2, 3, 1), values) == 0.0);
  // Parts of a single group are contiguous.
  const Arithmetic narrow(DType::F32, at::kCPU);
  QVERIFY(isUsedInPlace(
      stored(8, 2, DType::F32, {6, 2}, {.parts = 8, .index = 1, .span = 6}), narrow));
}

/// Three experts [2 inputs, 4], whose columns alternate between W_gate and W_up. The test
/// reads W_up of the second expert; the third's whole matrix is used in place.
void tst_stored_tensor::anExpertIsReadAsASliceOfTheTensor() {
  StoredWeight weight = stored(
      6, 4, DType::F32, {2, 2},
      {.transposed = true, .groups = 2, .parts = 2, .index = 1, .slices = 3, .slice = 1});
  weight.stored.shape = {3, 2, 4};
  Matrix expected(2, 2);
  expected << 201, 301, 203, 303;
  QVERIFY(distance(loadTensor(weight, Arithmetic(DType::BF16, at::kCPU)), expected) <
          2.0);
  QVERIFY(distance(loadTensor(weight, Arithmetic(DType::F32, at::kCPU)), expected) ==
          0.0);
  weight.part = {.slices = 3, .slice = 2};
  weight.shape = {2, 4};
  QVERIFY(isUsedInPlace(weight, Arithmetic(DType::F32, at::kCPU)));
}

void tst_stored_tensor::partsOfVectorsAreGathered() {
  const Arithmetic a(DType::F32, at::kCPU);
  const Tensor values = loadTensor(
      stored(12, 1, DType::F32, {4}, {.groups = 2, .parts = 3, .index = 2}), a);
  Matrix expected(1, 4);
  expected << 400, 500, 1000, 1100;
  QCOMPARE(values.dim(), 1);
  QVERIFY(distance(values, expected) == 0.0);
}

/// Tiles consist of whole rows, up to 2²² elements. This matrix fills 1.8 tiles.
void tst_stored_tensor::aMatrixOfSeveralTilesIsConvertedWhole() {
  const Arithmetic a(DType::BF16, at::kCPU);
  const StoredWeight weight = stored(2500, 3001, DType::F32, {2500, 3001}, {});
  const Tensor converted = loadTensor(weight, a);
  QCOMPARE(converted.scalar_type(), at::kBFloat16);
  const auto* values = reinterpret_cast<const float*>(weight.stored.bytes.data());
  const Tensor expected =
      at::from_blob(const_cast<float*>(values), {2500, 3001}, at::kFloat)
          .to(at::kBFloat16);
  QVERIFY(at::equal(converted, expected));
}

EQUIPATCH_TEST(tst_stored_tensor)
#include "tst_stored_tensor.moc"
