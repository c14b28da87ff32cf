#include "core/base/partial_progress.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Heard final : Progress {
  void report(double told, std::string_view name) override {
    fraction = told;
    label = name;
  }
  bool stopRequested() const override { return stopped; }

  double fraction = -1.0;
  std::string label;
  bool stopped = false;
};

class Stopped final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return true; }
};

}  // namespace

class tst_progress : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void silenceGoesOn();
  void aStopIsACancelledError();
  void aPartIsToldAsSomeOfTheWhole();
};

void tst_progress::silenceGoesOn() {
  SilentProgress progress;
  progress.report(0.5, "working");
  QCOMPARE(test::errorOf([&] { progress.throwIfStopped(); }), QString());
}

void tst_progress::aStopIsACancelledError() {
  try {
    Stopped().throwIfStopped();
    QFAIL("did not stop");
  } catch (const Error& error) {
    QVERIFY(error.kind() == ErrorKind::Cancelled);
  }
}

void tst_progress::aPartIsToldAsSomeOfTheWhole() {
  Heard whole;
  PartialProgress part(whole, 0.25, 0.75);
  part.report(0.0, "begun");
  QCOMPARE(whole.fraction, 0.25);
  part.report(0.5, "half");
  QCOMPARE(whole.fraction, 0.5);
  QCOMPARE(whole.label, std::string("half"));
  QVERIFY(!part.stopRequested());
  whole.stopped = true;
  QVERIFY(part.stopRequested());
}

EQUIPATCH_TEST(tst_progress)
#include "tst_progress.moc"
