// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/kernel_table.h"

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_kernel_table : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void plainInstructionSetIsSupported() { QVERIFY(cpuSupports(InstructionSet::Plain)); }

  void widestInstructionSetIsUsedUnlessForced() {
    const InstructionSet widest = test::runnableSets().back();
    QVERIFY(instructionSet() == widest);
    {
      const test::ForcedSet forced(InstructionSet::Plain);
      QVERIFY(instructionSet() == InstructionSet::Plain);
    }
    QVERIFY(instructionSet() == widest);
  }

  void forcedInstructionSetIsUsed() {
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      const KernelTable& expected = test::tableOf(set);
      QCOMPARE(&kernelTable(), &expected);
      QCOMPARE(&weightKernels<float>(DType::F32), &expected.f32);
      QCOMPARE(&weightKernels<float>(DType::BF16), &expected.bf16);
      QCOMPARE(&weightKernels<float>(DType::F16), &expected.f16);
      QCOMPARE(&weightKernels<double>(DType::F64), &expected.f64);
    }
  }

  void unsupportedWeightTypesAreRefused() {
    QVERIFY_ERROR(weightKernels<float>(DType::F64), "float32", "float64");
    QVERIFY_ERROR(weightKernels<float>(DType::U8), "uint8");
    QVERIFY_ERROR(weightKernels<double>(DType::F32), "float64", "float32");
  }
};

EQUIPATCH_TEST(tst_kernel_table)
#include "tst_kernel_table.moc"
