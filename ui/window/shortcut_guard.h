// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Leaves Ctrl+E, Export figure, to the window: on X11 the text field of a spin box,
/// combo box or line edit would take it and move its cursor to the end. Watches all
/// widgets of the application.
class ShortcutGuard final : public QObject {
  Q_OBJECT

 public:
  explicit ShortcutGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
