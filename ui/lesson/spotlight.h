// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "ui/chart/theme.h"

namespace equipatch {

/// Dims a window except for some of its parts and the dock with the focus. Takes no
/// clicks.
class Spotlight final : public QWidget {
  Q_OBJECT

 public:
  /// @param window, theme outlive the spotlight.
  Spotlight(QWidget& window, const Theme& theme);

  /// Leaves these parts undimmed and without a frame while other parts are lit.
  void spare(const QList<QWidget*>& parts);
  /// Frames these parts and dims the rest; an empty list dims nothing.
  void light(const QList<QWidget*>& parts);
  /// Leaves one more part undimmed, until the next call of this function or of `light`.
  void spareUntilNext(QWidget* part);
  /// The parts last given to `light`; null for a deleted part.
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
  QPointer<QWidget> m_sparedUntilNext;
  QList<QRect> m_lit;
  QTimer m_placeTimer;  ///< calls place() once after many changes
};

}  // namespace equipatch
