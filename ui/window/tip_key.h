// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Shows the tooltip of the field, button or row that has the keyboard focus when
/// Shift+F1 is pressed, for whoever works without a mouse. Watches all widgets of the
/// application.
class TipKey final : public QObject {
  Q_OBJECT

 public:
  explicit TipKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
