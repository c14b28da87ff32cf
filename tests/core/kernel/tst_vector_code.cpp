#include "core/kernel/vector_code.h"

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const VectorCode& codeOf([[maybe_unused]] CpuVariant variant) {
#if defined(__x86_64__)
  if (variant == CpuVariant::Avx512) return vectorCodeAvx512();
  if (variant == CpuVariant::Avx2) return vectorCodeAvx2();
#endif
  return vectorCodePlain();
}

}  // namespace

class tst_vector_code : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void forcedVariantIsTheOneThatRuns() {
    for (CpuVariant variant : test::runnableVariants()) {
      const test::ForcedVariant forced(variant);
      const VectorCode& expected = codeOf(variant);
      QCOMPARE(&vectorCode(), &expected);
      QCOMPARE(&weightCode<float>(DType::F32), &expected.f32);
      QCOMPARE(&weightCode<float>(DType::BF16), &expected.bf16);
      QCOMPARE(&weightCode<float>(DType::F16), &expected.f16);
      QCOMPARE(&weightCode<double>(DType::F64), &expected.f64);
    }
  }

  void otherTypesAreRefused() {
    QVERIFY_ERROR(weightCode<float>(DType::F64), "float32", "float64");
    QVERIFY_ERROR(weightCode<float>(DType::U8), "uint8");
    QVERIFY_ERROR(weightCode<double>(DType::F32), "float64", "float32");
  }
};

EQUIPATCH_TEST(tst_vector_code)
#include "tst_vector_code.moc"
