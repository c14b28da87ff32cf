// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/run_desk.h"

namespace equipatch::test {

/// A run desk with all that it works on, and an engine whose runs take no time.
struct DeskFixture {
  ScratchSettings scratch;
  SyntheticEngine engine;
  QWidget window;
  Theme theme;
  RunModel model;
  Selection selection;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  MessageBar messages{&window};
  ModelDesk models{engine, controller, messages, window};
  PictureShelf shelf{{}};
  PromptEditor prompt{theme, shelf};
  LogitChart chart{model, selection, theme};
  RunExporter exporter{engine, worker, controller};
  RunDesk desk{{model, selection, controller, models, prompt, chart, exporter, messages,
                theme, window}};
  const std::unique_ptr<RunsPanel> panel{&desk.panel()};  // the owner, instead of a dock

  /// Begins a run, after the load of its model if this is the first.
  void begin(int steps, bool recorded = true, Method method = Method::Balanced) {
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = steps;
    settings.run.patch.method = method;
    if (recorded) settings.record = desk.files().newFile(QStringLiteral("tiny"));
    controller.startOver(settings);
  }
  void run(int steps, bool recorded = true, Method method = Method::Balanced) {
    begin(steps, recorded, method);
    QTRY_VERIFY(controller.phase() == RunController::Phase::Idle && !model.empty());
  }
  /// A run of five steps, and a branch with another token at step 2. The start of the
  /// branch ticks the run, which was unticked.
  void runAndBranch() {
    run(5);
    selection.setStepCount(5);
    selection.selectStep(2);
    desk.list().setShown(0, false);
    desk.branchWith({TokenId(999), "other", 0.0, 0.1});
    QTRY_COMPARE(desk.list().count(), 2);
    QTRY_COMPARE(controller.phase(), RunController::Phase::Idle);
  }
};

}  // namespace equipatch::test
