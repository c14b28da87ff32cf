#include "core/kernel/kernel_table.h"
#include "tests/core/kernel/variant_checks.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// The loops of vector_avx512.cpp called directly, whatever the widest set is.
class tst_vector_avx512 : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!cpuSupports(InstructionSet::Avx512)) QSKIP("this CPU lacks the instructions");
  }
  void everyHalfIsReadExactly() { test::checkHalves(kernelTableAvx512()); }
  void packedRowsMeetTheirWeights() { test::checkPacking(kernelTableAvx512()); }
  void gatesAreThoseOfPlainCode() { test::checkGates(kernelTableAvx512()); }
  void theNearestOfEachNumber() { test::checkRounding(kernelTableAvx512()); }
  void logitsGiveTheBitsOfThePlainLanes() { test::checkLogits(kernelTableAvx512()); }
  void searchFindsTheFirstGreater() { test::checkSearch(kernelTableAvx512()); }
};

EQUIPATCH_TEST(tst_vector_avx512)
#include "tst_vector_avx512.moc"
