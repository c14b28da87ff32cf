// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"

namespace equipatch {

class FigurePlot;

/// Relative to the panel or, for a shared legend, to all panels.
enum class LegendPlace { Above, Below, Right };

/// Style of a printed figure. Lengths in inches, fonts in points.
struct FigureStyle {
  double width = 3.25;
  double height = 0.0;  ///< 0: what the panels need
  double fontSize = 8.0;
  QString family;  ///< empty: DejaVu Sans, which has the symbols that figures use
  bool legend = true;
  LegendPlace legendPlace = LegendPlace::Above;
  bool sharedLegend = false;  ///< one legend for all panels, each name once
  bool letters = false;       ///< (a), (b), … before the headings
  bool title = false;
  bool dark = false;  ///< colours for a dark window instead of white paper
  int dpi = 600;      ///< of PNG, and of the image on the clipboard
};

/// Widths of one and two columns of a paper, width and height of a 16:9 slide, inches.
inline constexpr double kSingleColumn = 3.25;
inline constexpr double kDoubleColumn = 6.75;
inline constexpr double kSlideWidth = 10.0;
inline constexpr double kSlideHeight = 5.63;

/// Limits of width and height, inches.
inline constexpr double kMinSize = 1.0;
inline constexpr double kMaxSize = 40.0;
/// Limits of the font size, points.
inline constexpr double kMinFontSize = 4.0;
inline constexpr double kMaxFontSize = 48.0;

/// Checks that a font is installed, because Qt silently replaces a missing font.
/// @param family the command line's --family; empty: the default font
/// @throws Error{BadInput}, with the fonts of figureFonts()
void requireFont(const QString& family);

enum class FigureFormat { Pdf, Svg, Png, Tex };

/// The format by the file's suffix, in upper or lower case; empty for an unknown suffix.
std::optional<FigureFormat> figureFormatOf(const std::filesystem::path& path);

/// The content of a figure's file.
struct DrawnFigure {
  QByteArray bytes;
  /// As FigurePlot::remark; empty for pgfplots.
  QString remark = {};
};

/// The same figure and style give the same bytes, with or without a display. Call this on
/// the GUI thread.
/// @throws Error{BadInput} when the panels do not fit into the style's size, or a PNG has
///   too many pixels; Error{Resource} when there is too little memory for a PNG
DrawnFigure drawnFigure(const Figure& figure, const FigureStyle& style,
                        FigureFormat format);

/// @throws Error{BadInput} when the image would have too many pixels; Error{Resource}
///   when there is too little memory
QImage figureImage(FigurePlot& plot, int dpi);

/// Puts the figure on the clipboard, as an image and as SVG.
/// @throws Error as drawnFigure() for a PNG
void copyFigure(const Figure& figure, const FigureStyle& style);

/// Writes the file and, beside it, NAME.json with the plotted values.
/// @returns the remark of `drawnFigure`
/// @throws Error{BadInput} for an unknown suffix, for what `drawnFigure` refuses, and
///   when NAME.json is not a figure's; Error{Resource} when a file cannot be written
QString writeFigure(const Figure& figure, const FigureStyle& style,
                    const std::filesystem::path& path);

/// Call this before writing a figure without asking the user.
/// @throws Error{BadInput} if the file exists and is not a figure of this program
void requireOwnFigure(const std::filesystem::path& path);

/// NAME.json, the file of the plotted values, for the figure at `path`.
std::filesystem::path numbersFileOf(const std::filesystem::path& path);

/// The figure's file for a name that the user typed: `suffix` is added to a name without
/// a format's suffix, and replaces .json, the suffix of the plotted values.
/// @param suffix of a format, with its dot
std::filesystem::path figureFileFor(const std::filesystem::path& typed,
                                    const std::string& suffix);
/// The existing files that writeFigure() would replace; none if it would refuse because
/// of NAME.json.
std::vector<std::filesystem::path> filesReplacedBy(const std::filesystem::path& path);

}  // namespace equipatch
