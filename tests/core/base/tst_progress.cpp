#include "core/base/progress.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

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

EQUIPATCH_TEST(tst_progress)
#include "tst_progress.moc"
