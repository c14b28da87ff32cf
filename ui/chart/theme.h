#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <array>

namespace equipatch {

/// Every colour the window uses. Series colours stay apart for all common colour
/// blindnesses (after Okabe and Ito) and are always paired with a shape or a dash.
struct Colours {
  bool dark = false;
  QColor window, surface, raised, border, text, muted, accent, accentText;
  QColor mismatch;  ///< the red of ✗
  QColor patched, distribution, bare, margin, noise;
  QColor kept;            ///< the bracket under tokens that are not absorbed
  QColor tokenA, tokenB;  ///< backgrounds of alternating tokens in the prompt
  std::array<QColor, 6> series;
};

/// The theme in force; charts and painted widgets listen to `changed`.
class Theme : public QObject {
  Q_OBJECT

 public:
  enum class Mode { System, Light, Dark };

  /// Starts as the system's; the application's palette is untouched until `apply`.
  explicit Theme(QObject* parent = nullptr);

  Mode mode() const { return m_mode; }
  const Colours& colours() const;
  void setMode(Mode mode);

  QPalette palette() const;
  /// What the palette cannot say: titles, chips, bars.
  QString styleSheet() const;

 Q_SIGNALS:
  void changed();

 private:
  Mode m_mode = Mode::System;
  bool m_systemIsDark;
};

}  // namespace equipatch
