// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_recorder.h"

#include <QDockWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/lesson/lesson_words.h"
#include "core/record/context_effect.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lesson/recorded_words.h"

namespace equipatch {
namespace {

constexpr std::array kChartNames{"logits", "sizes", "map", "errors"};
constexpr std::array kChartParts{LessonPart::Logits, LessonPart::Sizes, LessonPart::Map,
                                 LessonPart::Errors};

bool isSelection(LessonVerb verb) {
  return verb == LessonVerb::Step || verb == LessonVerb::Layer;
}

/// Removes the step's actions that the new action supersedes, such as tabs that are no
/// longer in front. @returns false if the new action needs a step of its own
bool makeRoomFor(const LessonAction& action, const std::vector<std::string>& inFront,
                 std::vector<LessonAction>& actions) {
  if (actions.empty()) return true;
  const bool isMovable = isOfShownRun(action.verb) || action.verb == LessonVerb::Tab;
  const auto same = [&](const LessonAction& each) {
    return each.verb == action.verb ||
           (isSelection(each.verb) && isSelection(action.verb));
  };
  if (!isMovable || !std::ranges::all_of(actions, same)) return false;
  std::erase_if(actions, [&](const LessonAction& each) {
    if (each.verb != action.verb) return false;
    return each.verb != LessonVerb::Tab || each.argument == action.argument ||
           std::ranges::find(inFront, each.argument) == inFront.end();
  });
  return true;
}

}  // namespace

LessonRecorder::LessonRecorder(const LessonStage::Parts& parts, const LessonStage& stage,
                               QObject* parent)
    : QObject(parent), m_parts(parts), m_stage(stage) {
  connectAll();
}

void LessonRecorder::connectAll() {
  // Queued, because look() must also see the consequences of the user's act, such as the
  // step that is selected when a run ends.
  connect(&m_stage, &LessonStage::changed, this, &LessonRecorder::look,
          Qt::QueuedConnection);
  for (ChartView* chart : m_parts.window.findChildren<ChartView*>())
    if (auto* table = chart->findChild<QToolButton*>(QStringLiteral("tableSwitch")))
      connect(table, &QToolButton::toggled, this, &LessonRecorder::look,
              Qt::QueuedConnection);
  for (const char* name :
       {"modelDock", "promptDock", "stepDock", "runsDock", "blockDock", "textDock"})
    if (auto* dock = m_parts.window.findChild<QDockWidget*>(QString::fromLatin1(name)))
      connect(dock, &QDockWidget::visibilityChanged, this, &LessonRecorder::look,
              Qt::QueuedConnection);
  connect(&m_parts.mapper, &PictureMapper::shown, this, &LessonRecorder::takeMap,
          Qt::QueuedConnection);
  connect(&m_parts.runs, &RunDesk::starting, this, [this] { m_isGrid = false; });
  connect(&m_parts.runs, &RunDesk::gridStarting, this, [this] { m_isGrid = true; });
}

LessonRecorder::Seen LessonRecorder::seen() const {
  Seen now{.run = m_parts.model.empty() ? nullptr : m_parts.model.sharedHeader(),
           .step = m_parts.selection.step(),
           .layer = m_parts.selection.layer(),
           .lab = m_parts.lab.phase() == LabController::Phase::Idle ? m_parts.lab.result()
                                                                    : m_seen.lab};
  const auto* strength = m_parts.window.findChild<StrengthPanel*>();
  now.percent = int(std::lround(strength->alpha() * 100));
  now.layers = strength->layers().layers();
  now.tabs = m_stage.tabsInFront();
  for (std::size_t i = 0; i < kChartNames.size(); ++i)
    now.tables[i] = m_stage.chart(kChartNames[i])->isTable();
  return now;
}

void LessonRecorder::begin() {
  m_recording = {};
  m_listed.clear();
  m_settings = settings().actions;
  m_seen = {};
  m_seen = seen();
  // A run or a grid under way is recorded at its end, like those that begin later.
  const bool isUnderWay = m_parts.controller.isComputing() || m_parts.runs.runsLeft() > 0;
  if (isUnderWay) m_seen.run.reset();
  m_isGrid = m_isGrid && isUnderWay;
  m_seen.tables = {};
  m_seen.lab = m_parts.lab.result();
  m_needsRun = m_seen.run != nullptr;
  m_isRecording = true;
  look();
  Q_EMIT changed();
}

void LessonRecorder::look() {
  using Phase = RunController::Phase;
  if (!m_isRecording || m_parts.runs.runsLeft() > 0 ||
      m_parts.controller.phase() != Phase::Idle)
    return;
  const Seen now = seen();
  if (now.run != m_seen.run) m_needsRun = false;
  if (!now.run || now.run == m_seen.run) m_isGrid = false;  // the grid made no run
  if (now.run && now.run != m_seen.run) {
    if (!takeListed(now)) takeRun(now);
    std::tie(m_seen.step, m_seen.layer, m_seen.percent, m_seen.layers) =
        std::tie(now.step, now.layer, now.percent, now.layers);
  }
  takeView(now);
  takeLab(now);
  m_seen = now;
  observe();
}

std::vector<LessonAction> LessonRecorder::viewActions(const Seen& at) const {
  std::vector<LessonAction> actions;
  const auto telling = mostContextualStep(m_parts.model.records());
  if (at.step != Selection::kNone && (!telling || at.step != int(*telling)))
    actions.push_back({LessonVerb::Step, std::to_string(at.step)});
  if (at.layer != Selection::kNone)
    actions.push_back({LessonVerb::Layer, std::to_string(at.layer)});
  if (at.percent != 100)
    actions.push_back({LessonVerb::Strength, strengthWord(at.percent)});
  if (std::ranges::count(at.layers, false) > 0)
    actions.push_back({LessonVerb::Layers, layersText(at.layers)});
  return actions;
}

/// Records the choice of one of the recording's runs from the list. @returns false if the
/// run on display is new; continued runs and runs without a file are new.
bool LessonRecorder::takeListed(const Seen& at) {
  const std::filesystem::path& file = m_parts.controller.file();
  const auto found = std::ranges::find(m_listed, file);
  if (file.empty() || found == m_listed.end() || !m_parts.controller.isOpened())
    return false;
  LessonStep step =
      wordsOfView({LessonVerb::ListedRun, std::to_string(found - m_listed.begin() + 1)},
                  {LessonPart::Runs, LessonPart::Tokens});
  for (const LessonAction& action : viewActions(at)) step.actions.push_back(action);
  addStep(std::move(step));
  return true;
}

/// Updates `m_listed`: a grid replaces all earlier runs. Searches the whole list for the
/// grid's runs, because some may have been there before the grid began.
void LessonRecorder::listRuns(const RunHeader& run, bool isGrid) {
  if (!isGrid) {
    const std::filesystem::path& file = m_parts.controller.file();
    for (std::filesystem::path& earlier : m_listed)
      if (earlier == file)
        earlier.clear();  // in the list, the continuation has replaced this run
    return m_listed.push_back(file);
  }
  m_listed.clear();
  const RunList& runs = m_parts.runs.list();
  RunSettings shown;
  shown.run = run.request;
  for (const RunSettings& cell : precisionGrid(shown)) {
    std::filesystem::path& file = m_listed.emplace_back();
    for (int row = 0; row < runs.count(); ++row) {
      const RunHeader& listed = *runs.at(row).header;
      if (listed.modelFolder == run.modelFolder && listed.dtype == cell.model.dtype &&
          !listed.computesFloat32 && listed.request == cell.run)
        file = runs.at(row).file;
    }
  }
}

void LessonRecorder::takeRun(const Seen& at) {
  const bool isComplete = m_parts.controller.phase() == RunController::Phase::Idle &&
                          m_parts.controller.ending() == RunEnding::Complete;
  RecordedRun run = recordedRun(
      *at.run, isComplete ? at.run->request.steps : m_parts.model.stepCount());
  keep(run);
  LessonStep step = wordsOfRun(*at.run, m_parts.model, m_parts.controller.ending());
  if (!m_parts.controller.isOpened()) m_settings = settings().actions;
  listRuns(*at.run, m_isGrid);
  if (std::exchange(m_isGrid, false)) {
    step = wordsOfGrid(step);
    std::erase_if(run.actions, [](const LessonAction& action) {
      return action.verb == LessonVerb::DType || action.verb == LessonVerb::Method ||
             action.verb == LessonVerb::Loop;
    });
    run.actions.push_back({LessonVerb::Grid, {}});
  } else {
    run.actions.push_back({LessonVerb::Run, {}});
  }
  for (const LessonAction& action : viewActions(at)) run.actions.push_back(action);
  step.actions = std::move(run.actions);
  addStep(std::move(step));
}

void LessonRecorder::takeView(const Seen& now) {
  if (now.step != m_seen.step && now.step != Selection::kNone)
    add({LessonVerb::Step, std::to_string(now.step)}, {LessonPart::Step});
  if (now.layer != m_seen.layer && now.layer != Selection::kNone)
    add({LessonVerb::Layer, std::to_string(now.layer)}, {LessonPart::Sizes});
  if (now.percent != m_seen.percent)
    add({LessonVerb::Strength, strengthWord(now.percent)}, {LessonPart::Strength});
  if (now.layers.size() == m_seen.layers.size() && now.layers != m_seen.layers)
    add({LessonVerb::Layers, layersText(now.layers)}, {LessonPart::Strength});
  for (const std::string& tab : now.tabs)
    if (std::ranges::find(m_seen.tabs, tab) == m_seen.tabs.end())
      add({LessonVerb::Tab, tab}, {*lessonValue(kLessonParts, tab)});
  for (std::size_t i = 0; i < kChartNames.size(); ++i)
    if (now.tables[i] != m_seen.tables[i])
      add({now.tables[i] ? LessonVerb::Table : LessonVerb::Chart, kChartNames[i]},
          {kChartParts[i]});
}

void LessonRecorder::takeLab(const Seen& now) {
  if (!now.lab || now.lab == m_seen.lab) return;
  LessonStep step = wordsOfLab(*now.lab);
  step.actions = {{LessonVerb::Lab, now.lab->experiment}};
  addStep(std::move(step));
  if (now.lab->origin.setting != "quick" || now.lab->origin.seed != 0)
    lose(
        tr("An experiment ran with changed settings; lessons run it with the default "
           "ones."));
}

/// Whether a lesson can make the map: it is of the first image of the run on display, at
/// the selected step.
bool LessonRecorder::isOfDisplay(const MappedImage& map) const {
  const RunHeader* run = m_parts.model.header();
  if (!run || run->request.images.empty()) return false;
  const std::vector<LabChoice> wanted{
      {"sha256", run->request.images.front().picture->sha256},
      {"image", std::int64_t{1}},
      {"step", std::int64_t{std::max(0, m_parts.selection.step())}},
      {"prompt", shownPrompt(run->request)}};
  return std::ranges::all_of(wanted, [&](const LabChoice& choice) {
    return std::ranges::count(map.figures.origin.choices, choice) > 0;
  });
}

void LessonRecorder::takeMap(const MappedImage& map, int quantity) {
  if (!m_isRecording) return;
  look();
  if (map.of == MapOf::Growth)
    return lose(
        tr("A map showed how the patch grows with an image; lessons cannot show it."));
  if (!isOfDisplay(map))
    return lose(
        tr("A map showed another image or step; lessons map the first image of the run "
           "on display, at the selected step."));
  std::string argument = std::to_string(map.map.cells);
  if (quantity > 0)
    argument.append(" ").append(kImageMapQuantities[std::size_t(quantity)]);
  add({LessonVerb::ImageMap, argument}, {LessonPart::Picture});
  observe();
}

/// Records the run that was on display when the recording began.
void LessonRecorder::needRun() {
  if (!std::exchange(m_needsRun, false)) return;
  const std::vector<LessonAction> settings = m_settings;  // takeRun replaces them
  takeRun(Seen(m_seen));
  m_settings = settings;
}

void LessonRecorder::add(LessonAction action, std::vector<LessonPart> lit) {
  needRun();
  auto& steps = m_recording.lesson.steps;
  if (steps.empty() || !makeRoomFor(action, m_stage.tabsInFront(), steps.back().actions))
    return addStep(wordsOfView(std::move(action), std::move(lit)));
  LessonStep& last = steps.back();
  LessonStep earlier =
      std::exchange(last, wordsOfView(std::move(action), std::move(lit)));
  last.actions.insert(last.actions.begin(), earlier.actions.begin(),
                      earlier.actions.end());
  last.expected = std::move(earlier.expected);  // `observe` replaces them if they changed
  Q_EMIT changed();
}

void LessonRecorder::addStep() {
  if (!m_isRecording) return;
  look();
  addStep({.title = tr("What you see here").toStdString(), .question = {}});
}

/// A step with actions replaces the last step if that has none.
void LessonRecorder::addStep(LessonStep step) {
  auto& lesson = m_recording.lesson;
  if (!lesson.steps.empty() && lesson.steps.back().actions.empty() &&
      !step.actions.empty())
    m_recording.removeStep(lesson.steps.size() - 1);
  m_recording.addStep(std::move(step));
  m_hadRun = false;
  Q_EMIT changed();
}

void LessonRecorder::keep(const RecordedRun& run) {
  for (const auto& picture : run.pictures) m_recording.pictures.push_back(picture);
  for (const QString& sentence : run.lost) lose(sentence);
}

/// Notes, once, what no action of a lesson can express.
void LessonRecorder::lose(const QString& sentence) {
  if (!m_recording.lost.contains(sentence)) m_recording.lost << sentence;
}

/// Offers the conditions that hold now as expectations of the last step. Keeps the
/// earlier offer if the user has closed the run, because no lesson does that.
void LessonRecorder::observe() {
  auto& steps = m_recording.lesson.steps;
  if (steps.empty() || steps.back().actions.empty()) return;
  if (m_hadRun && !m_seen.run) return;
  m_hadRun = m_seen.run != nullptr;
  const auto conditions = conditionsNow(m_stage, steps.back().actions);
  if (conditions == m_recording.possible.back()) return;
  m_recording.possible.back() = conditions;
  steps.back().expected = usualOf(conditions);
  Q_EMIT changed();
}

RecordedRun LessonRecorder::settings() const {
  return recordedSettings(m_parts.models.modelRequest(), m_parts.models.runRequest(),
                          m_parts.prompt);
}

void LessonRecorder::takeSettings() {
  const RecordedRun now = settings();
  if (now.actions == m_settings) return;
  keep(now);
  LessonStep step = wordsOfSettings();
  step.actions = now.actions;
  addStep(std::move(step));
}

Recording LessonRecorder::finish() {
  look();
  const Seen now = seen();
  if (m_parts.controller.phase() != RunController::Phase::Idle && now.run &&
      now.run != m_seen.run)
    takeRun(now);
  takeSettings();
  m_isRecording = false;
  return m_recording;
}

}  // namespace equipatch
