// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_file.h"

#include <QBuffer>
#include <QClipboard>
#include <QCryptographicHash>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <memory>

#include "core/base/error.h"
#include "core/figure/figure_json.h"
#include "core/figure/tex/figure_tex.h"
#include "core/record/export/output_file.h"
#include "ui/figure/figure_plot.h"
#include "ui/figure/paper.h"

namespace equipatch {
namespace {

constexpr double kPixelsLimit = 400e6;  // of an image; four bytes each

QString program() {
  return QStringLiteral("Equipatch " EQUIPATCH_VERSION);
}

/// Replaces the date of `entry` by a fixed date, so that equal figures give equal files.
/// Corrects the xref table, because the length of Qt's date depends on the time zone.
QByteArray withoutDate(const QByteArray& pdf, const QByteArray& entry) {
  const QByteArray key = entry + " (D:", date = "20000101000000Z";
  const QByteArray table = "\nxref\n", start = "startxref\n";
  const qsizetype found = pdf.indexOf(key), begin = found + key.size();
  const qsizetype end = pdf.indexOf(')', begin);
  const qsizetype xref = pdf.lastIndexOf(table), trailer = pdf.indexOf("trailer", xref);
  const qsizetype last = pdf.lastIndexOf(start) + start.size();
  if (found < 0 || end < 0 || xref < end || trailer < 0 || last < trailer) return pdf;
  const qsizetype moved = date.size() - (end - begin);
  QByteArray lines;
  for (QByteArray line : pdf.mid(xref, trailer - xref).split('\n')) {
    constexpr qsizetype kDigits = 10;  // "0000000015 00000 n "
    const qsizetype offset = line.first(std::min(kDigits, line.size())).toLongLong();
    if (line.endsWith(" n ") && offset > begin)
      line.replace(0, kDigits,
                   QByteArray::number(offset + moved).rightJustified(kDigits, '0'));
    lines += line + '\n';
  }
  lines.chop(1);
  const qsizetype place = pdf.mid(last, pdf.indexOf('\n', last) - last).toLongLong();
  return pdf.first(begin) + date + pdf.mid(end, xref - end) + lines +
         pdf.mid(trailer, last - trailer) + QByteArray::number(place + moved) +
         pdf.mid(pdf.indexOf('\n', last));
}

/// Replaces the file's identifier, which is random in Qt 6.8, by a hash of the preceding
/// bytes.
QByteArray withHashAsId(QByteArray pdf) {
  const QByteArray key = "/ID [";
  const qsizetype found = pdf.lastIndexOf(key), begin = found + key.size();
  const qsizetype end = pdf.indexOf(']', begin);
  if (end < 0 || found < pdf.lastIndexOf("trailer")) return pdf;
  const QByteArray hash =
      QCryptographicHash::hash(pdf.first(found), QCryptographicHash::Sha256).toHex();
  qsizetype digit = 0;
  for (qsizetype i = begin; i < end; ++i) {
    if (pdf[i] == '<')
      digit = 0;  // the array contains the identifier twice
    else if (std::isxdigit(static_cast<unsigned char>(pdf[i])))
      pdf[i] = hash[digit++ % hash.size()];
  }
  return pdf;
}

/// Replaces characters that XML forbids but names in run files may contain: control
/// characters, U+FFFE and U+FFFF.
QByteArray validXml(QByteArray xml) {
  for (char& c : xml)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r')
      c = ' ';
  for (const char* noncharacter : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})
    xml.replace(noncharacter, " ");
  return xml;
}

/// Title and provenance as XMP metadata in Dublin Core.
QByteArray metadata(const Figure& figure) {
  const auto escaped = [](const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped().toUtf8();
  };
  return "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
         "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
         "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
         "rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">"
         "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">" +
         escaped(figure.title) +
         "</rdf:li></rdf:Alt></dc:title><dc:description><rdf:Alt><rdf:li "
         "xml:lang=\"x-default\">" +
         escaped(figure.provenance) +
         "</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>\n"
         "<?xpacket end=\"r\"?>\n";
}

QByteArray pdfBytes(const Figure& figure, FigurePlot& plot) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(figure.title));
    writer.setCreator(program());
    writer.setDocumentXmpMetadata(validXml(metadata(figure)));
    writer.setResolution(Paper::kUnitsPerInch);
    writer.setPageSize(QPageSize(QSizeF(plot.size()) / Paper::kUnitsPerPoint,
                                 QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins({});
    plot.paintVectors(writer);
  }
  return withHashAsId(withoutDate(withoutDate(bytes, "/CreationDate"), "/ModDate"));
}

QByteArray svgBytes(const Figure& figure, FigurePlot& plot) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(Paper::kUnitsPerInch);
  generator.setSize(plot.size());
  generator.setViewBox(QRect({}, plot.size()));
  generator.setTitle(QString::fromStdString(figure.title).toHtmlEscaped());
  generator.setDescription(QString::fromStdString(figure.provenance).toHtmlEscaped());
  plot.paintVectors(generator);
  return validXml(bytes);
}

QByteArray pngBytes(const Figure& figure, FigurePlot& plot, int dpi) {
  QImage image = figureImage(plot, dpi);
  // requireOwnFigure needs the program's name near the beginning of the file. Qt sorts
  // the texts by key, so "Comment" precedes "Description", which may be long.
  image.setText(QStringLiteral("Comment"), QStringLiteral("Made by ") + program());
  image.setText(QStringLiteral("Title"), QString::fromStdString(figure.title));
  image.setText(QStringLiteral("Software"), program());
  image.setText(QStringLiteral("Description"), QString::fromStdString(figure.provenance));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG"))
    throw Error(ErrorKind::Resource, "the picture could not be written as a PNG");
  return bytes;
}

}  // namespace

std::optional<FigureFormat> figureFormatOf(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (ending == ".pdf") return FigureFormat::Pdf;
  if (ending == ".svg") return FigureFormat::Svg;
  if (ending == ".png") return FigureFormat::Png;
  if (ending == ".tex") return FigureFormat::Tex;
  return std::nullopt;
}

QImage figureImage(FigurePlot& plot, int dpi) {
  const double scale = double(dpi) / Paper::kUnitsPerInch;
  const QSizeF size = QSizeF(plot.size()) * scale;
  if (size.width() * size.height() > kPixelsLimit)
    throw badInput("a picture of " + std::to_string(std::lround(size.width())) + " × " +
                   std::to_string(std::lround(size.height())) +
                   " pixels is too large; choose fewer dots per inch");
  QImage image(size.toSize(), QImage::Format_RGB32);
  if (image.isNull())
    throw Error(ErrorKind::Resource, "there is no memory for a picture of " +
                                         std::to_string(std::lround(size.width())) +
                                         " pixels in width; choose fewer dots per inch");
  constexpr double kMetresPerInch = 0.0254;
  image.setDotsPerMeterX(qRound(dpi / kMetresPerInch));
  image.setDotsPerMeterY(qRound(dpi / kMetresPerInch));
  image.fill(Qt::white);
  plot.paintPixels(image, scale);
  return image;
}

void requireFont(const QString& family) {
  if (family.isEmpty() || QFontDatabase::hasFamily(family)) return;
  std::string known;
  for (const FigureFont& font : figureFonts())
    known += (known.empty() ? "" : ", ") +
             std::string(*font.family == '\0' ? font.title : font.family);
  throw badInput("--family: expected a font that is installed, found none named " +
                 inQuotes(family.toStdString()) + "; this machine has " + known +
                 ", and others that fc-list prints");
}

DrawnFigure drawnFigure(const Figure& figure, const FigureStyle& style,
                        FigureFormat format) {
  if (format == FigureFormat::Tex)
    return {QByteArray::fromStdString(figureTex(figure, {style.width, style.height}))};
  FigurePlot plot(figure, style);
  const QByteArray bytes = format == FigureFormat::Pdf ? pdfBytes(figure, plot)
                           : format == FigureFormat::Svg
                               ? svgBytes(figure, plot)
                               : pngBytes(figure, plot, style.dpi);
  return {bytes, plot.remark()};
}

void copyFigure(const Figure& figure, const FigureStyle& style) {
  auto mime = std::make_unique<QMimeData>();
  FigurePlot plot(figure, style);
  mime->setImageData(figureImage(plot, style.dpi));
  mime->setData(QStringLiteral("image/svg+xml"), svgBytes(figure, plot));
  QGuiApplication::clipboard()->setMimeData(mime.release());
}

void requireOwnFigure(const std::filesystem::path& path) {
  // In TeX the name alone is not enough: the user's own paper may mention the program.
  const bool isTex = figureFormatOf(path) == FigureFormat::Tex;
  requireOwnOrAbsent(path, {isTex ? "% Made by Equipatch" : "Equipatch",
                            "a figure of Equipatch", 16'384});
}

std::filesystem::path numbersFileOf(const std::filesystem::path& path) {
  return std::filesystem::path(path).replace_extension(".json");
}

std::filesystem::path figureFileFor(const std::filesystem::path& typed,
                                    const std::string& suffix) {
  std::filesystem::path file = typed;
  if (figureFormatOf(file)) return file;
  if (file == numbersFileOf(file)) return file.replace_extension(suffix);
  return file += suffix;
}

namespace {

void requireOwnNumbers(const std::filesystem::path& figure) {
  requireOwnOrAbsent(numbersFileOf(figure), {"\"kind\"", "a figure's numbers"});
}

}  // namespace

std::vector<std::filesystem::path> filesReplacedBy(const std::filesystem::path& path) {
  try {
    requireOwnNumbers(path);
  } catch (const Error&) {
    return {};  // writeFigure refuses
  }
  std::vector<std::filesystem::path> files{path, numbersFileOf(path)};
  std::erase_if(files, [](const std::filesystem::path& file) {
    std::error_code unknown;
    return !std::filesystem::exists(file, unknown);
  });
  return files;
}

QString writeFigure(const Figure& figure, const FigureStyle& style,
                    const std::filesystem::path& path) {
  const auto format = figureFormatOf(path);
  if (!format)
    throw badInput(path.string() +
                   ": expected a name that ends in .pdf, .svg, .png or .tex");
  requireOwnNumbers(path);
  const DrawnFigure drawn = drawnFigure(figure, style, *format);
  OutputFile file(path);
  file << std::string_view(drawn.bytes.constData(), std::size_t(drawn.bytes.size()));
  OutputFile numbers(numbersFileOf(path));
  numbers << figureJson(figure);
  file.finish();
  numbers.finish();
  return drawn.remark;
}

}  // namespace equipatch
