#include "core/kernel/vector_code.h"
#include "tests/core/kernel/variant_checks.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// The loops of vector_avx2.cpp called directly, whatever the widest variant is.
class tst_vector_avx2 : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!cpuSupports(CpuVariant::Avx2)) QSKIP("this CPU lacks the instructions");
  }
  void everyHalfIsReadExactly() { test::checkHalves(vectorCodeAvx2()); }
  void packedRowsMeetTheirWeights() { test::checkPacking(vectorCodeAvx2()); }
  void gatesAreThoseOfPlainCode() { test::checkGates(vectorCodeAvx2()); }
  void theNearestOfEachNumber() { test::checkRounding(vectorCodeAvx2()); }
  void logitsGiveTheBitsOfThePlainVariant() { test::checkLogits(vectorCodeAvx2()); }
  void searchFindsTheFirstGreater() { test::checkSearch(vectorCodeAvx2()); }
};

EQUIPATCH_TEST(tst_vector_avx2)
#include "tst_vector_avx2.moc"
