#include <cmath>

#include "tests/support/test_case.h"
#include "tests/ui/support/contrast.h"
#include "ui/chart/axes.h"

using namespace equipatch;
using test::contrast;

namespace {

/// The largest contrast to the background that is painted in a part of the picture.
double strongest(const QImage& image, const QRect& part, const QColor& background) {
  double most = 1.0;
  for (int y = part.top(); y <= part.bottom(); ++y)
    for (int x = part.left(); x <= part.right(); ++x)
      most = std::max(most, contrast(image.pixelColor(x, y), background));
  return most;
}

}  // namespace

/// What a plot with styled axes looks like.
class tst_axis_style : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void labelsAreReadAndTheGridStaysBehind_data();
  void labelsAreReadAndTheGridStaysBehind();
  void typeFollowsThePlotsFont();
};

void tst_axis_style::labelsAreReadAndTheGridStaysBehind_data() {
  QTest::addColumn<int>("mode");
  QTest::newRow("light") << int(Theme::Mode::Light);
  QTest::newRow("dark") << int(Theme::Mode::Dark);
}

void tst_axis_style::labelsAreReadAndTheGridStaysBehind() {
  QFETCH(int, mode);
  Theme theme;
  // The other one first: a theme is changed while plots are shown.
  const auto other =
      mode == int(Theme::Mode::Dark) ? Theme::Mode::Light : Theme::Mode::Dark;
  QCustomPlot plot;
  plot.setBackground(QBrush(Qt::white));
  for (const auto next : {other, Theme::Mode(mode)}) {
    theme.setMode(next);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
      styleAxis(*axis, theme.colours(), plot.font());
  }
  const QColor surface = theme.colours().surface;
  plot.setBackground(QBrush(surface));
  plot.setFont(QFont(plot.font().family(), 20));  // strokes of more than a pixel
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    styleAxis(*axis, theme.colours(), plot.font());
    axis->setLabel(QStringLiteral("HHHH"));
  }
  const QImage image = plot.toPixmap(400, 300).toImage();
  const QRect inside = plot.axisRect()->rect();
  const QRect below(inside.left(), inside.bottom() + 12, inside.width(),
                    image.height() - inside.bottom() - 13);
  const double text = strongest(image, below, surface);
  // Ticks reach five pixels into the plot.
  const double grid = strongest(image, inside.adjusted(8, 8, -8, -8), surface);
  const double line =
      strongest(image, {inside.center().x() + 3, inside.bottom() - 1, 1, 4}, surface);
  QVERIFY2(text > 4.5, qPrintable(QString::number(text)));
  QVERIFY2(grid > 1.01 && grid < 1.35, qPrintable(QString::number(grid)));
  QVERIFY2(line > grid && line < text, qPrintable(QString::number(line)));
}

void tst_axis_style::typeFollowsThePlotsFont() {
  const Theme theme;
  QCustomPlot plot;
  const auto heightAt = [&](double points) {
    QFont font = plot.font();
    font.setPointSizeF(points);
    styleAxis(*plot.xAxis, theme.colours(), font);
    if (plot.xAxis->labelFont() != plot.xAxis->tickLabelFont()) return -1.0;
    return plot.xAxis->tickLabelFont().pointSizeF();
  };
  QVERIFY(heightAt(10.0) < 10.0 && heightAt(10.0) >= 8.0);
  QVERIFY(std::abs(heightAt(20.0) - 2.0 * heightAt(10.0)) < 0.1);
}

EQUIPATCH_TEST(tst_axis_style)
#include "tst_axis_style.moc"
