// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <filesystem>
#include <optional>

#include "core/figure/figure.h"
#include "ui/figure/figure_style.h"

namespace equipatch {

enum class FigureFormat { Pdf, Svg, Png, Tex };

/// By the file's name: .pdf, .svg, .png, .tex.
std::optional<FigureFormat> figureFormatOf(const std::filesystem::path& path);

/// The content of a figure's file, with its provenance. The same figure and style give
/// the same bytes, with or without a display. GUI thread.
QByteArray figureBytes(const Figure& figure, const FigureStyle& style,
                       FigureFormat format);

/// A picture on white, for a preview or the clipboard.
QImage figureImage(const Figure& figure, const FigureStyle& style, int dpi);

/// Writes the file and, beside it, NAME.json with the plotted values.
/// @throws Error{BadInput} for an unknown suffix, Error{Resource} when a file cannot be
///   written
void writeFigure(const Figure& figure, const FigureStyle& style,
                 const std::filesystem::path& path);

/// The file of a figure's plotted values.
std::filesystem::path numbersFileOf(const std::filesystem::path& path);

}  // namespace equipatch
