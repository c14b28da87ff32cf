// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/control.h"

#include <atomic>
#include <thread>

#include "tests/support/test_case.h"

using equipatch::Gate;

class tst_gate : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void isOpenAtFirst();
  void letsExactlyTheAllowedStepsThrough();
  void closeDiscardsPendingSteps();
  void openDiscardsPendingSteps();
  void allowStepClosesAnOpenGate();
  void waitCallbacksRunOnceWithoutTheLock();
  void stopWakesAWait();
  void stopWinsOverAnOpenGateAndUsesNoCredit();
  void everyCreditOfManyThreadsIsUsedOnce();
};

namespace {

/// True if a pass would wait. The callback of the wait requests the stop that ends it.
bool wouldWait(Gate& gate) {
  std::stop_source stop;
  bool waited = false;
  gate.pass(stop.get_token(), [&] {
    waited = true;
    stop.request_stop();
  });
  return waited;
}

}  // namespace

void tst_gate::isOpenAtFirst() {
  Gate gate;
  QVERIFY(gate.isOpen());
  QVERIFY(gate.pass({}));
  QVERIFY(gate.pass({}));
  gate.close();
  QVERIFY(!gate.isOpen());
  QVERIFY(wouldWait(gate));
}

void tst_gate::letsExactlyTheAllowedStepsThrough() {
  Gate gate;
  gate.close();
  gate.allowStep();
  gate.allowStep();
  QVERIFY(!gate.isOpen());
  QVERIFY(gate.pass({}));
  QVERIFY(gate.pass({}));
  QVERIFY(wouldWait(gate));
}

void tst_gate::closeDiscardsPendingSteps() {
  Gate gate;
  gate.allowStep();
  gate.close();
  QVERIFY(wouldWait(gate));
}

void tst_gate::openDiscardsPendingSteps() {
  Gate gate;
  gate.allowStep();
  gate.open();
  QVERIFY(gate.pass({}));
  gate.close();
  QVERIFY(wouldWait(gate));
}

void tst_gate::allowStepClosesAnOpenGate() {
  Gate gate;
  gate.allowStep();
  QVERIFY(!gate.isOpen());
  QVERIFY(gate.pass({}));
  QVERIFY(wouldWait(gate));
}

void tst_gate::waitCallbacksRunOnceWithoutTheLock() {
  Gate gate;
  int waits = 0;
  int goes = 0;
  gate.close();
  // Changing the gate from within the callbacks deadlocks if its lock is held.
  const bool passed = gate.pass(
      {},
      [&] {
        ++waits;
        gate.open();
      },
      [&] {
        ++goes;
        gate.close();
      });
  QVERIFY(passed);
  QCOMPARE(waits, 1);
  QCOMPARE(goes, 1);
  QVERIFY(!gate.isOpen());

  gate.open();
  QVERIFY(gate.pass(
      {}, [&] { ++waits; }, [&] { ++goes; }));
  QCOMPARE(waits, 1);
  QCOMPARE(goes, 1);
}

void tst_gate::stopWakesAWait() {
  Gate gate;
  gate.close();
  std::atomic<bool> waiting = false;
  std::atomic<bool> went = false;
  std::atomic<bool> passed = true;
  std::jthread waiter([&](std::stop_token stop) {
    passed = gate.pass(
        stop,
        [&] {
          waiting = true;
          waiting.notify_all();
        },
        [&] { went = true; });
  });
  waiting.wait(false);
  waiter.request_stop();
  waiter.join();
  QVERIFY(!passed);
  QVERIFY(!went);
}

void tst_gate::stopWinsOverAnOpenGateAndUsesNoCredit() {
  Gate gate;
  std::stop_source stop;
  stop.request_stop();
  QVERIFY(!gate.pass(stop.get_token()));
  gate.allowStep();
  QVERIFY(!gate.pass(stop.get_token()));
  QVERIFY(gate.pass({}));
  QVERIFY(wouldWait(gate));
}

void tst_gate::everyCreditOfManyThreadsIsUsedOnce() {
  constexpr int kCallers = 4;
  constexpr int kCredits = 250;
  Gate gate;
  gate.close();
  std::atomic<int> passages = 0;
  std::jthread passer([&](std::stop_token stop) {
    while (gate.pass(stop)) {
      ++passages;
      passages.notify_all();
    }
  });
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < kCallers; ++i)
      callers.emplace_back([&] {
        for (int j = 0; j < kCredits; ++j) gate.allowStep();
      });
  }
  for (int seen = passages; seen < kCallers * kCredits; seen = passages)
    passages.wait(seen);
  QVERIFY(wouldWait(gate));
  passer.request_stop();
  passer.join();
  QCOMPARE(passages.load(), kCallers * kCredits);
}

EQUIPATCH_TEST(tst_gate)
#include "tst_gate.moc"
