#include "ui/chart/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace equipatch {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::shown() const {
  return fontMetrics().elidedText(text(), Qt::ElideMiddle, contentsRect().width());
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QLabel::event(event);
  const QString full = shown() == text() ? QString() : text();
  QToolTip::showText(static_cast<const QHelpEvent*>(event)->globalPos(), full, this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(contentsRect(), int(Qt::AlignLeft | Qt::AlignVCenter), shown());
}

}  // namespace equipatch
