// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_file.h"

#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include "core/base/error.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"
#include "ui/figure/figure_plot.h"

using namespace equipatch;
using equipatch::test::someFigure;

namespace {

/// The contents of all <text> elements; empty if `svg` is not valid XML.
QString textOfSvg(const QByteArray& svg) {
  QXmlStreamReader reader(svg);
  QString text;
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement() && reader.name() == QStringLiteral("text"))
      text += reader.readElementText() + u'\n';
  }
  return reader.hasError() ? QString() : text;
}

QByteArray bytesOf(FigureKind kind, FigureFormat format) {
  return drawnFigure(someFigure(kind), {}, format).bytes;
}

}  // namespace

class tst_figure_file : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theSameFigureIsTheSameFile() {
    for (const FigureFormat format :
         {FigureFormat::Pdf, FigureFormat::Svg, FigureFormat::Png, FigureFormat::Tex}) {
      const QByteArray one = bytesOf(FigureKind::Overview, format);
      QVERIFY(one.size() > 1000);
      QVERIFY(one == bytesOf(FigureKind::Overview, format));
    }
  }

  /// By default Qt writes the time zone into a PDF.
  void thePdfDoesNotDependOnTheTimeZone() {
    QList<QByteArray> pdfs;
    for (const char* zone : {"UTC0", "EST5", "CET-1"}) {
      const test::ChangedEnvironment environment("TZ", zone);
      pdfs << bytesOf(FigureKind::LayerError, FigureFormat::Pdf);
    }
    QVERIFY(pdfs[0] == pdfs[1] && pdfs[0] == pdfs[2]);
    QVERIFY(pdfs[0].contains("(D:20000101000000Z)"));
  }

  void textInSvgIsStoredAsText() {
    const QByteArray svg = bytesOf(FigureKind::ByToken, FigureFormat::Svg);
    const QString text = textOfSvg(svg);
    QVERIFY(text.contains(QStringLiteral("L∞ of the logits")));
    QVERIFY(text.contains(QStringLiteral("total variation")));
    QVERIFY(text.contains(QStringLiteral("monster")));
    QVERIFY(svg.contains("synthetic"));  // provenance
  }

  void controlCharactersLeaveTheSvgValid() {
    Figure figure = someFigure(FigureKind::ByToken);
    figure.title = "a title\x02 \xEF\xBF\xBE \xEF\xBF\xBF";
    for (FigureCurve& curve : figure.panels[0].curves) curve.name += "\x01 and \x1B";
    const QString text = textOfSvg(drawnFigure(figure, {}, FigureFormat::Svg).bytes);
    QVERIFY(text.contains(QStringLiteral("L∞ of the logits")));
  }

  void pdfEmbedsItsFontsAndProvenance() {
    const QByteArray pdf = bytesOf(FigureKind::Accuracy, FigureFormat::Pdf);
    QVERIFY(pdf.startsWith("%PDF"));
    QVERIFY(pdf.contains("/FontFile2"));
    QVERIFY(pdf.contains("dc:description"));
  }

  /// As JPEG, the cells of a map would have blurred edges.
  void mapsInPdfHaveTheirExactColours() {
    const QByteArray pdf = bytesOf(FigureKind::ScaleHeatmap, FigureFormat::Pdf);
    QVERIFY(pdf.contains("/Subtype /Image"));
    QVERIFY(!pdf.contains("/DCTDecode"));
  }

  void textOfPdfCanBeExtracted() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (program.isEmpty()) QSKIP("pdftotext (poppler-utils) is not installed");
    QTemporaryDir folder;
    QFile pdf(folder.filePath("f.pdf"));
    QVERIFY(pdf.open(QIODevice::WriteOnly));
    pdf.write(bytesOf(FigureKind::ByToken, FigureFormat::Pdf));
    pdf.close();
    QProcess process;
    process.start(program, {pdf.fileName(), QStringLiteral("-")});
    QVERIFY(process.waitForFinished());
    const QString text = QString::fromUtf8(process.readAllStandardOutput());
    for (const char* words : {"L∞ of the logits", "total variation", "monster"})
      QVERIFY2(text.contains(QString::fromUtf8(words)), words);
  }

  /// For example, the medians of boxes are dark.
  void darkPixelsOfThePngAreDarkInThePdf() {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftoppm"));
    if (program.isEmpty()) QSKIP("pdftoppm (poppler-utils) is not installed");
    constexpr int kDark = 90, kDpi = 150;
    QTemporaryDir folder;
    QFile pdf(folder.filePath("f.pdf"));
    QVERIFY(pdf.open(QIODevice::WriteOnly));
    pdf.write(bytesOf(FigureKind::Accuracy, FigureFormat::Pdf));
    pdf.close();
    QCOMPARE(
        QProcess::execute(program, {"-r", QString::number(kDpi), "-png", "-singlefile",
                                    pdf.fileName(), folder.filePath("f")}),
        0);
    const QImage printed(folder.filePath("f.png"));
    const QImage image = QImage::fromData(
        drawnFigure(someFigure(FigureKind::Accuracy), {.dpi = kDpi}, FigureFormat::Png)
            .bytes);
    const auto hasInkNear = [&](int x, int y) {
      for (int dx = -2; dx <= 2; ++dx)
        for (int dy = -2; dy <= 2; ++dy)
          if (printed.valid(x + dx, y + dy) &&
              qGray(printed.pixel(x + dx, y + dy)) < 2 * kDark)
            return true;
      return false;
    };
    int dark = 0, missing = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        if (qGray(image.pixel(x, y)) < kDark) {
          ++dark;
          missing += hasInkNear(x, y) ? 0 : 1;
        }
    QVERIFY(dark > 0);
    QVERIFY2(missing < 8, qPrintable(QString::number(missing)));
  }

  void pngContainsItsSizeAndProvenance() {
    const QByteArray png =
        drawnFigure(someFigure(FigureKind::LayerError), {.dpi = 200}, FigureFormat::Png)
            .bytes;
    QBuffer buffer;
    buffer.setData(png);
    QImageReader reader(&buffer, "PNG");
    const QImage image = reader.read();
    QCOMPARE(image.width(), 650);
    QVERIFY(
        image.text(QStringLiteral("Description")).contains(QStringLiteral("synthetic")));
  }

  void numbersDoNotReplaceAnotherJsonFile() {
    QTemporaryDir folder;
    const QString notes = folder.filePath("f.json");
    QFile file(notes);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"mine\": 1}");
    file.close();
    const std::filesystem::path path = folder.filePath("f.svg").toStdString();
    QVERIFY_THROWS_EXCEPTION(Error,
                             writeFigure(someFigure(FigureKind::ByToken), {}, path));
    QVERIFY(!std::filesystem::exists(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("{\"mine\": 1}"));
    QVERIFY(file.remove());
    writeFigure(someFigure(FigureKind::ByToken), {}, path);
    writeFigure(someFigure(FigureKind::ByToken), {}, path);  // replaces its own f.json
  }

  void numbersAreWrittenBesideTheFigure() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("f.svg").toStdString();
    writeFigure(someFigure(FigureKind::PatchNorms), {}, path);
    QFile numbers(folder.filePath("f.json"));
    QVERIFY(numbers.open(QIODevice::ReadOnly));
    QVERIFY(!QJsonDocument::fromJson(numbers.readAll()).isNull());
    QVERIFY(QFile::exists(folder.filePath("f.svg")));
  }

  void aTypedNameGetsAFiguresSuffix() {
    const auto named = [](const char* typed) {
      return figureFileFor(typed, ".pdf").string();
    };
    QCOMPARE(named("a/gen.svg"), std::string("a/gen.svg"));
    QCOMPARE(named("a/gen"), std::string("a/gen.pdf"));
    QCOMPARE(named("a/step 1.5"), std::string("a/step 1.5.pdf"));
    QCOMPARE(named("a/gen.json"), std::string("a/gen.pdf"));  // .json is for numbers
  }

  void filesToBeReplacedAreListed() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("f.svg").toStdString();
    QVERIFY(filesReplacedBy(path).empty());
    writeFigure(someFigure(FigureKind::PatchNorms), {}, path);
    const std::vector files{path, numbersFileOf(path)};
    QVERIFY(filesReplacedBy(path) == files);
    const std::filesystem::path other = folder.filePath("f.pdf").toStdString();
    QVERIFY(filesReplacedBy(other) == std::vector{numbersFileOf(path)});
  }

  void writingAFigureReturnsItsRemark() {
    Figure figure = someFigure(FigureKind::PatchNorms);
    for (FigureCurve& curve : figure.panels.front().curves)
      curve.name = "a name that takes nearly all of the width " + curve.name;
    const FigureStyle right{.legendPlace = LegendPlace::Right};
    QTemporaryDir folder;
    const auto remarkOf = [&](const char* name, const FigureStyle& style) {
      return writeFigure(figure, style, folder.filePath(name).toStdString());
    };
    const QString remark = FigurePlot(figure, right).remark();
    QVERIFY(!remark.isEmpty());
    for (const char* name : {"f.pdf", "f.svg", "f.png"})
      QCOMPARE(remarkOf(name, right), remark);
    QVERIFY(remarkOf("f.tex", right).isEmpty());
    QVERIFY(remarkOf("f.pdf", {}).isEmpty());
  }

  /// The provenance contains the prompts of all runs.
  void figuresOfLongPromptsAreRecognised() {
    Figure figure = someFigure(FigureKind::LayerError);
    std::string digits;  // still 47 kB when compressed
    for (std::uint32_t i = 0; i < 10'000; ++i) digits += std::to_string(i * 2654435761U);
    figure.provenance =
        "{\"program\": \"Equipatch\", \"prompt_text\": \"" + digits + "\"}";
    QTemporaryDir folder;
    for (const char* name : {"f.pdf", "f.svg", "f.png", "f.tex"}) {
      const std::filesystem::path path = folder.filePath(name).toStdString();
      writeFigure(figure, {.dpi = 100}, path);
      requireOwnFigure(path);
    }
  }

  void invalidFontsNamesAndSizesAreReported() {
    QVERIFY_ERROR(requireFont(QStringLiteral("Nosuch Sans")), "Nosuch Sans");
    requireFont({});  // the default font
    QVERIFY_ERROR(writeFigure(someFigure(FigureKind::Accuracy), {}, "figure.doc"),
                  "figure.doc: expected a name that ends in .pdf, .svg, .png or .tex");
    FigurePlot wide(someFigure(FigureKind::Overview), {.width = 40.0});
    QVERIFY_ERROR(figureImage(wide, 2400), "choose fewer dots per inch");
    QVERIFY(figureFormatOf("A.PDF") == FigureFormat::Pdf);
  }
};

EQUIPATCH_TEST(tst_figure_file)
#include "tst_figure_file.moc"
