#include "core/run/parity.h"

#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_parity : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theVerdictNeedsAll();
};

void tst_parity::theVerdictNeedsAll() {
  GoldenResult golden{.logits = 1e-6, .hidden = 1e-5, .modules = 1e-7, .greedy = true};
  QCOMPARE(golden.largest(), 1e-5);
  QVERIFY(golden.equal());
  golden.greedy = false;
  QVERIFY(!golden.equal());
  golden.greedy = true;
  golden.hidden = std::numeric_limits<double>::infinity();
  QVERIFY(!golden.equal());

  PatchResult patch{.steps = 4, .matches = 4, .linf = 1e-5, .bareLinf = 10.0};
  QVERIFY(patch.holds());
  patch.dtype = DType::F64;
  QVERIFY(!patch.holds());
  patch.dtype = DType::F32;
  patch.matches = 3;
  QVERIFY(!patch.holds());
  QVERIFY(!PatchResult{}.holds());
}

EQUIPATCH_TEST(tst_parity)
#include "tst_parity.moc"
