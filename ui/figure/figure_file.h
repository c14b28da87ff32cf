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

/// Place of the legend: beside its panel, or beside all panels if they share one.
enum class LegendPlace { Above, Below, Right };

/// Style of a printed figure. Lengths in inches, fonts in points.
struct FigureStyle {
  double width = 3.25;
  double height = 0.0;  ///< 0: what the panels need
  double fontSize = 8.0;
  QString family;  ///< empty: DejaVu Sans, which has every character that figures use
  bool legend = true;
  LegendPlace legendPlace = LegendPlace::Above;
  bool sharedLegend = false;  ///< one legend for all panels, each name once
  bool letters = false;       ///< (a), (b), … before the panels
  bool title = false;
  bool dark = false;  ///< colours for a dark window instead of white paper
  int dpi = 600;      ///< of PNG
};

/// Widths of one and two columns of a paper and of a 16:9 slide, inches.
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

/// Checks that a style's font is installed, since another one would silently replace it.
/// @throws Error{BadInput} naming fonts that are
void requireFont(const QString& family);

enum class FigureFormat { Pdf, Svg, Png, Tex };

/// The format by the file's suffix: .pdf, .svg, .png, .tex; empty for any other.
std::optional<FigureFormat> figureFormatOf(const std::filesystem::path& path);

/// The content of a figure's file, with its provenance.
struct DrawnFigure {
  QByteArray bytes;
  /// What the layout changed of the style, in a sentence; empty: nothing, or pgfplots.
  QString remark = {};
};

/// The same figure and style give the same bytes, with or without a display. GUI thread.
/// @throws Error{BadInput} when the panels do not fit into the style's size
DrawnFigure drawnFigure(const Figure& figure, const FigureStyle& style,
                        FigureFormat format);

/// A picture on white, for a preview.
/// @throws Error{BadInput} when it is too large
QImage figureImage(FigurePlot& plot, int dpi);

/// Puts the figure on the clipboard: the picture at the style's resolution, and SVG.
/// @throws Error{BadInput} when the picture is too large
void copyFigure(const Figure& figure, const FigureStyle& style);

/// Writes the file and, beside it, NAME.json with the plotted values.
/// @returns the remark of `drawnFigure`
/// @throws Error{BadInput} for an unknown suffix, Error{Resource} when a file cannot be
///   written
QString writeFigure(const Figure& figure, const FigureStyle& style,
                    const std::filesystem::path& path);

/// The file of a figure's plotted values.
std::filesystem::path numbersFileOf(const std::filesystem::path& path);

/// The figure's file for a name that somebody typed: with `suffix` added unless it is a
/// format's, or in the place of .json, which is the file of the plotted values.
std::filesystem::path figureFileFor(const std::filesystem::path& typed,
                                    const std::string& suffix);
/// The files that writeFigure() would replace.
std::vector<std::filesystem::path> filesReplacedBy(const std::filesystem::path& path);

}  // namespace equipatch
