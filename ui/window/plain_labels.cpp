// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/plain_labels.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace equipatch {

PlainLabels::PlainLabels(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool PlainLabels::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::Polish) return false;
  auto* label = qobject_cast<QLabel*>(watched);
  if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
    label->setTextFormat(Qt::PlainText);
  return false;
}

}  // namespace equipatch
