// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMainWindow>
#include <QString>
#include <functional>

#include "ui/lab/lab_controller.h"
#include "ui/prompt/picture_mapper.h"
#include "ui/window/chart_grid.h"
#include "ui/window/run_desk.h"

namespace equipatch {

/// The parts of the window that lessons use. All outlive the lessons.
struct LessonWindow {
  QMainWindow& window;
  ModelPanel& models;
  PromptEditor& prompt;
  RunDesk& runs;
  const RunModel& model;
  Selection& selection;
  RunController& controller;
  const ChartGrid& charts;
  LabController& lab;
  const Theme& theme;
  PictureShelf& shelf;
  PictureMapper& mapper;
  ModelDesk& modelDesk;
  /// Opens the lab and starts the experiment of this name with the default settings, or
  /// shows its result again; false when there is no such experiment.
  std::function<bool(const QString&)> startLab;
  /// The layout of the docks; during a presentation, the layout that the window gets back
  /// at its end.
  std::function<QByteArray()> layout;
  std::function<void(const QByteArray&)> restoreLayout;  ///< takes a result of `layout`
};

}  // namespace equipatch
