// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Keeps the wheel from changing a setting that happens to be under the pointer while a
/// panel is scrolled: spin boxes, combo boxes, sliders, and charts inside the panel,
/// react to the wheel only while they have the keyboard focus, and the wheel does not
/// give them the focus. Watches all widgets of the application.
class WheelGuard final : public QObject {
  Q_OBJECT

 public:
  explicit WheelGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
