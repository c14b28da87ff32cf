// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_plot.h"

#include <QImage>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"

#include "core/base/error.h"
#include "core/figure/panel_range.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_legends.h"
#include "ui/figure/words_element.h"

using namespace equipatch;
using equipatch::test::someFigure;

namespace {

/// The panels' axes, row by row; QCustomPlot lists them in another order.
QList<QCPAxisRect*> panelsInOrder(const QCustomPlot& plot) {
  QList<QCPAxisRect*> rects = plot.axisRects();
  std::ranges::sort(rects, {}, [](const QCPAxisRect* rect) {
    return std::pair(rect->top(), rect->left());
  });
  return rects;
}

/// An overview of runs with long names.
Figure overviewOf(int runs) {
  std::vector<FigureRun> all;
  for (int run = 0; run < runs; ++run) {
    FigureRun one{
        "bfloat16 balanced closed #" + std::to_string(run + 1), test::makeHeader(), {}};
    for (int step = 0; step < 12; ++step)
      one.steps.push_back(test::makeRecord(step, {.mismatchEvery = 5}));
    all.push_back(std::move(one));
  }
  return makeFigure(FigureKind::Overview, all, {});
}

/// The lengths of an axis's label and of the axis.
std::pair<double, double> labelAndLength(const QCPAxis& axis) {
  double widest = 0.0;
  for (const QString& line : axis.label().split(u'\n'))
    widest = std::max(widest, QFontMetricsF(axis.labelFont()).horizontalAdvance(line));
  const bool along = axis.orientation() == Qt::Horizontal;
  return {widest, along ? axis.axisRect()->width() : axis.axisRect()->height()};
}

/// The gaps between an axis's tick labels, which must be positive.
double leastGap(const QCPAxis& axis) {
  const QFontMetricsF metrics(axis.tickLabelFont());
  double least = 1e9, last = -1e9, half = 0.0;
  QList<std::pair<double, QString>> labels;
  for (qsizetype i = 0; i < axis.tickVector().size(); ++i)
    if (axis.range().contains(axis.tickVector()[i]))
      labels << std::pair(axis.coordToPixel(axis.tickVector()[i]),
                          axis.tickVectorLabels()[i]);
  std::ranges::sort(labels);
  const bool upright =
      axis.orientation() == Qt::Horizontal && axis.tickLabelRotation() == 0;
  for (const auto& [place, label] : labels) {
    const double own =
        (upright ? metrics.horizontalAdvance(label) : metrics.ascent()) / 2;
    least = std::min(least, place - own - (last + half));
    last = place;
    half = own;
  }
  return least;
}

template <typename Element>
QList<Element*> elementsOf(const FigurePlot& plot) {
  QList<Element*> found;
  for (QCPLayoutElement* element : plot.plot().plotLayout()->elements(true))
    if (auto* one = dynamic_cast<Element*>(element)) found << one;
  return found;
}

}  // namespace

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

  /// With a caption and without one.
  void picturesOfOneSizeLookAlike() {
    Figure figure = someFigure(FigureKind::ByToken);
    FigurePanel panel;
    panel.picture = FigurePicture{
        "red.png", 2, 2, {255, 0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0}, "What is this?"};
    FigurePanel second = panel;
    second.picture->caption.clear();
    figure.panels.insert(figure.panels.begin(), {panel, second});
    FigurePlot plot(figure, {});
    QImage image(plot.size(), QImage::Format_RGB32);
    plot.paintPixels(image, 1.0);
    std::vector<int> widths;  // of each row's red pixels, equal rows together
    for (int y = 0; y < image.height(); ++y) {
      int red = 0;
      for (int x = 0; x < image.width(); ++x)
        red += image.pixelColor(x, y) == QColor(Qt::red) ? 1 : 0;
      if (widths.empty() ? red > 0 : red != widths.back()) widths.push_back(red);
    }
    QCOMPARE(widths.size(), 4u);  // a picture, a gap, a picture, the rest
    QVERIFY(widths[0] > image.width() / 4);
    QCOMPARE(widths[2], widths[0]);
  }

  /// Above, below and right of the axes, for each panel or for all.
  void legendsStandWhereRequested() {
    const FigureRun run{"mine", test::makeHeader(), {test::makeRecord(0)}};
    const FigureRun other{"other", test::makeHeader(), {test::makeRecord(0)}};
    const Figure figure = makeFigure(FigureKind::Overview, {run, other}, {});
    for (const bool shared : {false, true})
      for (const LegendPlace place :
           {LegendPlace::Above, LegendPlace::Below, LegendPlace::Right}) {
        FigurePlot plot(figure,
                        {.width = 12.0, .legendPlace = place, .sharedLegend = shared});
        QImage image(plot.size(), QImage::Format_RGB32);
        plot.paintPixels(image, 1.0);
        QList<QCPLegend*> legends;
        for (QCPLayoutElement* element : plot.plot().plotLayout()->elements(true))
          if (auto* legend = qobject_cast<QCPLegend*>(element)) legends << legend;
        QCOMPARE(legends.size(), 3);  // panels whose colours mean matrices have their own
        if (shared)
          std::erase_if(legends, [](QCPLegend* legend) {
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
        QCOMPARE(names.size(), entries);  // each name once
      }
  }

  /// In every size, with every legend: labels are no longer than their axes, tick labels
  /// do not overlap, words do not cover axes, and axes in a row are aligned.
  void nothingOverlaps_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<double>("font");
    QTest::addColumn<int>("runs");
    QTest::newRow("single column") << 3.25 << 0.0 << 8.0 << 1;
    QTest::newRow("double column") << 6.75 << 0.0 << 8.0 << 5;
    QTest::newRow("double column, large type") << 6.75 << 0.0 << 12.0 << 2;
    QTest::newRow("slide") << 10.0 << 5.63 << 8.0 << 2;
    QTest::newRow("slide, large type") << 10.0 << 5.63 << 14.0 << 2;
  }
  void nothingOverlaps() {
    QFETCH(double, width);
    QFETCH(double, height);
    QFETCH(double, font);
    QFETCH(int, runs);
    const Figure figure = overviewOf(runs);
    for (const LegendPlace place :
         {LegendPlace::Above, LegendPlace::Below, LegendPlace::Right})
      for (const bool shared : {false, true}) {
        FigurePlot plot(figure, {.width = width,
                                 .height = height,
                                 .fontSize = font,
                                 .legendPlace = place,
                                 .sharedLegend = shared,
                                 .letters = true,
                                 .title = true});
        QImage image(plot.size(), QImage::Format_RGB32);
        plot.paintPixels(image, 1.0);
        checkAxes(plot);
        checkWords(plot);
      }
  }

  /// Where a legend would take more than a third of the width, it stands above the axes,
  /// and the plot says so.
  void wideLegendsMoveAbove() {
    const Figure figure = overviewOf(2);
    const FigureStyle narrow{.width = 3.25, .legendPlace = LegendPlace::Right};
    const FigurePlot single(figure, narrow);
    QVERIFY(single.remark().contains("third of the width"));
    for (const QCPAxisRect* rect : single.plot().axisRects())
      for (const QCPLegend* legend : elementsOf<QCPLegend>(single))
        QVERIFY(!rect->rect().intersects(legend->rect()));
    const FigurePlot wide(figure, {.width = 20.0, .legendPlace = LegendPlace::Right});
    QVERIFY(wide.remark().isEmpty());
    const QList<QCPAxisRect*> panels = panelsInOrder(wide.plot());
    QCOMPARE(panels[0]->left(), panels[2]->left());
    QCOMPARE(panels[0]->right(), panels[2]->right());
  }

  /// A shared legend does not give one look two meanings.
  void ambiguousEntriesHaveTheirOwnLegend() {
    const FigurePlot plot(overviewOf(3), {.width = 6.75, .sharedLegend = true});
    for (const QCPLegend* legend : elementsOf<QCPLegend>(plot)) {
      QSet<QString> looks;
      for (int i = 0; i < legend->itemCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i));
        const auto* graph = item ? qobject_cast<QCPGraph*>(item->plottable()) : nullptr;
        if (!graph) continue;
        const QString look = graph->pen().color().name() +
                             QString::number(graph->scatterStyle().shape()) +
                             QString::number(int(graph->pen().style()));
        QVERIFY2(!looks.contains(look), qPrintable(graph->name()));
        looks << look;
      }
    }
  }

  void legendsBelowFollowTheLastPanel() {
    const FigurePlot plot(someFigure(FigureKind::ByToken),
                          {.legendPlace = LegendPlace::Below});
    QCOMPARE(elementsOf<QCPLegend>(plot).size(), 1);
    const QCPLegend& legend = *elementsOf<QCPLegend>(plot)[0];
    for (const QCPAxisRect* rect : plot.plot().axisRects())
      QVERIFY(legend.rect().top() > rect->bottom());
  }

  void longHeadingsHaveSeveralLines() {
    const QFont font = Paper({}).font();
    const QString words =
        "bfloat16 balanced closed #1, median and 10 to 90 % of 35 steps";
    const double width = QFontMetricsF(font).horizontalAdvance(words);
    QCOMPARE(WordsElement::wrapped(words, font, width + 1, 3).size(), 1);
    const QStringList lines = WordsElement::wrapped(words, font, 0.6 * width, 3);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines.join(u' '), words);
    for (const QString& line : WordsElement::wrapped(words, font, 0.2 * width, 3))
      QVERIFY(QFontMetricsF(font).horizontalAdvance(line) <= 0.2 * width);
  }

  void panelsThatDoNotFitAreRefused() {
    try {
      FigurePlot(overviewOf(1), {.width = 10.0, .height = 5.63, .fontSize = 30.0});
      QFAIL("drew panels without room");
    } catch (const Error& error) {
      QVERIFY(QString(error.what()).contains("choose smaller type"));
    }
  }

  /// The names beside the rows are in the left panel only.
  void rowsOfTwoPanelsShareTheirNames() {
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
    QVERIFY(left.left() - 0 > right.left() - left.right());
  }

  /// A colour scale has as many labels as fit.
  void ticksOfAColourScaleKeepApart() {
    const auto labels = [](double height) {
      FigurePlot plot(someFigure(FigureKind::ScaleHeatmap),
                      {.width = 4.0, .height = height});
      QImage image(plot.size(), QImage::Format_RGB32);
      plot.paintPixels(image, 1.0);
      for (QCPLayoutElement* element : plot.plot().plotLayout()->elements(true))
        if (auto* scale = qobject_cast<QCPColorScale*>(element))
          return scale->axis()->tickVectorLabels().size();
      return qsizetype(-1);
    };
    QVERIFY(labels(1.2) >= 1);
    QVERIFY2(labels(1.2) < labels(4.0),
             qPrintable(QString("%1 %2").arg(labels(1.2)).arg(labels(4.0))));
  }

  void theLayoutSaysItsSizeAndLegends() {
    const Figure figure = overviewOf(2);
    const FigureStyle style{.width = 6.75};
    QCustomPlot plot;
    const FigureLayout layout(figure, style, 2, plot);
    QCOMPARE(layout.size().width(), Paper::units(72 * 6.75));
    QVERIFY(layout.remark().isEmpty());
    QCPGraph *a = plot.addGraph(), *b = plot.addGraph();
    a->setName("a");
    b->setName("b");
    const QList<LegendEntries> named{{a, b}, {a, b}, {a}};
    const FigureLegends own = chosenLegends(named, {}, 1);
    QCOMPARE(own.panels.size(), 1);
    QCOMPARE(own.panels[0].panel, 0);
    QCOMPARE(chosenLegends(named, {.legendPlace = LegendPlace::Below}, 1).panels[0].panel,
             1);
    b->setPen(QPen(Qt::red));
    QCOMPARE(chosenLegends(named, {.sharedLegend = true}, 1).shared,
             LegendEntries({a, b}));
    const Paper paper(style);
    QVERIFY(entryWidth({a}, paper) > Paper::units(17));
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(plot.plotLayout()->rowCount(), 0, legend);
    fillLegend(*legend, {a, b}, paper, Paper::units(400), LegendColumns::AsFit);
    QCOMPARE(legend->itemCount(), 2);
    QCOMPARE(legendHeight(*legend, paper), Paper::units(1.3 * 8));
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

 private:
  static void checkAxes(const FigurePlot& plot) {
    const QList<QCPAxisRect*> panels = panelsInOrder(plot.plot());
    for (const QCPAxisRect* rect : panels) {
      for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        const QCPAxis& axis = *rect->axis(side);
        const auto [label, length] = labelAndLength(axis);
        QVERIFY2(label <= length + 1, qPrintable(axis.label()));
        QVERIFY2(leastGap(axis) >= 0, qPrintable(axis.label()));
      }
      for (const QCPAxisRect* other : panels) {
        QVERIFY(rect == other || !rect->outerRect().intersects(other->outerRect()));
        const bool sameRow =
            rect->top() < other->bottom() && other->top() < rect->bottom();
        QVERIFY(!sameRow || rect->top() == other->top());
        QVERIFY(!sameRow || rect->bottom() == other->bottom());
      }
    }
  }

  static void checkWords(const FigurePlot& plot) {
    QList<QCPLayoutElement*> words;
    for (QCPLegend* legend : elementsOf<QCPLegend>(plot)) words << legend;
    for (WordsElement* element : elementsOf<WordsElement>(plot)) words << element;
    for (const QCPLayoutElement* element : std::as_const(words)) {
      QVERIFY(QRect({}, plot.size()).contains(element->rect()));
      for (const QCPAxisRect* rect : plot.plot().axisRects())
        QVERIFY(!rect->outerRect().intersects(element->rect()));
      for (const QCPLayoutElement* other : std::as_const(words))
        QVERIFY(element == other || !element->rect().intersects(other->rect()));
    }
  }
};

EQUIPATCH_TEST(tst_figure_plot)
#include "tst_figure_plot.moc"
