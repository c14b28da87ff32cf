// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/spotlight.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QPainter>

namespace equipatch {
namespace {

constexpr int kDimAlpha = 165;  // of 255; shapes of dimmed parts stay visible
constexpr int kLitFrame = 2;    // pixels

}  // namespace

Spotlight::Spotlight(QWidget& window, const Theme& theme)
    : QWidget(&window), m_window(window), m_theme(theme) {
  setObjectName(QStringLiteral("spotlight"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
  m_placeTimer.setSingleShot(true);
  connect(&m_placeTimer, &QTimer::timeout, this, &Spotlight::place);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
  connect(qApp, &QApplication::focusChanged, &m_placeTimer, qOverload<>(&QTimer::start));
}

void Spotlight::spare(const QList<QWidget*>& parts) {
  m_spared = {parts.begin(), parts.end()};
  for (QWidget* part : parts) watch(part);
  place();
}

void Spotlight::light(const QList<QWidget*>& parts) {
  m_parts = {parts.begin(), parts.end()};
  m_sparedUntilNext = nullptr;
  for (QWidget* part : parts) watch(part);
  place();
}

void Spotlight::spareUntilNext(QWidget* part) {
  m_sparedUntilNext = part;
  watch(part);
  place();
}

QWidget* Spotlight::focusedDock() const {
  for (QWidget* each = m_window.focusWidget(); each; each = each->parentWidget())
    if (qobject_cast<QDockWidget*>(each)) return each;
  return nullptr;
}

/// The parts that stay undimmed even if they are not lit.
QList<QWidget*> Spotlight::unframed() const {
  QList<QWidget*> parts{m_spared.begin(), m_spared.end()};
  parts << m_sparedUntilNext << focusedDock();
  parts.removeAll(nullptr);
  return parts;
}

void Spotlight::watch(QWidget* part) {
  for (QWidget* each = part; each; each = each->parentWidget()) {
    each->installEventFilter(this);
    if (each == &m_window) break;
  }
}

/// The part's visible rectangle, in the window's coordinates. Empty if the part is hidden
/// or in another window.
QRect Spotlight::rectOf(const QWidget& part) const {
  if (!part.isVisible() || !m_window.isAncestorOf(&part) || part.window() != &m_window)
    return {};
  QRect rect(part.mapTo(&m_window, QPoint()), part.size());
  for (const QWidget* each = part.parentWidget(); each && each != &m_window;
       each = each->parentWidget())
    rect &= QRect(each->mapTo(&m_window, QPoint()), each->size());
  return rect;
}

void Spotlight::place() {
  m_lit.clear();
  for (const QPointer<QWidget>& part : m_parts)
    if (part && !rectOf(*part).isEmpty()) m_lit << rectOf(*part);
  if (m_lit.isEmpty()) return hide();
  setGeometry(m_window.rect());
  QRegion region(rect());
  for (const QRect& lit : m_lit) region -= lit;
  for (const QWidget* part : unframed()) region -= rectOf(*part);
  setMask(region);
  // Stack above raised docks, but below a presentation's blank screen.
  auto* blank = m_window.findChild<QWidget*>(QStringLiteral("presentationBlank"));
  raise();
  if (blank && blank->isVisible()) stackUnder(blank);
  show();
  update();
  redrawParts();
}

/// Qt does not repaint opaque children, such as plots, when a mask uncovers them.
void Spotlight::redrawParts() const {
  for (QWidget* part : parts() + unframed()) {
    if (!part) continue;
    part->update();
    for (QWidget* child : part->findChildren<QWidget*>()) child->update();
  }
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
      // Delayed, because layouts place the parts only after this event.
      m_placeTimer.start();
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

void Spotlight::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor dim = m_theme.colours().window;
  dim.setAlpha(kDimAlpha);
  painter.fillRect(rect(), dim);
  painter.setPen(QPen(m_theme.colours().accent, kLitFrame));
  for (const QRect& lit : m_lit) painter.drawRect(lit.adjusted(-1, -1, 0, 0));
}

}  // namespace equipatch
