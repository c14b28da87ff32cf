// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace equipatch {

/// Style of a printed figure. Lengths in inches, fonts in points.
struct FigureStyle {
  double width = 3.25;
  double height = 0.0;  ///< 0: what the panels need
  double fontSize = 8.0;
  QString family;  ///< empty: DejaVu Sans, which has every character that figures use
  bool legend = true;
  bool letters = false;  ///< (a), (b), … before the panels
  bool title = false;
  bool dark = false;  ///< colours for a dark window instead of white paper
  int dpi = 600;      ///< of PNG
};

/// Widths of papers' columns and of a slide 16:9 (to a hundredth of an inch).
inline constexpr double kSingleColumn = 3.25;
inline constexpr double kDoubleColumn = 6.75;
inline constexpr double kSlideWidth = 10.0;
inline constexpr double kSlideHeight = 5.63;

/// Limits of width and height, inches.
inline constexpr double kLeastSize = 1.0;
inline constexpr double kLargestSize = 40.0;
/// Limits of the font size, points.
inline constexpr double kLeastType = 4.0;
inline constexpr double kLargestType = 48.0;

}  // namespace equipatch
