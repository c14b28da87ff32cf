// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/run_desk.h"

namespace equipatch::test {

/// A run desk, the objects that it needs, and an engine that invents its results.
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
  const std::unique_ptr<RunsPanel> panel{&desk.panel()};  // in the window, a dock owns it

  /// Begins a run. The first call also loads the model.
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
  /// Computes a run of five steps and its branch with another token at step 2. The run is
  /// unticked before the branch starts; this start ticks the run again.
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
