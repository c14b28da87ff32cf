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

/// A figure's file, with its provenance inside. The same figure in the same style gives
/// the same bytes, with or without a display. GUI thread.
QByteArray figureBytes(const Figure& figure, const FigureStyle& style,
                       FigureFormat format);

/// For a preview or the clipboard, on white.
QImage figureImage(const Figure& figure, const FigureStyle& style, int dpi);

/// Writes the file and, beside it, NAME.json with the plotted numbers.
/// @throws Error{BadInput} when the name says no format, Error{Resource} when one of the
/// files cannot be written.
void writeFigure(const Figure& figure, const FigureStyle& style,
                 const std::filesystem::path& path);

/// The file with the numbers that goes with a figure's file.
std::filesystem::path numbersFileOf(const std::filesystem::path& path);

}  // namespace equipatch
