// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_change_ledger : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void keepsTheOrderOfFirstEntries();
  void addsExpertsUpAsOneMatrix();
  void aMatrixOfZerosHasNoRelativeChange();
  void scaleChangesAreRecorded();
};

void tst_change_ledger::keepsTheOrderOfFirstEntries() {
  ChangeLedger ledger;
  ledger.enter("up", 2.0);
  ledger.change("up", 1.0);
  ledger.enter("down", 4.0);
  ledger.change("down", 1.0);
  ledger.enter("up", 2.0);
  ledger.change("up", 0.0);
  const auto totals = ledger.totals();
  QCOMPARE(totals.size(), std::size_t{2});
  QCOMPARE(totals[0].matrix, std::string("up"));
  QCOMPARE(totals[1].relative, 0.25);
  ledger.clear();
  QVERIFY(ledger.totals().empty());
}

void tst_change_ledger::addsExpertsUpAsOneMatrix() {
  ChangeLedger ledger;
  ledger.enter("gate", 6.0);
  ledger.change("gate", 3.0);
  ledger.enter("gate", 8.0);
  ledger.change("gate", 4.0);
  QCOMPARE(ledger.totals()[0].norm, 5.0);
  QCOMPARE(ledger.totals()[0].relative, 0.5);
}

void tst_change_ledger::aMatrixOfZerosHasNoRelativeChange() {
  ChangeLedger ledger;
  ledger.enter("gate", 0.0);
  ledger.change("gate", 3.0);
  QCOMPARE(ledger.totals()[0].relative, 0.0);
}

void tst_change_ledger::scaleChangesAreRecorded() {
  LayerRecord record;
  recordScaleDelta(Vector{{3.0, -4.0}}, record);
  QCOMPARE(record.scaleNorm, 5.0);
  QCOMPARE(record.scaleMax, 4.0);
  QCOMPARE(record.scaleDelta, (std::vector<float>{3.0f, -4.0f}));
}

EQUIPATCH_TEST(tst_change_ledger)
#include "tst_change_ledger.moc"
