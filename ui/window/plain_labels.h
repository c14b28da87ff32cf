// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Makes labels show names of files, runs and tokens as they are: a label whose format
/// nobody set would show a name such as "<img src=/dev/zero>" as HTML and read the file.
/// Labels that are HTML set Qt::RichText. Watches all labels of the application, those of
/// message boxes, too, but not tooltips (see plainToolTip).
class PlainLabels final : public QObject {
  Q_OBJECT

 public:
  explicit PlainLabels(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
