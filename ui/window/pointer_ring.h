// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace equipatch {

/// A ring around the mouse pointer, so that an audience sees the pointer: yellow between
/// two dark lines, visible on any background and to colour-blind people. Takes no clicks,
/// and is hidden while the pointer rests or is outside the window.
class PointerRing final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kDiameter = 56;
  static constexpr int kRestMilliseconds = 4000;

  /// @param window outlives the ring.
  explicit PointerRing(QWidget& window);

  bool isOn() const { return m_poll.isActive(); }
  void setOn(bool on);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void follow();

  QWidget& m_window;
  QTimer m_poll;  ///< polls, because not every widget gets mouse moves
  QTimer m_rest;
  QPoint m_last;
};

}  // namespace equipatch
