#include "core/kernel/kernel_table.h"

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_cpu_variant : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void plainRunsEverywhere() { QVERIFY(cpuSupports(InstructionSet::Plain)); }

  void widestIsTakenUnlessForced() {
    const InstructionSet widest = test::runnableSets().back();
    QVERIFY(instructionSet() == widest);
    {
      const test::ForcedSet forced(InstructionSet::Plain);
      QVERIFY(instructionSet() == InstructionSet::Plain);
    }
    QVERIFY(instructionSet() == widest);
  }
};

EQUIPATCH_TEST(tst_cpu_variant)
#include "tst_cpu_variant.moc"
