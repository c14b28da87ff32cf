// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_stage.h"

#include <QScrollBar>
#include <utility>

#include "core/lesson/lesson_words.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"

namespace equipatch {

LessonStage::LessonStage(const Parts& parts) : m_parts(parts), m_memory(parts) {
  connectAll();
}

void LessonStage::connectAll() {
  const RunController* controller = &m_parts.controller;
  connect(controller, &RunController::phaseChanged, this, &LessonStage::changed);
  connect(controller, &RunController::phaseChanged, this, &LessonStage::beginWaiting,
          Qt::QueuedConnection);
  connect(controller, &RunController::modelChanged, this, &LessonStage::changed);
  connect(controller, &RunController::failed, this, &LessonStage::failed);
  connect(controller, &RunController::held, this, &LessonStage::failed);
  connect(controller, &RunController::runStopped, this,
          [this, controller] { reportStop(*controller); });
  connect(&m_parts.modelDesk, &ModelDesk::shortageDeclined, this, [this, controller] {
    // `runStopped` has already reported the stop of a run.
    if (!m_awaitsRun) reportStop(*controller);
  });
  connect(&m_parts.lab, &LabController::phaseChanged, this, &LessonStage::changed);
  // Queued, because the lab emits `failed` after `phaseChanged`.
  connect(
      &m_parts.lab, &LabController::phaseChanged, this,
      [this] {
        if (m_parts.lab.phase() == LabController::Phase::Idle) reportStop(m_parts.lab);
      },
      Qt::QueuedConnection);
  connect(&m_parts.lab, &LabController::failed, this, &LessonStage::failed);
  connect(&m_parts.selection, &Selection::stepChanged, this, &LessonStage::changed);
  connect(&m_parts.selection, &Selection::layerChanged, this, &LessonStage::changed);
  connect(&m_parts.shelf, &PictureShelf::lent, this, [this](const Pictures& pictures) {
    if (!endLending()) return;
    placePicture(pictures.front());
    Q_EMIT changed();
  });
  connect(&m_parts.shelf, &PictureShelf::notLent, this, [this](const QString& sentence) {
    if (endLending()) Q_EMIT failed(sentence);
  });
  const auto* strength = m_parts.window.findChild<StrengthPanel*>();
  connect(strength, &StrengthPanel::shownChanged, this, &LessonStage::changed);
  connect(strength, &StrengthPanel::failed, this, [=, this](const QString& sentence) {
    if (m_awaited == strength && !isDone()) Q_EMIT failed(sentence);
  });
  // The strength panel moves when the tables above it get rows.
  connect(stepArea()->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
    if (m_isStrengthLit) scrollToStrength();
  });
}

/// Reports that the controller's job was stopped, if the action begun last waits for it.
void LessonStage::reportStop(const QObject& controller) {
  if (m_awaited != &controller || isDone()) return;
  Q_EMIT failed(m_awaitsRun
                    ? tr("This page's run was stopped before its first step; press Run "
                         "(F5) to make it.")
                    : tr("What this page does was stopped before its end; begin the "
                         "lesson again (Help ▸ Lessons) to see it."));
}

void LessonStage::stopWaiting() {
  ++m_begun;
  m_done = {};
  m_isLent = false;
  m_waiting.reset();
  m_keptRuns.reset();
}

void LessonStage::begin(const LessonAction& action) {
  ++m_begun;
  m_done = {};
  m_awaited = nullptr;
  m_awaitsRun = false;
  switch (action.verb) {
    case LessonVerb::Run:
    case LessonVerb::Grid:
      if (!waits(action)) run(action.verb);
      return;
    case LessonVerb::Step:
      return selectStep(action.argument);
    case LessonVerb::Layer:
      return m_parts.selection.selectLayer(std::stoi(action.argument));
    case LessonVerb::Strength:
      return setStrength(QString::fromStdString(action.argument).toDouble());
    case LessonVerb::Table:
    case LessonVerb::Chart:
      return chart(action.argument)->showTable(action.verb == LessonVerb::Table);
    case LessonVerb::Lab:
      return startLab(action.argument);
    case LessonVerb::ImageMap:
      return mapPicture(imageMapOf(action.argument).value_or(LessonImageMap{}));
    case LessonVerb::Layers:
      return setLayers(action.argument);
    case LessonVerb::Tab:
      return bringToFront(action.argument);
    case LessonVerb::ListedRun:
      if (!waits(action)) showListedRun(std::stoul(action.argument));
      return;
    case LessonVerb::Picture:
      return insertPicture(QString::fromStdString(action.argument));
    case LessonVerb::Absorb:
      return absorb(action.argument);
    case LessonVerb::Method:
    case LessonVerb::Loop:
    case LessonVerb::Apply:
    case LessonVerb::Noise:
    case LessonVerb::RunSteps:
      return setMethod(action);
    default:
      return set(action);
  }
}

/// Postpones the action until the job under way has ended; stops the job if it is a run.
/// @returns false if no job is under way
bool LessonStage::waits(const LessonAction& action) {
  using Phase = RunController::Phase;
  const Phase phase = m_parts.controller.phase();
  if (phase == Phase::Idle) return false;
  if (phase == Phase::Running || phase == Phase::Paused) m_parts.runs.stop();
  m_waiting = action;
  m_done = [] { return false; };
  return true;
}

void LessonStage::beginWaiting() {
  if (m_parts.controller.phase() != RunController::Phase::Idle) return;
  if (const auto action = std::exchange(m_waiting, std::nullopt)) begin(*action);
}

bool LessonStage::isIdle() const {
  return m_parts.controller.phase() == RunController::Phase::Idle &&
         m_parts.lab.phase() == LabController::Phase::Idle;
}

bool LessonStage::isFree() const {
  const RunController::Phase phase = m_parts.controller.phase();
  if (phase == RunController::Phase::Idle || m_memory.isReloading()) return true;
  // A load by the current lesson is no obstacle: `remember` stops it.
  return m_memory.isKept() && (phase == RunController::Phase::Loading ||
                               phase == RunController::Phase::Stopping);
}

void LessonStage::remember(const std::string& lesson) {
  m_parts.runs.setKeepsFactors(true);
  m_memory.keep();
  m_memory.clear();
  m_parts.runs.setLabels(
      {.notes = "from the lesson “" + lesson + "”", .tags = {"lesson"}});
  // A lesson relies on these defaults without naming them.
  RunRequest usual = withLessonTokens(m_memory.run());
  usual.patch.application = Application::Factored;
  usual.measureNoise = false;
  m_parts.models.showRun(usual);
}

void LessonStage::leave() {
  stopWaiting();
  show({});
  m_parts.lab.stop();
  if (auto* lab = m_parts.window.findChild<LabWindow*>())
    lab->setWindowFlags(Qt::Window);  // also hides the lab
}

void LessonStage::restore() {
  if (!m_memory.isKept()) return;
  leave();
  m_memory.clear();
  m_parts.runs.setKeepsFactors(false);
  m_parts.runs.setLabels({});
  m_memory.restore();
}

}  // namespace equipatch
