// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/dtype.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr DType kAll[] = {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64,
                          DType::I32, DType::I16, DType::I8,  DType::U8,   DType::Bool};

}  // namespace

class tst_dtype : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void sizesAndNamesAreThoseOfTheFormats();
  void everyDtypeIsFoundByItsNames();
  void unknownNamesGiveNoDtype();
  void aliasesOfTorchNamesAreRead();
  void precisionAndRangeAreThoseOfTheFormat();
  void mxfp4HoldsAScaleForEachBlock();
};

void tst_dtype::sizesAndNamesAreThoseOfTheFormats() {
  QCOMPARE(byteSize(DType::F64), std::size_t{8});
  QCOMPARE(byteSize(DType::F16), std::size_t{2});
  QCOMPARE(byteSize(DType::BF16), std::size_t{2});
  QCOMPARE(byteSize(DType::I64), std::size_t{8});
  QCOMPARE(byteSize(DType::Bool), std::size_t{1});
  QVERIFY(safetensorsName(DType::BF16) == "BF16");
  QVERIFY(safetensorsName(DType::Bool) == "BOOL");
  QVERIFY(torchName(DType::F16) == "float16");
  QVERIFY(isFloating(DType::BF16) && isFloating(DType::F64));
  QVERIFY(!isFloating(DType::I8) && !isFloating(DType::Bool));
}

void tst_dtype::everyDtypeIsFoundByItsNames() {
  for (const DType dtype : kAll) {
    QVERIFY(dtypeFromSafetensorsName(safetensorsName(dtype)) == dtype);
    QVERIFY(dtypeFromTorchName(torchName(dtype)) == dtype);
    QVERIFY(dtypeFromTorchName("torch." + std::string(torchName(dtype))) == dtype);
  }
}

void tst_dtype::unknownNamesGiveNoDtype() {
  for (const char* name : {"", "f32", "F8_E4M3", "F32 ", "BF1", "bool"})
    QVERIFY(!dtypeFromSafetensorsName(name));
  for (const char* name : {"", "torch.", "float8", "BF16", "torch.torch.float32"})
    QVERIFY(!dtypeFromTorchName(name));
}

void tst_dtype::aliasesOfTorchNamesAreRead() {
  QVERIFY(dtypeFromTorchName("bf16") == DType::BF16);
  QVERIFY(dtypeFromTorchName("fp16") == DType::F16);
  QVERIFY(dtypeFromTorchName("half") == DType::F16);
  QVERIFY(dtypeFromTorchName("fp32") == DType::F32);
  QVERIFY(dtypeFromTorchName("double") == DType::F64);
}

void tst_dtype::precisionAndRangeAreThoseOfTheFormat() {
  QCOMPARE(machineEpsilon(DType::F64), std::ldexp(1.0, -52));
  QCOMPARE(machineEpsilon(DType::F32), std::ldexp(1.0, -23));
  QCOMPARE(machineEpsilon(DType::F16), std::ldexp(1.0, -10));
  QCOMPARE(machineEpsilon(DType::BF16), std::ldexp(1.0, -7));
  // With a significand of p bits, the largest number below 2^(e+1) is (2 - 2^(1-p)) 2^e.
  QCOMPARE(largestFinite(DType::F16), std::ldexp(2.0 - std::ldexp(1.0, -10), 15));
  QCOMPARE(largestFinite(DType::BF16), std::ldexp(2.0 - std::ldexp(1.0, -7), 127));
  QCOMPARE(largestFinite(DType::F32), std::ldexp(2.0 - std::ldexp(1.0, -23), 127));
}

void tst_dtype::mxfp4HoldsAScaleForEachBlock() {
  QCOMPARE(mxfp4Bytes(32), std::int64_t{16 + 1});
  QCOMPARE(mxfp4Bytes(2880 * 64), std::int64_t{2880 * 64 / 2 + 2880 * 64 / 32});
}

EQUIPATCH_TEST(tst_dtype)
#include "tst_dtype.moc"
