// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/pointer_ring.h"

#include <QCursor>
#include <QPainter>

namespace equipatch {
namespace {

constexpr int kPollMilliseconds = 20;
constexpr QColor kRingColour(0xf0, 0xe4, 0x42);  // Okabe and Ito's yellow
constexpr QColor kRingEdge(0x10, 0x14, 0x1a);
constexpr qreal kRingWidth = 5.0;

}  // namespace

PointerRing::PointerRing(QWidget& window) : QWidget(&window), m_window(window) {
  setObjectName(QStringLiteral("pointerRing"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setFixedSize(kDiameter, kDiameter);
  hide();
  m_poll.setInterval(kPollMilliseconds);
  m_rest.setInterval(kRestMilliseconds);
  m_rest.setSingleShot(true);
  connect(&m_poll, &QTimer::timeout, this, &PointerRing::follow);
  connect(&m_rest, &QTimer::timeout, this, &QWidget::hide);
}

void PointerRing::setOn(bool on) {
  m_last = QCursor::pos();
  if (on)
    m_poll.start();
  else
    m_poll.stop();
  m_rest.stop();
  hide();
}

void PointerRing::follow() {
  const QPoint now = QCursor::pos();
  if (now == m_last) return;
  m_last = now;
  const QPoint position = m_window.mapFromGlobal(now);
  if (!m_window.rect().contains(position)) return hide();
  move(position - QPoint(kDiameter / 2, kDiameter / 2));
  raise();
  show();
  m_rest.start();
}

void PointerRing::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const qreal inset = kRingWidth / 2 + 2.0;
  const QRectF ring = QRectF(rect()).adjusted(inset, inset, -inset, -inset);
  painter.setPen(QPen(kRingEdge, kRingWidth + 3.0));
  painter.drawEllipse(ring);
  painter.setPen(QPen(kRingColour, kRingWidth));
  painter.drawEllipse(ring);
}

}  // namespace equipatch
