// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/small_widgets.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

namespace equipatch {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

/// The width in which a text is not elided; `horizontalAdvance` rounds down as well.
int ElidedLabel::widthOf(const QString& text) const {
  return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + 1;
}

void ElidedLabel::setBrief(const QString& brief) {
  m_brief = brief;
  setMinimumWidth(widthOf(brief));
  update();
}

QString ElidedLabel::shown() const {
  const int width = contentsRect().width();
  const bool fits = fontMetrics().horizontalAdvance(text()) <= width;
  const QString& wanted = fits || m_brief.isEmpty() ? text() : m_brief;
  return fontMetrics().elidedText(wanted, Qt::ElideMiddle, width);
}

bool ElidedLabel::event(QEvent* event) {
  // The style sheet sets its bold font at the Polish event.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::Polish)
    setMinimumWidth(widthOf(m_brief));
  if (event->type() != QEvent::ToolTip) return QLabel::event(event);
  const QString full = shown() == text() ? QString() : text();
  QToolTip::showText(static_cast<const QHelpEvent*>(event)->globalPos(), full, this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(contentsRect(), int(Qt::AlignLeft | Qt::AlignVCenter), shown());
}

SentenceLabel::SentenceLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
}

void SentenceLabel::setSentence(const QString& sentence) {
  setText(sentence);
  setToolTip(sentence);
}

QSize SentenceLabel::sizeHint() const {
  return {0, 2 * fontMetrics().lineSpacing()};
}

QScrollArea* scrollable(QWidget* content) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(content);
  return area;
}

}  // namespace equipatch
