// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_plot.h"

#include <QImage>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"

using namespace equipatch;
using equipatch::test::someFigure;

class tst_figure_plot : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void widthIsAsRequestedAndHeightFollows() {
    const Figure figure = someFigure(FigureKind::ByToken);
    const QSize narrow = FigurePlot(figure, {}).size();
    QCOMPARE(narrow.width(), qRound(3.25 * 288));
    QVERIFY(narrow.height() > 288);
    QCOMPARE(FigurePlot(figure, {.width = 6.0, .height = 2.0}).size(), QSize(1728, 576));
  }

  /// Panels have the same height, although only the first has a legend and only the
  /// second has token names.
  void panelsBesideEachOtherShareTheirHeights() {
    const FigureRun run{"mine", test::makeHeader(), {test::makeRecord(0)}};
    FigurePlot plot(makeFigure(FigureKind::Overview, {run, run}, {}), {.width = 6.75});
    QImage image(plot.size(), QImage::Format_RGB32);
    plot.paintPixels(image, 1.0);
    QList<QCPAxisRect*> rects = plot.plot().axisRects();
    QCOMPARE(rects.size(), 5);
    std::ranges::sort(rects, {}, [](const QCPAxisRect* rect) {
      return std::pair(rect->bottom(), rect->left());
    });
    for (const int left : {0, 2}) {
      QCOMPARE(rects[left]->top(), rects[left + 1]->top());
      QCOMPARE(rects[left]->bottom(), rects[left + 1]->bottom());
      QVERIFY(rects[left]->height() > image.height() / 10);
    }
  }

  void rowsAreAsHighAsTheyNeed() {
    const auto heightOf = [](std::size_t rows) {
      return FigurePlot({.panels = {sharePanel(
                             std::vector<FigureBox>(rows, FigureBox{.equal = {1, 2}}))}},
                        {})
          .size()
          .height();
    };
    QVERIFY(heightOf(2) < 400);
    QCOMPARE(heightOf(20) - heightOf(10), heightOf(30) - heightOf(20));
  }

  void everyKindPutsInkOnPaper() {
    for (int kind = 0; kind < kFigureKinds; ++kind) {
      FigurePlot plot(someFigure(FigureKind(kind)), {.letters = true, .title = true});
      QImage image(plot.size() / 2, QImage::Format_RGB32);
      image.fill(Qt::white);
      plot.paintPixels(image, 0.5);
      QVERIFY(image.pixelColor(1, 1) == QColor(Qt::white));
      int inked = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          inked += image.pixel(x, y) != 0xFFFFFFFF ? 1 : 0;
      QVERIFY2(inked > image.width() * image.height() / 60,
               qPrintable(QString::number(kind)));
    }
  }
};

EQUIPATCH_TEST(tst_figure_plot)
#include "tst_figure_plot.moc"
