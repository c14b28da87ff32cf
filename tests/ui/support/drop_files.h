// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <QWidget>

namespace equipatch::test {

/// Drags files over a widget and drops them there. Fails the test if the widget does not
/// accept the drag, because Qt would then not send it the drop.
inline void dropFiles(QWidget& widget, const QStringList& files) {
  QList<QUrl> urls;
  for (const QString& file : files) urls << QUrl::fromLocalFile(file);
  QMimeData data;
  data.setUrls(urls);
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
  enter.ignore();
  QCoreApplication::sendEvent(&widget, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&widget, &drop);
}

}  // namespace equipatch::test
