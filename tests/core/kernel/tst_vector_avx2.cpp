#include "core/kernel/kernel_table.h"
#include "tests/core/kernel/variant_checks.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// The loops of vector_avx2.cpp called directly, whatever the widest set is.
class tst_vector_avx2 : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!cpuSupports(InstructionSet::Avx2)) QSKIP("this CPU lacks the instructions");
  }
  void everyHalfIsReadExactly() { test::checkHalves(kernelTableAvx2()); }
  void packedRowsMeetTheirWeights() { test::checkPacking(kernelTableAvx2()); }
  void gatesAreThoseOfPlainCode() { test::checkGates(kernelTableAvx2()); }
  void theNearestOfEachNumber() { test::checkRounding(kernelTableAvx2()); }
  void logitsGiveTheBitsOfThePlainLanes() { test::checkLogits(kernelTableAvx2()); }
  void searchFindsTheFirstGreater() { test::checkSearch(kernelTableAvx2()); }
};

EQUIPATCH_TEST(tst_vector_avx2)
#include "tst_vector_avx2.moc"
