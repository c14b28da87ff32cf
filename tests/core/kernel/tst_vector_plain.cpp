#include "core/kernel/vector_code.h"
#include "tests/core/kernel/variant_checks.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// The loops of vector_plain.cpp called directly, whatever the widest variant is.
class tst_vector_plain : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (!cpuSupports(CpuVariant::Plain)) QSKIP("this CPU lacks the instructions");
  }
  void everyHalfIsReadExactly() { test::checkHalves(vectorCodePlain()); }
  void packedRowsMeetTheirWeights() { test::checkPacking(vectorCodePlain()); }
  void theNearestOfEachNumber() { test::checkRounding(vectorCodePlain()); }
  void logitsGiveTheBitsOfThePlainVariant() { test::checkLogits(vectorCodePlain()); }
  void searchFindsTheFirstGreater() { test::checkSearch(vectorCodePlain()); }
};

EQUIPATCH_TEST(tst_vector_plain)
#include "tst_vector_plain.moc"
