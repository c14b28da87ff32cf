#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/transport_bar.h"

using namespace equipatch;

namespace {

struct BarSetup {
  test::SyntheticEngine engine;
  Theme theme;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  Actions actions{theme, nullptr};
  TransportBar bar{actions, controller, model};
  RunSettings settings;

  BarSetup() {
    settings.model.folder = "/models/tiny";
    settings.run.promptText = "Once upon a";
  }
};

}  // namespace

class tst_transport_bar : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void saysWhatToDoNext();
  void countsStepsAndMismatches();
  void tellsThePause();
};

void tst_transport_bar::saysWhatToDoNext() {
  BarSetup s;
  QCOMPARE(s.bar.status(), QStringLiteral("No model is loaded yet"));
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Ready: press Run"));
}

void tst_transport_bar::countsStepsAndMismatches() {
  BarSetup s;
  s.engine.shape.mismatchEvery = 4;
  s.settings.run.steps = 8;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Ready: 8 steps, 2 mismatches"));
  QCOMPARE(s.bar.progress(), 1000);
  QCOMPARE(s.bar.rate(), QStringLiteral("80 tokens/s"));
}

void tst_transport_bar::tellsThePause() {
  BarSetup s;
  s.settings.run.steps = 4;
  s.controller.step(s.settings);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Paused after 1 step, no mismatch"));
  QCOMPARE(s.bar.progress(), 250);
}

EQUIPATCH_TEST(tst_transport_bar)
#include "tst_transport_bar.moc"
