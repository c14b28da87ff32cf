// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Makes all labels of the application plain text unless their format is set. Otherwise a
/// name such as "<img src=/dev/zero>" would be HTML, and Qt would read the file. Labels
/// that are HTML set Qt::RichText. Tooltips stay as they are: see plainToolTip.
class PlainLabels final : public QObject {
  Q_OBJECT

 public:
  explicit PlainLabels(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
