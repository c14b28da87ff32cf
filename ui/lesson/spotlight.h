// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "ui/chart/theme.h"

namespace equipatch {

/// Dims a window except for some of its parts and the dock with the focus. Takes no
/// clicks, and its mask leaves the lit parts out, so that it never covers them.
class Spotlight final : public QWidget {
  Q_OBJECT

 public:
  /// @param window, theme outlive the spotlight.
  Spotlight(QWidget& window, const Theme& theme);

  /// While any part is lit, leaves these parts undimmed and without a frame. For bars
  /// whose messages do not belong to the lesson.
  void spare(const QList<QWidget*>& parts);
  /// Lights up these parts; none: dims nothing.
  void light(const QList<QWidget*>& parts);
  /// Leaves a part that the user opened undimmed, too, until the next call of `light`.
  void spareUntilNext(QWidget* part);
  /// The parts last given to `light`; null where one was deleted.
  QList<QWidget*> parts() const { return {m_parts.begin(), m_parts.end()}; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void watch(QWidget* part);
  void place();
  void redrawParts() const;
  QRect rectOf(const QWidget& part) const;
  QWidget* focusedDock() const;
  QList<QWidget*> unframed() const;

  QWidget& m_window;
  const Theme& m_theme;
  QList<QPointer<QWidget>> m_parts;
  QList<QPointer<QWidget>> m_spared;
  QPointer<QWidget> m_opened;
  QList<QRect> m_lit;
  QTimer m_placeTimer;  ///< calls place() once after many changes
};

}  // namespace equipatch
