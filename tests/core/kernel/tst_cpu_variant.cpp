#include "core/kernel/cpu_variant.h"

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_cpu_variant : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void plainRunsEverywhere() { QVERIFY(cpuSupports(CpuVariant::Plain)); }

  void widestIsTakenUnlessForced() {
    const CpuVariant widest = test::runnableVariants().back();
    QVERIFY(cpuVariant() == widest);
    {
      const test::ForcedVariant forced(CpuVariant::Plain);
      QVERIFY(cpuVariant() == CpuVariant::Plain);
    }
    QVERIFY(cpuVariant() == widest);
  }
};

EQUIPATCH_TEST(tst_cpu_variant)
#include "tst_cpu_variant.moc"
