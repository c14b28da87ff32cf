#include "core/model/kept_context.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_kept_context : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void nothingIsKeptByDefault();
  void aWindowLeavesTheLast();
};

void tst_kept_context::nothingIsKeptByDefault() {
  QVERIFY(KeptContext().empty());
  QVERIFY(KeptContext({}, at::kCPU).empty());
}

void tst_kept_context::aWindowLeavesTheLast() {
  const KeptContext kept({0, 3, 4, 9}, at::kCPU);
  QVERIFY(!kept.empty());
  const auto from = [&](std::int64_t first) { return kept.from(first); };
  QVERIFY(at::equal(from(0), at::tensor({0, 3, 4, 9}, at::kLong)));
  QVERIFY(at::equal(from(3), at::tensor({3, 4, 9}, at::kLong)));
  QVERIFY(at::equal(from(5), at::tensor({9}, at::kLong)));
  QCOMPARE(from(10).size(0), 0);
}

EQUIPATCH_TEST(tst_kept_context)
#include "tst_kept_context.moc"
