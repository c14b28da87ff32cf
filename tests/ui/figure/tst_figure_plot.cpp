// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_plot.h"

#include <QImage>
#include <QMap>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figure/lab_figure.h"
#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"
#include "ui/chart/series_style.h"
#include "ui/figure/paper.h"
#include "ui/figure/picture_element.h"

using namespace equipatch;
using equipatch::test::elementsOf;
using equipatch::test::panelsInOrder;
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

  /// In one column, eight panels would be 23 inches high.
  void aFigureFitsOnAPage() {
    Figure figure = someFigure(FigureKind::PatchNorms);
    figure.panels.resize(8, figure.panels.front());
    figure.columns = 1;
    const FigurePlot wide(figure, {.width = 6.75});
    QVERIFY(wide.size().height() <= 9.5 * 288);
    QVERIFY2(wide.remark().isEmpty(), qPrintable(wide.remark()));
    const FigurePlot narrow(figure, {.width = 3.25, .fontSize = 12.0});
    QVERIFY(narrow.size().height() > 9.5 * 288);
    QVERIFY2(narrow.remark().contains("more than a page; choose a height or fewer runs"),
             qPrintable(narrow.remark()));
    QVERIFY(FigurePlot(figure, {.width = 12.0}).remark().isEmpty());  // a poster
  }

  void crossesHaveTheColoursOfTheirRuns() {
    Figure figure = someFigure(FigureKind::ByToken);
    figure.panels.resize(1);
    FigurePanel& panel = figure.panels.front();
    panel.curves.resize(2, panel.curves.front());
    panel.curves[0].style = 0, panel.curves[1].style = 1;
    for (FigureCurve& curve : panel.curves) curve.look = FigureCurve::Look::Numbered;
    panel.marks = {{.name = "tokens differ", .x = {0, 1}, .y = {}, .curves = {0, 1}}};
    panel.marks[0].y = {panel.curves[0].y[0], panel.curves[1].y[1]};
    const FigurePlot plot(figure, {});
    QMap<double, QColor> colours;  // of the crosses, by x
    for (const QCPGraph* graph : panelsInOrder(plot.plot())[0]->graphs())
      if (graph->scatterStyle().shape() == QCPScatterStyle::ssCross &&
          graph->dataCount() > 0)
        colours[graph->data()->constBegin()->key] = graph->scatterStyle().pen().color();
    QCOMPARE(colours.size(), 2);
    for (const int run : {0, 1})
      QCOMPARE(colours.value(run), Paper({}).colours().series[std::size_t(run)]);
  }

  void theRemarkNamesRunsThatLookAlike() {
    Figure figure = someFigure(FigureKind::ByToken);
    figure.panels.resize(1);
    std::vector<FigureCurve>& curves = figure.panels.front().curves;
    curves.resize(1);
    curves.front().look = FigureCurve::Look::Numbered;
    for (int run = 1; run < kRunStyles; ++run) {
      curves.push_back(curves.front());
      curves.back().style = run;
      curves.back().name = "run " + std::to_string(run);
    }
    curves.front().name = "run 0";
    QCOMPARE(FigurePlot(figure, {}).remark(), QString());
    curves.push_back(curves.front());
    curves.back().style = 0;
    curves.back().name = "one more";
    const QString remark = FigurePlot(figure, {}).remark();
    QVERIFY2(remark.startsWith(QStringLiteral("“run 0” and “one more” look alike")),
             qPrintable(remark));
    QVERIFY(remark.contains(QStringLiteral("fewer runs")));
    figure.kind = "lab";  // has no runs
    QVERIFY(FigurePlot(figure, {}).remark().contains(QStringLiteral("alike; the .json")));
    curves.back().colour = "#123456";
    QCOMPARE(FigurePlot(figure, {}).remark(), QString());
  }

  void theLegendOptionExistsWhereItChangesTheFigure() {
    for (int i = 0; i < kFigureKinds; ++i) {
      const FigureKind kind = FigureKind(i);
      const auto drawn = [&](bool legend) {
        return drawnFigure(someFigure(kind), {.legend = legend}, FigureFormat::Svg).bytes;
      };
      const std::string word(name(kind));
      QVERIFY2((drawn(true) != drawn(false)) == hasOption(kind, FigureOption::Legend),
               word.c_str());
    }
  }

  void captionsAreNotClipped_data() {
    QTest::addColumn<double>("height");
    for (const double height : {0.0, 3.0, 3.5, 4.0, 4.5, 5.0})
      QTest::addRow("%g in", height) << height;
  }
  void captionsAreNotClipped() {
    QFETCH(double, height);
    Figure figure = someFigure(FigureKind::Image);
    figure.panels.front().pictures.resize(1);
    figure.panels.front().caption = "Describe thoroughly the picture.";
    try {
      const FigurePlot plot(figure, {.height = height});
      const auto images = elementsOf<PictureElement>(plot);
      QCOMPARE(images.size(), 1);
      QVERIFY(images[0]->fitsCaption());
    } catch (const Error& error) {
      QVERIFY2(height > 0.0 && height < 4.0, error.what());
    }
  }

  /// Chinese has no spaces, but lines can break between its characters.
  void captionsWithoutSpacesAreBroken() {
    Figure figure = someFigure(FigureKind::Image);
    FigurePanel& panel = figure.panels.front();
    panel.pictures.resize(1);
    panel.caption = QString(80, QChar(u'图')).toStdString();
    const FigurePlot plot(figure, {.width = 6.75});
    QVERIFY(elementsOf<PictureElement>(plot)[0]->fitsCaption());
    panel.caption = std::string(80, 'm');
    QVERIFY_ERROR(FigurePlot(figure, {.width = 6.75}), "do not fit into 6.75 in");
  }

  /// An axis with a single tick label shows no scale.
  void axesWithoutRoomForTwoLabelsAreRefused() {
    Figure figure = someFigure(FigureKind::LayerError);
    FigurePanel& panel = figure.panels.front();
    panel.curves.resize(5, panel.curves.front());
    for (std::size_t i = 0; i < 5; ++i)
      panel.curves[i].name = "a curve with a long name, " + std::to_string(i);
    QVERIFY_ERROR(FigurePlot(figure, {.height = 1.35}), "do not fit into 3.25 × 1.35 in",
                  "choose smaller type or a larger figure");
    QVERIFY_ERROR(FigurePlot(someFigure(FigureKind::Overview), {.height = 1.5}),
                  "a larger figure or fewer panels");
    QVERIFY(FigurePlot(figure, {.height = 2.5}).size().height() > 0);
  }

  void mapsOfEqualRangesAreSquare() {
    LabResult result = test::someLabResult();
    LabMap& map = result.panels.back().map.value();
    map.x = map.y = {1.0, 2.0, 3.0};
    map.values.assign(9, 0.5);
    result.panels.push_back(result.panels.back());
    const Figure figure = labFigure(result);
    for (const double height : {0.0, 5.0}) {
      const FigurePlot plot(figure, {.width = 6.75, .height = height});
      const auto panels = panelsInOrder(plot.plot());
      QCOMPARE(panels.size(), 3);
      for (const QCPAxisRect* axes : panels.sliced(1))
        QVERIFY2(
            std::abs(axes->width() - axes->height()) <= 3,
            qPrintable(QStringLiteral("%1 × %2").arg(axes->width()).arg(axes->height())));
    }
  }

  /// Legends and token names take different room in the panels.
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

  void picturesStandSideBySide() {
    Figure figure = someFigure(FigureKind::ByToken);
    const FigurePicture square{
        "red.png", 2, 2, {255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0}};
    FigurePanel panel;
    panel.pictures = {square, square};
    panel.caption = "What is this?";
    figure.panels.insert(figure.panels.begin(), panel);
    FigurePlot plot(figure, {});
    QImage image(plot.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    plot.paintPixels(image, 1.0);
    std::vector<int> widths;  // red pixels of a row; equal adjacent rows count once
    for (int y = 0; y < image.height(); ++y) {
      int red = 0;
      for (int x = 0; x < image.width(); ++x)
        red += image.pixelColor(x, y) == QColor(Qt::red) ? 1 : 0;
      if (widths.empty() ? red > 0 : red != widths.back()) widths.push_back(red);
    }
    QCOMPARE(widths.size(), 2u);  // pictures of equal height, and the rest
    QVERIFY(widths[0] > image.width() / 2 && widths[0] < image.width());
  }

  void mapsLieOverTheirPicture() {
    for (const double height : {0.0, 2.5, 9.0}) {
      const Figure figure = labFigure(test::resultOverPicture());
      FigurePlot plot(figure, {.width = 6.75, .height = height});
      QImage image(plot.size(), QImage::Format_RGB32);
      image.fill(Qt::white);
      plot.paintPixels(image, 1.0);
      const QCPAxisRect& axes = *panelsInOrder(plot.plot()).at(0);
      QVERIFY(axes.axis(QCPAxis::atLeft)->rangeReversed());
      QVERIFY(std::abs(axes.width() * 2 - axes.height() * 3) <= 6);
      QVERIFY(axes.height() > 288);
      // Numbers do not cover the corners of cells.
      const QColor low = image.pixelColor(axes.left() + 9, axes.top() + 9);
      const QColor high = image.pixelColor(axes.right() - 9, axes.top() + 9);
      QVERIFY(high.red() > low.red() + 60 && high.green() > low.green() + 60);
      const QColor opaque(0xfb, 0xe6, 0x25);
      QVERIFY(high != opaque && high.red() < opaque.red());  // the picture darkens it
    }
  }

  /// One map stands beside the picture itself, which is the highest part of that row.
  void allMapsHaveTheProportionsOfTheirPicture() {
    LabResult result = test::resultOverPicture();
    // The tick labels of these values are long.
    result.panels.front().map->values = {0.0422, 0.0599, 0.0465, 0.0474};
    result.panels.resize(3, result.panels.front());
    result.picture = LabPicture{"square.ppm", "P6 2 2 255\n" + std::string(12, 'x')};
    FigurePlot plot(labFigure(result), {.width = 6.75});
    const auto panels = panelsInOrder(plot.plot());
    QCOMPARE(panels.size(), 3);
    for (const QCPAxisRect* axes : panels)
      QVERIFY2(
          std::abs(axes->width() - axes->height()) <= 3,
          qPrintable(QStringLiteral("%1 × %2").arg(axes->width()).arg(axes->height())));
  }

  void mapsAreEquallyLarge_data() {
    QTest::addColumn<double>("height");
    QTest::addColumn<QSize>("picture");
    for (const double height : {0.0, 2.0, 3.0, 4.0})
      for (const QSize& picture : {QSize(2, 2), QSize(8, 2), QSize(2, 8)})
        QTest::addRow("%g in, %d × %d", height, picture.width(), picture.height())
            << height << picture;
  }
  void mapsAreEquallyLarge() {
    QFETCH(double, height);
    QFETCH(QSize, picture);
    LabResult result = test::resultOverPicture();
    result.panels.front().map->label = "a label that is longer than low axes";
    result.panels.resize(3, result.panels.front());
    result.picture =
        LabPicture{"a.ppm", "P6 " + std::to_string(picture.width()) + " " +
                                std::to_string(picture.height()) + " 255\n" +
                                std::string(3 * picture.width() * picture.height(), 'x')};
    const Figure figure = labFigure(result);
    FigurePlot plot(figure, {.width = 6.75, .height = height, .letters = true});
    QVERIFY(height > 0.0 || plot.size().height() < 4 * 72 * 9);  // not a page long
    QImage image(plot.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    plot.paintPixels(image, 1.0);
    const auto panels = panelsInOrder(plot.plot());
    QCOMPARE(panels.size(), 3);
    for (const QCPAxisRect* axes : panels) {
      QVERIFY2(std::abs(axes->width() - panels[0]->width()) <= 3 &&
                   std::abs(axes->height() - panels[0]->height()) <= 3,
               qPrintable(QStringLiteral("%1 × %2 beside %3 × %4")
                              .arg(axes->width())
                              .arg(axes->height())
                              .arg(panels[0]->width())
                              .arg(panels[0]->height())));
      const double wanted = double(axes->width()) * picture.height() / picture.width();
      QVERIFY2(
          std::abs(axes->height() - wanted) <= 3 + 0.06 * wanted,
          qPrintable(QStringLiteral("%1 high, not %2").arg(axes->height()).arg(wanted)));
    }
  }

  void legendsStandWhereRequested() {
    const FigureRun run{
        "mine", test::makeHeader(), {test::makeRecord(0), test::makeRecord(1)}};
    const FigureRun other{
        "other", test::makeHeader(), {test::makeRecord(0), test::makeRecord(1)}};
    const Figure figure = makeFigure(FigureKind::Overview, {run, other}, {});
    for (const bool shared : {false, true})
      for (const LegendPlace place :
           {LegendPlace::Above, LegendPlace::Below, LegendPlace::Right}) {
        FigurePlot plot(figure,
                        {.width = 12.0, .legendPlace = place, .sharedLegend = shared});
        QImage image(plot.size(), QImage::Format_RGB32);
        plot.paintPixels(image, 1.0);
        QList<QCPLegend*> legends = elementsOf<QCPLegend>(plot);
        // Panels whose colours stand for matrices have legends of their own.
        QCOMPARE(legends.size(), 3);
        if (shared)
          legends.removeIf([](QCPLegend* legend) {
            auto* first = qobject_cast<QCPPlottableLegendItem*>(legend->item(0));
            return first->plottable()->name() != "mine";
          });
        const QCPAxisRect& first = *panelsInOrder(plot.plot())[0];
        const QRect legend = legends[0]->rect(), axes = first.rect();
        QVERIFY(!legend.isEmpty() && QRect({}, plot.size()).contains(legend));
        for (const QCPAxisRect* rect : plot.plot().axisRects())
          QVERIFY(!rect->rect().intersects(legend));
        if (place == LegendPlace::Above) QVERIFY(legend.bottom() <= axes.top());
        if (place == LegendPlace::Below) QVERIFY(legend.top() >= axes.bottom());
        if (place == LegendPlace::Right) QVERIFY(legend.left() >= axes.right());
        QSet<QString> names;
        int entries = 0;  // the last row of the legend may have empty places
        for (int i = 0; i < legends[0]->itemCount(); ++i)
          if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legends[0]->item(i))) {
            ++entries;
            names << item->plottable()->name();
          }
        QCOMPARE(names.size(), entries);
      }
  }

  void panelsBesideEachOtherShareRowNames() {
    const Figure figure = someFigure(FigureKind::Accuracy);
    FigurePlot plot(figure, {.width = 6.75});
    QImage image(plot.size(), QImage::Format_RGB32);
    plot.paintPixels(image, 1.0);
    const QList<QCPAxisRect*> panels = panelsInOrder(plot.plot());
    const QCPAxisRect &left = *panels[0], &right = *panels[1];
    QVERIFY(left.axis(QCPAxis::atLeft)->tickLabels());
    QVERIFY(!right.axis(QCPAxis::atLeft)->tickLabels());
    QVERIFY(right.axis(QCPAxis::atRight)->tickLabels());
    QVERIFY(plot.plot().itemCount() == 0);  // no words within the axes
    QVERIFY(left.left() > right.left() - left.right());
  }

  /// A colour scale has as many labels as fit.
  void ticksOfAColourScaleKeepApart() {
    const auto labels = [](double height) {
      FigurePlot plot(someFigure(FigureKind::ScaleHeatmap),
                      {.width = 4.0, .height = height});
      QImage image(plot.size(), QImage::Format_RGB32);
      plot.paintPixels(image, 1.0);
      return elementsOf<QCPColorScale>(plot).front()->axis()->tickVectorLabels().size();
    };
    QVERIFY(labels(1.2) >= 1);
    QVERIFY2(labels(1.2) < labels(4.0),
             qPrintable(QString("%1 %2").arg(labels(1.2)).arg(labels(4.0))));
  }

  void heightGrowsWithTheNumberOfRows() {
    const auto heightOf = [](std::size_t rows) {
      return FigurePlot({.panels = {sharePanel(
                             std::vector<FigureBox>(rows, FigureBox{.equal = {1, 2}}))}},
                        {})
          .size()
          .height();
    };
    QVERIFY(heightOf(2) < 400);
    QVERIFY(heightOf(10) < heightOf(20));
    QCOMPARE(heightOf(20) - heightOf(10), heightOf(30) - heightOf(20));
  }

  void everyFigureKindDrawsSomething() {
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
