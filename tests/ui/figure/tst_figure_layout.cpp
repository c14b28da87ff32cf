// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/figure_layout.h"

#include <QImage>
#include <algorithm>

#include "core/base/error.h"
#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"
#include "ui/figure/figure_legends.h"
#include "ui/figure/figure_plot.h"
#include "ui/figure/picture_element.h"
#include "ui/figure/words_element.h"

using namespace equipatch;
using equipatch::test::elementsOf;
using equipatch::test::panelsInOrder;
using equipatch::test::someFigure;

namespace {

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

/// The lengths of the longest line of an axis's label and of the axis.
std::pair<double, double> labelAndLength(const QCPAxis& axis) {
  double widest = 0.0;
  for (const QString& line : axis.label().split(u'\n'))
    widest = std::max(widest, QFontMetricsF(axis.labelFont()).horizontalAdvance(line));
  const bool along = axis.orientation() == Qt::Horizontal;
  return {widest, along ? axis.axisRect()->width() : axis.axisRect()->height()};
}

/// The least gap between an axis's tick labels; negative if two overlap.
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

}  // namespace

class tst_figure_layout : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// A layout of 200 panels takes long, so numbers of columns that make panels unreadable
  /// are not tried.
  void onlyReadableColumnsAreTried() {
    Figure figure = someFigure(FigureKind::PatchNorms);
    figure.panels.resize(200, figure.panels.front());
    figure.columns = 3;
    const std::vector<int> tried = columnChoices(figure, {});
    QCOMPARE(tried.front(), 3);
    QCOMPARE(*std::ranges::max_element(tried), 11);  // columns at least 20 points wide
    figure.panels.resize(4);
    QCOMPARE(columnChoices(figure, {}), (std::vector<int>{3, 1, 2, 4}));
  }

  void axesAndTextsDoNotOverlap_data() {
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::addColumn<double>("font");
    QTest::addColumn<int>("runs");
    QTest::newRow("single column") << 3.25 << 0.0 << 8.0 << 1;
    QTest::newRow("double column") << 6.75 << 0.0 << 8.0 << 5;
    QTest::newRow("double column, large type") << 6.75 << 0.0 << 12.0 << 2;
    QTest::newRow("slide") << 10.0 << 5.63 << 8.0 << 2;
    QTest::newRow("slide, large type") << 10.0 << 5.63 << 12.0 << 2;
  }
  void axesAndTextsDoNotOverlap() {
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

  void imagesStayLargeOnSlides() {
    Figure figure = someFigure(FigureKind::ByToken);
    FigurePanel panel;
    panel.pictures.resize(3, {"a.png", 1, 1, {255, 0, 0}});
    panel.caption = "Which of the three has the most triangles, and what is on it?";
    for (int i = 0; i < 2; ++i) panel.caption += ' ' + panel.caption;
    figure.panels.insert(figure.panels.begin(), panel);
    for (const double font : {8.0, 12.0, 16.0}) {
      FigurePlot plot(figure, {.width = 10.0, .height = 5.63, .fontSize = font});
      const auto elements = elementsOf<PictureElement>(plot);
      QCOMPARE(elements.size(), 1);
      QVERIFY2(
          elements[0]->scale() > 0.4,
          qPrintable(QStringLiteral("%1 pt: %2").arg(font).arg(elements[0]->scale())));
    }
  }

  /// Axes that are only two lines of text high show nothing.
  void panelsThatDoNotFitAreRefused() {
    int refused = 0;
    for (double font = 14.0; font < 20.0; font += 0.5) {
      const FigureStyle slide{.width = 10.0, .height = 5.63, .fontSize = font};
      try {
        const FigurePlot plot(overviewOf(4), slide);
        for (const QCPAxisRect* rect : plot.plot().axisRects())
          QVERIFY2(rect->height() > Paper::units(1.8 * font),
                   qPrintable(QStringLiteral("%1 pt: %2").arg(font).arg(rect->height())));
      } catch (const Error& error) {
        ++refused;
        QVERIFY(QString(error.what()).contains("10 × 5.63 in"));
        QVERIFY(QString(error.what()).contains("choose smaller type"));
      }
    }
    QVERIFY2(refused > 0 && refused < 12, qPrintable(QString::number(refused)));
  }

  /// A legend that would take more than a third of the width moves above the axes.
  void wideLegendsMoveAbove() {
    const Figure figure = overviewOf(2);
    const FigureStyle narrow{.width = 3.25, .legendPlace = LegendPlace::Right};
    const FigurePlot single(figure, narrow);
    QVERIFY(single.remark().contains("third of the width"));
    const QList<QCPLegend*> legends = elementsOf<QCPLegend>(single);
    QVERIFY(!legends.isEmpty());
    for (const QCPAxisRect* rect : single.plot().axisRects())
      for (const QCPLegend* legend : legends)  // no legend is beside axes
        QVERIFY(legend->rect().bottom() < rect->top() ||
                legend->rect().top() > rect->bottom());
    const FigurePlot wide(figure, {.width = 20.0, .legendPlace = LegendPlace::Right});
    QVERIFY(wide.remark().isEmpty());
    const QList<QCPAxisRect*> panels = panelsInOrder(wide.plot());
    QCOMPARE(panels[0]->left(), panels[2]->left());
    QCOMPARE(panels[0]->right(), panels[2]->right());
  }

  /// No two entries of a legend have the same colour and line style.
  void ambiguousEntriesHaveTheirOwnLegend() {
    const FigurePlot plot(overviewOf(3), {.width = 6.75, .sharedLegend = true});
    const QList<QCPLegend*> legends = elementsOf<QCPLegend>(plot);
    QVERIFY(legends.size() > 1);  // the shared legend and those of ambiguous entries
    for (const QCPLegend* legend : legends) {
      QSet<QString> looks;
      for (int i = 0; i < legend->itemCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i));
        const auto* graph = item ? qobject_cast<QCPGraph*>(item->plottable()) : nullptr;
        if (!graph) continue;
        const QString look =
            graph->pen().color().name() + QString::number(int(graph->pen().style()));
        QVERIFY2(!looks.contains(look), qPrintable(graph->name()));
        looks << look;
      }
    }
  }

  /// In the last panel the run is blue, the colour that means a part of the patch in the
  /// shared legend. Therefore the panel's own legend names the run.
  void aRunInAnotherColourIsInThePanelsLegend() {
    QCustomPlot plot;
    const auto curve = [&plot](const char* name, Qt::GlobalColor colour) {
      QCPGraph* graph = plot.addGraph();
      graph->setName(QString::fromLatin1(name));
      graph->setPen(QPen(colour));
      return graph;
    };
    QCPGraph *run = curve("run", Qt::red), *part = curve("part", Qt::blue),
             *again = curve("run", Qt::blue), *limit = curve("limit", Qt::green);
    const FigureLegends legends =
        chosenLegends({{run, limit}, {part}, {again, limit}}, {false, false, false},
                      {.sharedLegend = true}, 1);
    QCOMPARE(legends.shared, LegendEntries({run, limit, part}));
    QCOMPARE(legends.panels.size(), 1);
    QCOMPARE(legends.panels[0].panel, 2);
    QCOMPARE(legends.panels[0].entries, LegendEntries({again}));
  }

  /// Marks have no line, so their pens do not distinguish them.
  void marksAreToldApartByTheirShapes() {
    QCustomPlot plot;
    const auto marks = [&plot](const char* name, QCPScatterStyle::ScatterShape shape) {
      QCPGraph* graph = plot.addGraph();
      graph->setName(QString::fromLatin1(name));
      graph->setLineStyle(QCPGraph::lsNone);
      graph->setScatterStyle(shape);
      return graph;
    };
    QCPGraph *cross = marks("tokens differ", QCPScatterStyle::ssCross),
             *diamond = marks("sampled", QCPScatterStyle::ssDiamond),
             *again = marks("tokens differ", QCPScatterStyle::ssCross),
             *zero = marks("exactly 0", QCPScatterStyle::ssCircle);
    const FigureLegends legends = chosenLegends(
        {{cross, diamond}, {again, zero}}, {false, false}, {.sharedLegend = true}, 1);
    QCOMPARE(legends.shared, LegendEntries({cross, diamond, zero}));
    QVERIFY(legends.panels.isEmpty());
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

  void everyPanelHasItsOwnLetters() {
    Figure figure = someFigure(FigureKind::LayerError);
    figure.panels.front().title = "t";
    figure.panels.resize(28, figure.panels.front());
    figure.columns = 7;
    const FigurePlot plot(figure, {.width = kMaxSize, .letters = true});
    QStringList headings;
    for (const WordsElement* element : elementsOf<WordsElement>(plot))
      headings << element->lines().join(u' ');
    for (const char* heading : {"(a) t", "(z) t", "(aa) t", "(ab) t"})
      QCOMPARE(headings.count(QString::fromLatin1(heading)), 1);
  }

  void theLayoutReportsItsSizeAndLegends() {
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
    const QList<bool> explained(3, false);
    const FigureLegends own = chosenLegends(named, explained, {}, 1);
    QCOMPARE(own.panels.size(), 1);
    QCOMPARE(own.panels[0].panel, 0);
    const FigureStyle below{.legendPlace = LegendPlace::Below};
    QCOMPARE(chosenLegends(named, explained, below, 1).panels[0].panel, 1);
    // Only the panel that has exact zeros lists them in its legend.
    QCPGraph* zeros = plot.addGraph();
    zeros->setName("exactly 0");
    const QList<LegendEntries> second{{a, b}, {a, b, zeros}};
    const FigureLegends two = chosenLegends(second, {false, false}, {}, 1);
    QCOMPARE(two.panels.size(), 2);
    QCOMPARE(two.panels[0].entries, LegendEntries({a, b}));
    QCOMPARE(two.panels[1].panel, 1);
    QCOMPARE(two.panels[1].entries, LegendEntries({zeros}));
    QCOMPARE(chosenLegends(second, {false, false}, below, 1).panels.size(), 1);
    // `explained` decides whether a legend with a single curve is kept.
    QVERIFY(chosenLegends({{a}}, {false}, {}, 1).panels.isEmpty());
    QCOMPARE(chosenLegends({{a}}, {true}, {}, 1).panels.size(), 1);
    const FigureStyle shared{.sharedLegend = true};
    QVERIFY(chosenLegends({{a}, {a}}, {false, false}, shared, 1).shared.isEmpty());
    QCOMPARE(chosenLegends({{a}, {a}}, {true, false}, shared, 1).shared,
             LegendEntries({a}));
    b->setPen(QPen(Qt::red));
    QCOMPARE(chosenLegends(named, explained, {.sharedLegend = true}, 1).shared,
             LegendEntries({a, b}));
    const Paper paper(style);
    QVERIFY(entryWidth({a}, paper) > Paper::units(17));
    auto* legend = new QCPLegend;
    plot.plotLayout()->addElement(plot.plotLayout()->rowCount(), 0, legend);
    fillLegend(*legend, {a, b}, paper, Paper::units(400), LegendColumns::AsFit);
    QCOMPARE(legend->itemCount(), 2);
    QCOMPARE(legendHeight(*legend, paper), Paper::units(1.3 * 8));
  }

 private:
  static void checkAxes(const FigurePlot& plot) {
    const QList<QCPAxisRect*> panels = panelsInOrder(plot.plot());
    for (const QCPAxisRect* rect : panels) {
      for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
        const QCPAxis& axis = *rect->axis(side);
        const auto [label, length] = labelAndLength(axis);
        QVERIFY2(
            label <= length + 1,
            qPrintable(
                QStringLiteral("%1: %2 > %3").arg(axis.label()).arg(label).arg(length)));
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
      // No line of text is cut off.
      QVERIFY(element->outerRect().height() >= element->minimumOuterSizeHint().height());
      for (const QCPAxisRect* rect : plot.plot().axisRects())
        QVERIFY(!rect->outerRect().intersects(element->rect()));
      for (const QCPLayoutElement* other : std::as_const(words))
        QVERIFY(element == other || !element->rect().intersects(other->rect()));
    }
  }
};

EQUIPATCH_TEST(tst_figure_layout)
#include "tst_figure_layout.moc"
