// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/control.h"

#include <limits>

#include "tests/core/work/ignoring_listener.h"
#include "tests/core/work/recording_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::RecordingListener;

class tst_control : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void reportsAtMostOncePerThousandth();
  void alwaysReportsTheEnd();
  void reportsEveryNewLabel();
  void reportsAFractionThatFallsBack();
  void keepsFractionsInRange();
  void reportsPauseAndResume();
  void stopEndsThePause();
  void holdReportsItsReason();
  void throwsWhenStopped();
  void aStopComesTooLateForCompleteResults();
  void aStopRunsCallbacksOfTheStopToken();
};

namespace {

template <typename Listener>
struct Surroundings {
  Gate gate;
  Listener listener;
  std::stop_source stop;
  Control control{7, stop.get_token(), gate, listener};
};

}  // namespace

void tst_control::reportsAtMostOncePerThousandth() {
  Surroundings<test::FractionListener> s;
  constexpr int kReports = 1'000'000;
  for (int i = 0; i <= kReports; ++i) s.control.report(double(i) / kReports, "work");
  QCOMPARE(s.listener.fractions.size(), std::size_t(1001));
  QVERIFY(std::ranges::is_sorted(s.listener.fractions));
}

void tst_control::alwaysReportsTheEnd() {
  Surroundings<test::FractionListener> s;
  s.control.report(0.99999, "work");
  s.control.report(1.0, "work");
  s.control.report(1.0, "work");
  QCOMPARE(s.listener.fractions, (std::vector<double>{0.99999, 1.0}));
}

void tst_control::reportsEveryNewLabel() {
  Surroundings<RecordingListener> s;
  s.control.report(0.5, "read");
  s.control.report(0.5, "read");
  s.control.report(0.5, "check");
  s.control.report(0.5, "read");
  QCOMPARE(s.listener.lines(), (QStringList{"7 progressed: read", "7 progressed: check",
                                            "7 progressed: read"}));
}

void tst_control::reportsAFractionThatFallsBack() {
  Surroundings<test::FractionListener> s;
  s.control.report(0.9, "work");
  s.control.report(0.1, "work");
  QCOMPARE(s.listener.fractions, (std::vector<double>{0.9, 0.1}));
}

void tst_control::keepsFractionsInRange() {
  Surroundings<test::FractionListener> s;
  s.control.report(-3.0, "a");
  s.control.report(17.0, "b");
  s.control.report(std::numeric_limits<double>::quiet_NaN(), "c");
  s.control.report(std::numeric_limits<double>::infinity(), "d");
  QCOMPARE(s.listener.fractions, (std::vector<double>{0.0, 1.0, 0.0, 0.0}));
}

void tst_control::reportsPauseAndResume() {
  Surroundings<RecordingListener> s;
  s.listener.onEvent = [&](const QString& line) {
    if (line == "7 paused") s.gate.open();
  };
  QVERIFY(s.control.pass());
  QCOMPARE(s.listener.lines(), QStringList());
  s.gate.close();
  QVERIFY(s.control.pass());
  QCOMPARE(s.listener.lines(), (QStringList{"7 paused", "7 resumed"}));
}

void tst_control::holdReportsItsReason() {
  Surroundings<RecordingListener> s;
  s.listener.onEvent = [&](const QString& line) {
    if (line == "7 paused") s.gate.open();
  };
  s.control.hold(Error(ErrorKind::Resource, "no space"));
  QCOMPARE(s.listener.lines(),
           (QStringList{"7 held: no space; the run is paused until it is resumed",
                        "7 paused", "7 resumed"}));
  s.control.setComplete();  // a stop ends the wait even then
  s.listener.onEvent = [&](const QString&) { s.stop.request_stop(); };
  QVERIFY_THROWS_EXCEPTION(Error, s.control.hold(Error(ErrorKind::Resource, "again")));
}

void tst_control::stopEndsThePause() {
  Surroundings<RecordingListener> s;
  s.listener.onEvent = [&](const QString&) { s.stop.request_stop(); };
  s.gate.close();
  QVERIFY(!s.control.pass());
  QVERIFY(s.control.stopRequested());
  QCOMPARE(s.listener.lines(), QStringList{"7 paused"});
}

void tst_control::throwsWhenStopped() {
  Surroundings<RecordingListener> s;
  s.control.throwIfStopped();
  s.stop.request_stop();
  try {
    s.control.throwIfStopped();
    QFAIL("a stop was requested");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
  }
}

void tst_control::aStopComesTooLateForCompleteResults() {
  Surroundings<RecordingListener> s;
  s.stop.request_stop();
  s.control.setComplete();
  QVERIFY(!s.control.stopRequested());
  s.control.throwIfStopped();
}

void tst_control::aStopRunsCallbacksOfTheStopToken() {
  Surroundings<RecordingListener> s;
  bool woken = false;
  const std::stop_callback wake(s.control.stopToken(), [&] { woken = true; });
  QVERIFY(!woken);
  s.stop.request_stop();
  QVERIFY(woken);
}

EQUIPATCH_TEST(tst_control)
#include "tst_control.moc"
