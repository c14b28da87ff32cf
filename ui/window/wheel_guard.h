// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace equipatch {

/// Scrolling a panel must not change a setting under the pointer. Therefore spin boxes,
/// combo boxes, sliders, and charts in scroll areas react to the wheel only while they
/// have the keyboard focus, which the wheel does not give them. Watches all widgets of
/// the application.
class WheelGuard final : public QObject {
  Q_OBJECT

 public:
  explicit WheelGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace equipatch
