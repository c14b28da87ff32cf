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

/// Where the legend is, relative to its panel, or to all panels if they share it.
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
  bool letters = false;       ///< (a), (b), … before the panels
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

/// Checks the command line's --family, because Qt silently replaces a font that is not
/// installed; empty is the default font. @throws Error{BadInput} that lists the fonts of
/// figureFonts()
void requireFont(const QString& family);

enum class FigureFormat { Pdf, Svg, Png, Tex };

/// The format by the file's suffix, in any case: .pdf, .svg, .png, .tex; empty for any
/// other.
std::optional<FigureFormat> figureFormatOf(const std::filesystem::path& path);

/// The content of a figure's file, with its provenance.
struct DrawnFigure {
  QByteArray bytes;
  /// As FigurePlot::remark; empty for pgfplots.
  QString remark = {};
};

/// The same figure and style give the same bytes, with or without a display. Call it on
/// the GUI thread.
/// @throws Error{BadInput} when the panels do not fit into the style's size, or a PNG has
///   too many pixels; Error{Resource} when there is too little memory for a PNG
DrawnFigure drawnFigure(const Figure& figure, const FigureStyle& style,
                        FigureFormat format);

/// The figure as an image of `dpi` dots per inch.
/// @throws Error{BadInput} when it has too many pixels; Error{Resource} when there is too
///   little memory
QImage figureImage(FigurePlot& plot, int dpi);

/// Puts the figure on the clipboard: an image of the style's resolution, and SVG.
/// @throws Error{BadInput} when the image has too many pixels, or the panels do not fit;
///   Error{Resource} when there is too little memory
void copyFigure(const Figure& figure, const FigureStyle& style);

/// Writes the file and, beside it, NAME.json with the plotted values.
/// @returns the remark of `drawnFigure`
/// @throws Error{BadInput} for an unknown suffix, for what `drawnFigure` refuses, and
///   when NAME.json is not a figure's; Error{Resource} when a file cannot be written
QString writeFigure(const Figure& figure, const FigureStyle& style,
                    const std::filesystem::path& path);

/// Checks that the file is absent or a figure of this program. Call it before writing a
/// figure without asking the user. @throws Error{BadInput} otherwise
void requireOwnFigure(const std::filesystem::path& path);

/// The file of the plotted values of the figure at `path`.
std::filesystem::path numbersFileOf(const std::filesystem::path& path);

/// The file to write for a name that the user typed. A name that ends in a format's
/// suffix stays; .json, which is the file of the plotted values, is replaced by `suffix`;
/// to any other name, `suffix` is added. @param suffix of a format, with its dot
std::filesystem::path figureFileFor(const std::filesystem::path& typed,
                                    const std::string& suffix);
/// The files that writeFigure() would replace. Empty if NAME.json is not a figure's,
/// because writeFigure() then refuses to write.
std::vector<std::filesystem::path> filesReplacedBy(const std::filesystem::path& path);

}  // namespace equipatch
