// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/text_panel.h"

#include <QSignalSpy>
#include <chrono>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

/// tst_window_stories has what the panel shows.
class tst_text_panel : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void unloadingTheModelDropsItsPendingBareText();
};

void tst_text_panel::unloadingTheModelDropsItsPendingBareText() {
  const test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  const Theme theme;
  RunModel model;
  Selection selection;
  SharedWorker worker;
  RunController controller(engine, model, worker);
  BareText bare(engine);
  const TextPanel panel({model, selection, controller, bare, theme});
  RunSettings settings;
  settings.model.folder = "/models/synthetic";
  settings.prompt.text = "Once upon a time";
  settings.run.steps = 5;
  controller.run(settings);
  QTRY_VERIFY(panel.bareButton()->isEnabled());
  const auto computed = [&engine] {
    return engine.runsComputed->try_acquire_for(std::chrono::seconds(60));
  };
  QVERIFY(computed());
  const QSignalSpy written(&bare, &BareText::written);
  panel.bareButton()->click();
  QVERIFY(computed());  // its texts wait for the event loop
  controller.unload();
  QCoreApplication::processEvents();
  QCOMPARE(written.size(), 0);
}

EQUIPATCH_TEST(tst_text_panel)
#include "tst_text_panel.moc"
