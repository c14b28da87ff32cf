// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_room.h"

#include <QEvent>
#include <QLayout>
#include <QStyle>
#include <QTextEdit>
#include <algorithm>
#include <cmath>

namespace equipatch {
namespace {

constexpr double kMostEnlargement = 1.6;  // relative to a presentation's usual text
constexpr int kPromptLines = 14;          // at most, in the dock below the lesson
constexpr int kWholePromptLines = 8;      // a longer prompt is not shown whole
constexpr int kMostTries = 4;             // because some layouts never settle

}  // namespace

LessonRoom::LessonRoom(QMainWindow& window, QDockWidget& dock, LessonPanel& panel)
    : QObject(&dock),
      m_window(window),
      m_dock(dock),
      m_panel(panel),
      m_chosen(window.size()) {
  window.installEventFilter(this);
  dock.installEventFilter(this);
  m_afterLayout.setSingleShot(true);
  connect(&m_afterLayout, &QTimer::timeout, this, &LessonRoom::shareAgain);
}

void LessonRoom::share(const std::vector<LessonPart>& lit, bool presented) {
  m_isPresented = presented;
  m_isInputLit = std::ranges::any_of(lit, [](LessonPart part) {
    return part == LessonPart::Model || part == LessonPart::Prompt;
  });
  shareNow();
  refresh();  // shares again when newly shown docks have their sizes
}

void LessonRoom::refresh() {
  m_tries = 0;
  m_shared = {};
  m_afterLayout.start();
}

void LessonRoom::shareNow() {
  if (m_isPresented) shareWidth();
  m_panel.enlargeText(m_isPresented ? kMostEnlargement : 1.0, maxHeight());
  shareHeight();
  m_shared = roomNow();
}

/// The panel's height if the dock below shrinks as far as it may.
int LessonRoom::maxHeight() const {
  const QDockWidget* below = dockBelow();
  if (!below) return m_panel.height();
  return m_panel.height() + below->height() -
         std::max(below->minimumSizeHint().height(), promptHeight(*below));
}

void LessonRoom::shareAgain() {
  if (m_shared == roomNow()) {
    m_tries = 0;
    return shrinkWindow();
  }
  if (m_tries == kMostTries) return;
  ++m_tries;
  shareNow();
  m_afterLayout.start();
}

bool LessonRoom::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    if (watched == &m_window) {
      m_tries = 0;
      noteWindowSize();
    }
    m_afterLayout.start();
  }
  return QObject::eventFilter(watched, event);
}

/// Notes the size that the user chose. A window that grew exactly to its minimum height
/// grew by itself.
void LessonRoom::noteWindowSize() {
  const bool grewByItself = m_window.height() > m_chosen.height() &&
                            m_window.height() == m_window.minimumHeight();
  if (!grewByItself) m_chosen = m_window.size();
}

void LessonRoom::shrinkWindow() {
  if (m_window.height() > m_chosen.height() &&
      m_window.minimumHeight() < m_window.height() && !m_window.isFullScreen())
    m_window.resize(m_window.width(), m_chosen.height());
}

/// The dock in front below the lesson; null where there is none.
QDockWidget* LessonRoom::dockBelow() const {
  QDockWidget* front = nullptr;
  for (const char* name : {"modelDock", "promptDock"}) {
    auto* dock = m_window.findChild<QDockWidget*>(QString::fromLatin1(name));
    if (!dock->visibleRegion().isEmpty()) front = dock;
  }
  return front;
}

/// The lesson's width, and the height of the lesson and the dock below together.
QSize LessonRoom::roomNow() const {
  const QDockWidget* below = dockBelow();
  return {m_dock.width(), m_dock.height() + (below ? below->height() : 0)};
}

/// Gives the dock below the height that the lesson's text does not need, but at most
/// kPromptLines lines; if the step lights up the model or the prompt, without this limit
/// and at least `promptHeight`.
void LessonRoom::shareHeight() {
  QDockWidget* below = dockBelow();
  if (!below) return;
  const int both = m_dock.height() + below->height();
  const int text = m_dock.height() - m_panel.height() + m_panel.wantedHeight();
  const int prompt = kPromptLines * m_panel.fontMetrics().lineSpacing();
  const int rest = std::clamp(m_isInputLit ? std::max(both - text, promptHeight(*below))
                                           : std::min(both - text, prompt),
                              1, both - 1);
  setLessonHeight(*below, both - rest);
}

/// The height at which the dock shows the prompt, up to kWholePromptLines lines; 0 if the
/// dock has no prompt.
int LessonRoom::promptHeight(const QDockWidget& dock) const {
  const auto* prompt = dock.findChild<QTextEdit*>(QStringLiteral("prompt"));
  if (!prompt) return 0;
  const int most = kWholePromptLines * prompt->fontMetrics().lineSpacing();
  const int text = int(std::ceil(prompt->document()->size().height()));
  // Does not use the current heights, because layouts may be about to change them.
  const int least = prompt->minimumHeight() > 0 ? prompt->minimumHeight()
                                                : prompt->minimumSizeHint().height();
  return dock.minimumSizeHint().height() - least + std::min(text, most);
}

/// `resizeDocks` needs the heights of both docks, including the lower dock's tabs, and
/// takes effect only when the layout is activated.
void LessonRoom::setLessonHeight(QDockWidget& below, int height) {
  const int both = below.geometry().bottom() - m_dock.geometry().top() + 1;
  const int border =
      m_window.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, {}, &m_window);
  m_window.resizeDocks({&m_dock, &below}, {height, both - border - height}, Qt::Vertical);
  m_window.layout()->activate();
}

void LessonRoom::shareWidth() {
  const int width = m_window.width();
  QList<QDockWidget*> docks{&m_dock};
  QList<int> widths{width * 2 / 5};
  for (auto* dock : m_window.findChildren<QDockWidget*>())
    if (dock->isVisible() && m_window.dockWidgetArea(dock) == Qt::RightDockWidgetArea) {
      docks << dock;
      widths << (m_window.centralWidget()->isHidden() ? width * 3 / 5 : width / 3);
    }
  m_window.resizeDocks(docks, widths, Qt::Horizontal);
}

}  // namespace equipatch
