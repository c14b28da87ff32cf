// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <array>

namespace equipatch {

/// Colours of the window. Series colours are distinct for common colour blindnesses
/// (after Okabe and Ito).
struct Colours {
  bool dark = false;
  QColor window, surface, raised, border, text, muted, accent, accentText;
  QColor mismatch;  ///< the red of ✗
  QColor patched, distribution, bare, margin, noise;
  QColor kept;            ///< bracket under tokens that are not absorbed
  QColor tokenA, tokenB;  ///< backgrounds of alternating tokens in the prompt
  std::array<QColor, 6> series;
};

/// The current theme. Widgets that paint with `colours` repaint on `changed`.
class Theme : public QObject {
  Q_OBJECT

 public:
  enum class Mode { System, Light, Dark };

  /// Starts with the system's mode; does not change the application's palette.
  explicit Theme(QObject* parent = nullptr);

  Mode mode() const { return m_mode; }
  const Colours& colours() const;
  void setMode(Mode mode);

  QPalette palette() const;
  /// Styles what QPalette has no roles for, such as titles, legends and bars.
  QString styleSheet() const;

 Q_SIGNALS:
  void changed();

 private:
  Mode m_mode = Mode::System;
  bool m_systemIsDark;
};

}  // namespace equipatch
