// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_stage.h"

#include <QDockWidget>
#include <QScrollArea>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/program_files.h"
#include "core/record/context_effect.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/prompt/sample_prompts.h"
#include "ui/run/strength_probe.h"

namespace equipatch {
namespace {

constexpr std::size_t kHandChannels = 4;

/// A token as a lesson's file names it: without the spaces around it.
std::string bareWord(const std::string& text) {
  return QString::fromStdString(text).trimmed().toStdString();
}

double largestHiddenError(const StepRecord& step) {
  double largest = 0.0;
  for (const LayerRecord& layer : step.layers)
    largest = std::max(largest, layer.hiddenError);
  return largest;
}

double keptTokens(const RunRequest& request) {
  const auto length = static_cast<std::int64_t>(request.prompt.size());
  double kept = 0.0;
  for (std::int64_t at = 0; at < length; ++at)
    kept += request.absorbed.keeps(at, length) ? 1.0 : 0.0;
  return kept;
}

double curveCount(const LabResult& result) {
  double count = 0.0;
  for (const LabPanel& panel : result.panels) count += double(panel.curves.size());
  return count;
}

std::optional<double> stepNumber(const StepRecord& step, std::string_view quantity) {
  if (quantity == "linf") return step.patchedDistance.linf;
  if (quantity == "margin") return step.margin;
  if (quantity == "hidden-error") return largestHiddenError(step);
  if (quantity == "bare-agrees" && !step.bare.empty() && !step.contextual.empty())
    return step.bare.front().id == step.contextual.front().id ? 1.0 : 0.0;
  if (quantity == "bare-linf" && step.bareDistance) return step.bareDistance->linf;
  if (quantity == "probability" && !step.contextual.empty())
    return step.contextual.front().probability;
  const bool hasMatrix = !step.layers.empty() && !step.layers.front().matrices.empty();
  if (quantity == "first-layer" && hasMatrix)
    return step.layers.front().matrices.front().norm;
  return std::nullopt;
}

}  // namespace

LessonStage::LessonStage(const Parts& parts) : m_parts(parts) {
  connectAll();
}

void LessonStage::connectAll() {
  const RunController* controller = &m_parts.controller;
  connect(controller, &RunController::phaseChanged, this, &LessonStage::changed);
  connect(controller, &RunController::phaseChanged, this, &LessonStage::showEarlierRun,
          Qt::QueuedConnection);
  connect(controller, &RunController::modelChanged, this, &LessonStage::changed);
  connect(controller, &RunController::failed, this, &LessonStage::failed);
  connect(controller, &RunController::held, this, &LessonStage::failed);
  connect(&m_parts.lab, &LabController::phaseChanged, this, &LessonStage::changed);
  connect(&m_parts.lab, &LabController::failed, this, &LessonStage::failed);
  connect(&m_parts.selection, &Selection::stepChanged, this, &LessonStage::changed);
  connect(&m_parts.selection, &Selection::layerChanged, this, &LessonStage::changed);
  connect(m_parts.window.findChild<StrengthPanel*>(), &StrengthPanel::shownChanged, this,
          &LessonStage::changed);
}

void LessonStage::begin(const LessonAction& action) {
  m_done = {};
  switch (action.verb) {
    case LessonVerb::Run:
      return run();
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
    case LessonVerb::Method:
    case LessonVerb::Loop:
    case LessonVerb::Steps:
      return setMethod(action);
    default:
      return set(action);
  }
}

/// Sets the model, the dtype, the prompt or its absorbed part.
void LessonStage::set(const LessonAction& action) {
  const QString argument = QString::fromStdString(action.argument);
  if (action.verb == LessonVerb::Model) {
    const auto bundled = findResource(Resource::BundledModel);
    if (!bundled) return Q_EMIT failed(tr("The bundled model is not installed."));
    m_parts.models.setFolder(QString::fromStdString(bundled->string()));
  } else if (action.verb == LessonVerb::DType) {
    const auto dtype = dtypeFromTorchName(action.argument);
    if (!dtype) return Q_EMIT failed(tr("There is no dtype %1.").arg(argument));
    m_parts.models.setDType(*dtype);
  } else if (action.verb == LessonVerb::Absorb) {
    m_parts.prompt.prepareNow();
    m_parts.prompt.setAbsorbed(action.argument);
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
  RunRequest request = m_parts.models.runRequest();
  request.bare = true;  // lessons compare with the bare pass
  if (action.verb == LessonVerb::Steps) request.steps = std::stoi(action.argument);
  const auto method = methodFromName(action.argument);
  const auto loop = loopFromName(action.argument);
  if ((action.verb == LessonVerb::Method && !method) ||
      (action.verb == LessonVerb::Loop && !loop))
    return Q_EMIT failed(tr("There is no method or loop called %1.")
                             .arg(QString::fromStdString(action.argument)));
  if (action.verb == LessonVerb::Method) request.patch.method = *method;
  if (action.verb == LessonVerb::Loop) request.patch.loop = *loop;
  m_parts.models.showRun(request);
}

void LessonStage::run() {
  // Kept alive, so that the new run's header has another address.
  const auto before = m_parts.model.sharedHeader();
  m_done = [this, before] {
    return m_parts.model.sharedHeader() != before && !m_parts.model.empty() &&
           m_parts.controller.phase() == RunController::Phase::Idle;
  };
  m_parts.runs.run();
}

void LessonStage::startLab(const std::string& experiment) {
  if (!m_parts.startLab(QString::fromStdString(experiment)))
    return Q_EMIT failed(tr("The lab has no experiment called %1.")
                             .arg(QString::fromStdString(experiment)));
  m_done = [this] {
    return m_parts.lab.phase() == LabController::Phase::Idle && m_parts.lab.result();
  };
}

void LessonStage::selectStep(const std::string& argument) {
  if (argument != "telling") return m_parts.selection.selectStep(std::stoi(argument));
  if (const auto telling = mostContextualStep(m_parts.model.records()))
    m_parts.selection.selectStep(int(*telling));
}

void LessonStage::setStrength(double alpha) {
  auto* panel = m_parts.window.findChild<StrengthPanel*>();
  const int percent = int(std::lround(alpha * 100));
  panel->findChild<QSlider*>(QStringLiteral("strength"))->setValue(percent);
  m_done = [panel, percent] { return percent == 100 || panel->shown(); };
}

ChartView* LessonStage::chart(const std::string& name) const {
  if (name == "logits") return m_parts.charts.chart<LogitChart>();
  if (name == "sizes") return m_parts.charts.chart<NormChart>();
  if (name == "map") return m_parts.charts.chart<HeatmapChart>();
  return m_parts.charts.chart<ErrorChart>();
}

const StepRecord* LessonStage::step() const {
  return m_parts.model.find(m_parts.selection.step());
}

std::optional<double> LessonStage::runNumber(std::string_view quantity) const {
  const RunModel& model = m_parts.model;
  if (model.empty()) return std::nullopt;
  const int steps = model.stepCount();
  if (quantity == "steps") return steps;
  if (quantity == "matches") return steps - model.mismatchCount();
  if (quantity == "mismatches") return model.mismatchCount();
  if (quantity == "worth") return summarise(model.records()).bareLinfMedian;
  if (quantity == "left") return summarise(model.records()).linfMedian;
  if (quantity == "prompt-tokens") return double(model.header()->request.prompt.size());
  if (quantity == "kept") return keptTokens(model.header()->request);
  return std::nullopt;
}

std::optional<double> LessonStage::number(std::string_view quantity) const {
  const auto* strength = m_parts.window.findChild<StrengthPanel*>();
  if (quantity == "alpha") return strength->alpha();
  if (quantity == "lab-curves" && m_parts.lab.result())
    return curveCount(*m_parts.lab.result());
  if (quantity.starts_with("hand-")) {
    const std::optional<HandTable> table = handTableNow();
    if (!table) return std::nullopt;
    return quantity == "hand-error" ? std::abs(table->all.patched - table->all.contextual)
                                    : std::abs(table->all.contextual - table->all.before);
  }
  if (const StrengthReading* tried = strength->shown()) {
    if (quantity == "tried-linf") return tried->distance.linf;
    if (quantity == "tried-match") return tried->match ? 1.0 : 0.0;
  }
  if (quantity == "layer" && m_parts.selection.layer() != Selection::kNone)
    return m_parts.selection.layer();
  if (const auto value = runNumber(quantity)) return value;
  if (!step()) return std::nullopt;
  return quantity == "step" ? std::optional<double>(m_parts.selection.step())
                            : stepNumber(*step(), quantity);
}

std::optional<std::string> LessonStage::text(std::string_view quantity) const {
  if (quantity == "prompt") return m_parts.prompt.text().toStdString();
  if (m_parts.model.empty() || !step()) return std::nullopt;
  const RunHeader& header = *m_parts.model.header();
  if (quantity == "method") return std::string(name(header.request.patch.method));
  if (quantity == "loop") return std::string(name(header.request.patch.loop));
  if (quantity == "dtype") return std::string(torchName(header.dtype));
  if (quantity == "answer") return continuedText(m_parts.model.records()).text;
  const Choices& choices = quantity == "token"     ? step()->contextual
                           : quantity == "patched" ? step()->patched
                                                   : step()->bare;
  if (choices.empty()) return std::nullopt;
  return bareWord(choices.front().text);
}

bool LessonStage::holds(const LessonCondition& condition) const {
  return equipatch::holds(
      condition, [this](std::string_view quantity) { return number(quantity); },
      [this](std::string_view quantity) { return text(quantity); });
}

QWidget* LessonStage::dock(const char* name) const {
  auto* dock = m_parts.window.findChild<QDockWidget*>(QString::fromLatin1(name));
  dock->show();
  dock->raise();
  return dock;
}

/// The view above the charts, which is made on first use.
HandView* LessonStage::hand() {
  if (m_hand) return m_hand;
  QWidget* centre = m_parts.window.centralWidget();
  m_hand = new HandView(centre);
  static_cast<QVBoxLayout*>(centre->layout())->insertWidget(0, m_hand);
  connect(this, &LessonStage::changed, m_hand, [this] { showHand(); });
  showHand();
  return m_hand;
}

std::optional<HandTable> LessonStage::handTableNow() const {
  const auto loaded = m_parts.controller.loaded();
  if (!step() || !loaded || !loaded->session) return std::nullopt;
  if (!computesRun(*loaded, *m_parts.model.header())) return std::nullopt;
  const int layer = std::max(0, m_parts.selection.layer());
  return handTable(*loaded->session, *step(), std::size_t(layer), kHandChannels);
}

void LessonStage::showHand() {
  if (m_hand->isVisibleTo(m_hand->parentWidget()))
    m_hand->show(handTableNow(), m_parts.selection.step());
}

QWidget* LessonStage::widgetOf(LessonPart part) {
  QMainWindow& window = m_parts.window;
  switch (part) {
    case LessonPart::Model:
      return dock("modelDock");
    case LessonPart::Prompt:
      return dock("promptDock");
    case LessonPart::Tokens:
      return dock("tokensDock");
    case LessonPart::Sentence:
      return window.findChild<QWidget*>(QStringLiteral("runLine"));
    case LessonPart::Logits:
      return chart("logits");
    case LessonPart::Sizes:
      return chart("sizes");
    case LessonPart::Map:
      return chart("map");
    case LessonPart::Errors:
      return chart("errors");
    case LessonPart::Step:
      return dock("stepDock");
    case LessonPart::Strength: {
      auto* strength = window.findChild<StrengthPanel*>();
      auto* area = dock("stepDock")->findChild<QScrollArea*>();
      if (area) area->ensureWidgetVisible(strength, 0, 0);
      return strength;
    }
    case LessonPart::Texts:
      return dock("textDock");
    case LessonPart::Block:
      return dock("blockDock");
    case LessonPart::Runs:
      return dock("runsDock");
    case LessonPart::Transport:
      return window.findChild<QWidget*>(QStringLiteral("transport"));
    case LessonPart::Hand:
      return hand();
  }
  return nullptr;
}

QList<QWidget*> LessonStage::show(const std::vector<LessonPart>& parts) {
  const bool byHand = std::ranges::find(parts, LessonPart::Hand) != parts.end();
  if (m_hand || byHand) hand()->setVisible(byHand);
  if (byHand) showHand();
  QList<QWidget*> widgets;
  for (const LessonPart part : parts) widgets << widgetOf(part);
  return widgets;
}

void LessonStage::remember() {
  m_parts.runs.setKeepsFactors(true);
  Remembered before{.layout = m_parts.window.saveState(),
                    .prompt = m_parts.prompt.parts(),
                    .form = m_parts.prompt.form(),
                    .absorbed = m_parts.prompt.absorbed(),
                    .model = m_parts.models.modelRequest(),
                    .run = m_parts.models.runRequest(),
                    .file = m_parts.controller.file(),
                    .files = {}};
  const RunList& runs = m_parts.runs.list();
  for (int row = 0; row < runs.count(); ++row) before.files.push_back(runs.at(row).file);
  m_before = std::move(before);
}

void LessonStage::closeRunsOfTheLesson() {
  RunList& runs = m_parts.runs.list();
  for (int row = runs.count() - 1; row >= 0; --row)
    if (std::ranges::find(m_before->files, runs.at(row).file) == m_before->files.end())
      runs.close(row);
}

void LessonStage::restore() {
  if (!m_before) return;
  stopWaiting();
  show({});
  m_parts.runs.stop();
  m_parts.lab.stop();
  if (auto* lab = m_parts.window.findChild<LabWindow*>()) lab->hide();
  m_parts.runs.setKeepsFactors(false);
  for (const char* each : {"logits", "sizes", "map", "errors"})
    chart(each)->showTable(false);
  m_parts.models.showRequest(m_before->model);
  m_parts.models.showRun(m_before->run);
  m_parts.prompt.setForm(m_before->form);
  m_parts.prompt.setParts(m_before->prompt);
  m_parts.prompt.setAbsorbed(m_before->absorbed);
  m_parts.window.restoreState(m_before->layout);
  m_restores = true;
  showEarlierRun();
}

/// Does nothing until the run that the lesson left under way has ended.
void LessonStage::showEarlierRun() {
  if (m_parts.controller.phase() != RunController::Phase::Idle ||
      !std::exchange(m_restores, false))
    return;
  closeRunsOfTheLesson();
  const RunList& runs = m_parts.runs.list();
  for (int row = 0; row < runs.count(); ++row)
    if (!m_before->file.empty() && runs.at(row).file == m_before->file)
      m_parts.runs.display(row);
  m_before.reset();
}

}  // namespace equipatch
