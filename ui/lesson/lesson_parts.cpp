// SPDX-License-Identifier: GPL-3.0-or-later
// LessonStage: the parts of the window that a lesson lights up.
#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string>

#include "core/lesson/lesson_words.h"
#include "ui/chart/heatmap_chart.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lab/lab_window.h"
#include "ui/lesson/lesson_stage.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

constexpr int kLayoutMilliseconds = 100;
constexpr int kAllRoom = 100;  // stretch factor that leaves other widgets no room

bool isInCentre(LessonPart part) {
  switch (part) {
    case LessonPart::Sentence:
    case LessonPart::Logits:
    case LessonPart::Sizes:
    case LessonPart::Map:
    case LessonPart::Errors:
    case LessonPart::Hand:
    case LessonPart::Picture:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// Brings the dock to the front.
QWidget* LessonStage::dock(const char* name) const {
  auto* dock = m_parts.window.findChild<QDockWidget*>(QString::fromLatin1(name));
  dock->show();
  dock->raise();
  return dock;
}

void LessonStage::bringToFront(const std::string& tab) {
  if (const auto part = lessonValue(kLessonParts, tab)) widgetOf(*part);
}

std::vector<std::string> LessonStage::tabsInFront() const {
  std::vector<std::string> tabs;
  for (const LessonPart part : kLessonTabs) {
    const std::string name(lessonWord(kLessonParts, part));
    const QString dock =
        QString::fromStdString((part == LessonPart::Texts ? "text" : name) + "Dock");
    const auto* widget = m_parts.window.findChild<QDockWidget*>(dock);
    if (widget && widget->isVisible() && !widget->visibleRegion().isEmpty())
      tabs.push_back(name);
  }
  return tabs;
}

QScrollArea* LessonStage::stepArea() const {
  return m_parts.window.findChild<QDockWidget*>(QStringLiteral("stepDock"))
      ->findChild<QScrollArea*>();
}

void LessonStage::scrollToStrength() {
  auto* strength = m_parts.window.findChild<StrengthPanel*>();
  if (!strength) return;  // the window is being destroyed
  QScrollArea* area = stepArea();
  if (strength->height() <= area->viewport()->height())
    area->ensureWidgetVisible(strength, 0, 0);
  else
    area->verticalScrollBar()->setValue(strength->mapTo(area->widget(), QPoint()).y());
}

ChartView* LessonStage::chart(const std::string& name) const {
  if (name == "logits") return m_parts.charts.chart<LogitChart>();
  if (name == "sizes") return m_parts.charts.chart<NormChart>();
  if (name == "map") return m_parts.charts.chart<HeatmapChart>();
  return m_parts.charts.chart<ErrorChart>();
}

HandView* LessonStage::hand() {
  if (m_hand) return m_hand;
  QWidget* centre = m_parts.window.centralWidget();
  m_hand = new HandView(centre);
  m_hand->hide();
  static_cast<QVBoxLayout*>(centre->layout())->insertWidget(0, m_hand);
  connect(this, &LessonStage::changed, m_hand, [this] { showHand(); });
  showHand();
  return m_hand;
}

LessonPicture* LessonStage::picture() {
  if (m_picture) return m_picture;
  QWidget* centre = m_parts.window.centralWidget();
  m_picture = new LessonPicture(m_parts.theme, m_parts.shelf, m_parts.mapper, centre);
  m_picture->hide();
  static_cast<QVBoxLayout*>(centre->layout())->addWidget(m_picture, 1);
  connect(m_picture, &LessonPicture::changed, this, &LessonStage::changed);
  const auto follow = [this] {
    if (m_picture->isVisibleTo(m_picture->parentWidget()))
      m_picture->setRun(m_parts.model, m_parts.selection.step());
  };
  connect(this, &LessonStage::changed, m_picture, follow);
  return m_picture;
}

void LessonStage::showHand() {
  if (m_hand->isVisibleTo(m_hand->parentWidget()))
    m_hand->show(handTableNow(), m_parts.selection.step());
}

/// Makes the lab a dialog, which stays in front of the main window even in full screen.
void LessonStage::keepLabInFront() {
  auto* lab = m_parts.window.findChild<LabWindow*>();
  if (!lab || lab->windowType() == Qt::Dialog) return;
  lab->setWindowFlags(Qt::Dialog | Qt::WindowMinMaxButtonsHint |
                      Qt::WindowCloseButtonHint);
  lab->show();  // setWindowFlags hides the window
}

void LessonStage::placeLab() {
  auto* lab = m_parts.window.findChild<LabWindow*>();
  const auto* lesson = m_parts.window.findChild<QWidget*>(QStringLiteral("lessonDock"));
  if (lab && lesson && lab->isVisible())
    placeBeside(*lab, {lesson->mapToGlobal(QPoint()), lesson->size()},
                LabWindow::kUsualSize);
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
    case LessonPart::Strength:
      dock("stepDock");
      scrollToStrength();
      // Scroll again after the layout: a dock shown just now has no final size yet.
      QTimer::singleShot(kLayoutMilliseconds, this, [this] {
        if (m_isStrengthLit) scrollToStrength();
      });
      return window.findChild<StrengthPanel*>();
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
    case LessonPart::Picture:
      return picture();
  }
  return nullptr;
}

QList<QWidget*> LessonStage::show(const std::vector<LessonPart>& parts) {
  const bool byHand = std::ranges::find(parts, LessonPart::Hand) != parts.end();
  if (m_hand && !byHand) m_hand->hide();
  const bool byPicture = std::ranges::find(parts, LessonPart::Picture) != parts.end();
  if (m_picture || byPicture) {
    auto* charts = m_parts.window.findChild<ChartGrid*>();
    LessonPicture* const view = picture();
    if (byPicture) view->setRun(m_parts.model, m_parts.selection.step());
    // Hide one before showing the other: there is no room for both at once.
    byPicture ? charts->hide() : view->hide();
    byPicture ? view->show() : charts->show();
  }
  m_isStrengthLit = std::ranges::find(parts, LessonPart::Strength) != parts.end();
  if (!m_isStrengthLit) stepArea()->verticalScrollBar()->setValue(0);
  // Hide the centre before docks appear: a projector has no room for both.
  if (m_isFocused && !parts.empty() && std::ranges::none_of(parts, isInCentre))
    m_parts.window.centralWidget()->hide();
  QList<QWidget*> widgets;
  for (const LessonPart part : parts) widgets << widgetOf(part);
  showOnly(widgets);
  if (byHand) {
    // Update the layouts before HandView appears in the room of charts that showOnly has
    // hidden.
    auto* grid = m_parts.window.findChild<ChartGrid*>();
    for (auto* rows : grid->findChildren<QSplitter*>()) rows->updateGeometry();
    grid->layout()->activate();
    grid->updateGeometry();
    hand()->setVisible(true);
    showHand();
  }
  return widgets;
}

/// On a projector (m_isFocused), hides all docks and charts that are not lit, and the
/// centre if nothing in it is lit. Elsewhere, hides charts only if HandView is lit: the
/// lower charts or, if a chart is lit, all charts that are not. None lit: hides nothing.
void LessonStage::showOnly(const QList<QWidget*>& lit) {
  const auto isLit = [&](const QWidget* widget) {
    return std::ranges::any_of(lit, [widget](const QWidget* each) {
      return each == widget || widget->isAncestorOf(each);
    });
  };
  if (m_isFocused && !lit.isEmpty())  // before the centre appears, for lack of room
    for (auto* dock : m_parts.window.findChildren<QDockWidget*>())
      if (dock->objectName() != QStringLiteral("lessonDock"))
        dock->setVisible(isLit(dock));
  auto* grid = m_parts.window.findChild<ChartGrid*>();
  grid->showAll();
  const bool isCentreLit = isLit(m_parts.window.centralWidget());
  m_parts.window.centralWidget()->setVisible(!m_isFocused || lit.isEmpty() ||
                                             isCentreLit);
  const std::array charts{chart("logits"), chart("sizes"), chart("map"), chart("errors")};
  const bool byHand = m_hand && isLit(m_hand);
  const bool isChartLit = std::ranges::any_of(charts, isLit);
  if (m_hand) {
    const bool fills = m_isFocused && byHand && !isChartLit;
    auto* centre = static_cast<QVBoxLayout*>(m_parts.window.centralWidget()->layout());
    centre->setStretchFactor(m_hand, fills ? kAllRoom : 0);
    m_hand->setFilling(fills);
  }
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const bool hasRoom = !byHand || (!isChartLit && i < charts.size() / 2);
    charts[i]->setVisible(lit.isEmpty() || isLit(charts[i]) || (!m_isFocused && hasRoom));
  }
  for (auto* row : grid->findChildren<QSplitter*>()) {
    const QList<ChartView*> inRow = row->findChildren<ChartView*>();
    row->setVisible(std::ranges::any_of(
        inRow, [](const ChartView* each) { return !each->isHidden(); }));
  }
  if (m_isFocused)
    m_parts.window.findChild<QWidget*>(QStringLiteral("transport"))
        ->setVisible(std::ranges::any_of(lit, [](const QWidget* each) {
          return each->objectName() == QStringLiteral("transport");
        }));
}

}  // namespace equipatch
