// SPDX-License-Identifier: GPL-3.0-or-later
// LessonStage: the actions of a lesson.
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/program_files.h"
#include "core/lesson/lesson_words.h"
#include "core/record/context_effect.h"
#include "ui/chart/number_text.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lesson/lesson_stage.h"
#include "ui/prompt/sample_prompts.h"

namespace equipatch {
namespace {

bool hasWholePatch(const StrengthPanel& panel) {
  return panel.alpha() == 1.0 && panel.layers().onCount() == panel.layers().count();
}

}  // namespace

/// Sets the model, the dtype or the prompt.
void LessonStage::set(const LessonAction& action) {
  const QString argument = QString::fromStdString(action.argument);
  if (action.verb == LessonVerb::Model) {
    const bool sees = action.argument == "vision";
    const auto bundled =
        findResource(sees ? Resource::BundledVisionModel : Resource::BundledModel);
    if (!bundled)
      return Q_EMIT failed(sees ? tr("The bundled vision model is not installed.")
                                : tr("The bundled model is not installed."));
    m_parts.models.setFolder(QString::fromStdString(bundled->string()));
  } else if (action.verb == LessonVerb::DType) {
    const auto dtype = dtypeFromTorchName(action.argument);
    if (!dtype) return Q_EMIT failed(tr("There is no dtype %1.").arg(argument));
    m_parts.models.setDType(*dtype);
  } else if (action.verb == LessonVerb::Prompt) {
    m_parts.prompt.setForm(PromptForm::Text);
    m_parts.prompt.setText(argument);
    m_parts.prompt.setAbsorbed("all");
  } else {
    const auto sample =
        std::ranges::find(samplePrompts(), argument, &SamplePrompt::title);
    if (sample == samplePrompts().end())
      return Q_EMIT failed(tr("There is no sample prompt “%1”.").arg(argument));
    set({LessonVerb::Prompt, sample->text.toStdString()});
  }
}

void LessonStage::setMethod(const LessonAction& action) {
  // Undoes the reader's changes of settings that lessons rely on. run() does so, too, but
  // the reader may start the run instead.
  RunRequest request = withLessonTokens(m_parts.models.runRequest());
  const auto method = methodFromName(action.argument);
  const auto loop = loopFromName(action.argument);
  const auto application = applicationFromName(action.argument);
  const bool known = (action.verb != LessonVerb::Method || method) &&
                     (action.verb != LessonVerb::Loop || loop) &&
                     (action.verb != LessonVerb::Apply || application);
  if (!known)
    return Q_EMIT failed(tr("There is no method, loop or application called %1.")
                             .arg(QString::fromStdString(action.argument)));
  if (action.verb == LessonVerb::RunSteps) request.steps = std::stoi(action.argument);
  if (action.verb == LessonVerb::Noise) request.measureNoise = action.argument == "on";
  if (action.verb == LessonVerb::Method) request.patch.method = *method;
  if (action.verb == LessonVerb::Loop) request.patch.loop = *loop;
  if (action.verb == LessonVerb::Apply) request.patch.application = *application;
  m_parts.models.showRun(request);
}

void LessonStage::run(LessonVerb verb) {
  const auto before = m_parts.model.sharedHeader();  // held: its address stays taken
  m_done = [this, before] {
    return m_parts.model.sharedHeader() != before && !m_parts.model.empty() &&
           m_parts.runs.runsLeft() == 0 &&
           m_parts.controller.phase() == RunController::Phase::Idle;
  };
  // Hide the earlier runs in the charts.
  RunList& runs = m_parts.runs.list();
  for (int row = 0; row < runs.count(); ++row)
    if (runs.at(row).shown) runs.setShown(row, false);
  m_parts.selection.deselect();
  m_parts.models.showRun(withLessonTokens(m_parts.models.runRequest()));
  m_awaited = &m_parts.controller;
  m_awaitsRun = true;
  try {
    // A grid replaces the lesson's earlier runs. Repeated actions keep the first `kept`.
    const auto kept = std::exchange(m_keptRuns, std::nullopt);
    if (verb == LessonVerb::Grid || kept)
      m_memory.closeNewRuns(verb == LessonVerb::Grid ? 0 : *kept);
    verb == LessonVerb::Run ? m_parts.runs.run()
                            : m_parts.runs.runGrid(RunDesk::GridRuns::All);
  } catch (const Error& error) {
    return Q_EMIT failed(messageText(error.what()));
  }
  // While no model is chosen, the run may be waiting for the list of models.
  const bool isIdle = m_parts.controller.phase() == RunController::Phase::Idle;
  if (isIdle && !isDone() && !m_parts.models.folder().isEmpty())
    Q_EMIT failed(tr("The run did not begin; the message above the charts says why."));
}

/// Pictures of the program's own lessons are compiled in, under ":". Other lessons may
/// come from strangers: their pictures must not be symbolic links.
void LessonStage::insertPicture(const QString& name) {
  const QString path = m_folder + u'/' + name;
  if (m_folder.startsWith(u':')) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
      return Q_EMIT failed(tr("The program has no image %1.").arg(name));
    const std::string bytes = file.readAll().toStdString();
    return placePicture(std::make_shared<const PictureFile>(
        PictureFile{name.toStdString(), sha256(std::as_bytes(std::span(bytes))), bytes}));
  }
  if (m_folder.isEmpty() || !QFileInfo(path).isFile() || QFileInfo(path).isSymLink())
    return Q_EMIT failed(tr("There is no image %1 beside the lesson.").arg(name));
  m_isLent = true;
  ++m_lendings;
  m_parts.shelf.lend(path);
  m_done = [this] { return !m_isLent; };
}

/// Counts a picture that the shelf has read or refused. The shelf reads pictures in the
/// order of the requests, so the current page's picture comes last.
/// @returns whether the page waits for this picture
bool LessonStage::endLending() {
  return --m_lendings == 0 && std::exchange(m_isLent, false);
}

/// Puts the picture at the prompt's first free place, or else before the text.
void LessonStage::placePicture(std::shared_ptr<const PictureFile> picture) {
  const PromptParts parts = m_parts.prompt.parts();
  Pictures pictures = parts.files();
  QString text = parts.written();
  const bool hasPlace = text.count(kPicturePlace) > qsizetype(pictures.size());
  if (!hasPlace) text.prepend(kPicturePlace);
  pictures.insert(hasPlace ? pictures.end() : pictures.begin(), std::move(picture));
  m_parts.prompt.setParts(partsOf(text, pictures));
  m_parts.prompt.setAbsorbed("all");
}

bool LessonStage::isChosenModelLoaded() const {
  const auto& loaded = m_parts.controller.modelRequest();
  return m_parts.controller.loaded() && loaded &&
         loaded->folder == m_parts.models.modelRequest().folder;
}

/// Waits for the model, because the tokens that `part` names depend on the tokenizer.
/// `mark` must not emit `failed` itself: a receiver would replace m_done, which holds the
/// running `mark`. A queued call emits it, unless another action has begun by then.
void LessonStage::absorb(const std::string& part) {
  const auto mark = [this, part, marked = false, failing = false]() mutable {
    if (!isChosenModelLoaded() ||
        m_parts.controller.phase() != RunController::Phase::Idle)
      return false;
    if (std::exchange(marked, true)) return !failing;
    m_parts.prompt.prepareNow();
    const QString problem = m_parts.prompt.setAbsorbed(part);
    failing = !problem.isEmpty();
    if (failing)
      QMetaObject::invokeMethod(
          this,
          [this, problem, begun = m_begun] {
            if (m_begun == begun) Q_EMIT failed(problem);
          },
          Qt::QueuedConnection);
    return !failing;
  };
  m_done = mark;
  m_awaited = &m_parts.controller;
  if (!isChosenModelLoaded()) m_parts.modelDesk.loadChosen();
}

void LessonStage::mapPicture(const LessonImageMap& map) {
  LessonPicture* view = picture();
  const QString problem = view->map(m_parts.model, m_parts.selection.step(), map);
  if (!problem.isEmpty()) return Q_EMIT failed(problem);
  m_done = [view] { return !view->isMapping(); };
}

void LessonStage::startLab(const std::string& experiment) {
  if (!m_parts.startLab(QString::fromStdString(experiment)))
    return Q_EMIT failed(tr("The lab has no experiment called %1.")
                             .arg(QString::fromStdString(experiment)));
  keepLabInFront();
  placeLab();
  // If the experiment is stopped before it has values, the lab shows the earlier result
  // again. The page must not accept that result, even if the same experiment computed it
  // with other settings. An idle lab already had the page's result and did not start.
  // Read `resultBefore` after the start, which sets it.
  std::shared_ptr<const LabResult> earlier;
  if (m_parts.lab.phase() != LabController::Phase::Idle)
    earlier = m_parts.lab.resultBefore();
  m_done = [this, experiment, earlier] {
    const auto result = m_parts.lab.result();
    return m_parts.lab.phase() == LabController::Phase::Idle && result &&
           result != earlier && result->experiment == experiment;
  };
  m_awaited = &m_parts.lab;
}

void LessonStage::selectStep(const std::string& argument) {
  if (argument != "telling") return m_parts.selection.selectStep(std::stoi(argument));
  if (const auto telling = mostContextualStep(m_parts.model.records()))
    m_parts.selection.selectStep(int(*telling));
}

void LessonStage::setStrength(double alpha) {
  auto* panel = m_parts.window.findChild<StrengthPanel*>();
  panel->setPercent(int(std::lround(alpha * 100)));
  awaitReading();
}

void LessonStage::setLayers(const std::string& layers) {
  auto* panel = m_parts.window.findChild<StrengthPanel*>();
  const auto on = layersOf(layers, std::size_t(panel->layers().count()));
  if (!on)
    return Q_EMIT failed(tr("The run on display has %1 layers, but %2 names others.")
                             .arg(panel->layers().count())
                             .arg(QString::fromStdString(layers)));
  panel->layers().setLayers(*on);
  awaitReading();
}

bool LessonStage::lacksReading() const {
  const auto* panel = m_parts.window.findChild<StrengthPanel*>();
  return isStepComputable() && !hasWholePatch(*panel) && !panel->shown();
}

/// Waits until the selected step is computed with the panel's strength and layers. The
/// whole patch needs no computation: the run recorded its result.
void LessonStage::awaitReading() {
  auto* panel = m_parts.window.findChild<StrengthPanel*>();
  if (hasWholePatch(*panel)) return;
  if (!isStepComputable())
    return Q_EMIT failed(
        tr("The patch cannot be changed: this needs a selected step, and the model of "
           "its run in the memory. Run the prompt first."));
  m_done = [panel] { return panel->shown() != nullptr; };
  m_awaited = panel;
  panel->requestReadings();  // a selection alone requests only quick ones
}

void LessonStage::showListedRun(std::size_t number) {
  const std::vector<int> own = m_memory.newRows();
  if (number > own.size())
    return Q_EMIT failed(
        tr("The page shows run %1 of this lesson, but the list has only %2 of it.")
            .arg(number)
            .arg(countText(qint64(own.size()), QStringLiteral("run"))));
  const int row = own[number - 1];
  const std::filesystem::path file = m_parts.runs.list().at(row).file;
  if (file.empty() && row != m_parts.runs.list().current())
    return Q_EMIT failed(
        tr("Run %1 of this lesson was not recorded, so it cannot be shown again.")
            .arg(number));
  m_done = [this, file] {
    return m_parts.controller.file() == file && !m_parts.model.empty() &&
           m_parts.controller.phase() == RunController::Phase::Idle;
  };
  m_awaited = &m_parts.controller;
  m_parts.runs.display(row);
}

}  // namespace equipatch
