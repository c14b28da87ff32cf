#include <QSignalSpy>
#include <cmath>

#include "tests/support/test_case.h"
#include "ui/chart/theme.h"

using namespace equipatch;

namespace {

double linear(double channel) {
  return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
  return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) +
         0.0722 * linear(c.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace

class tst_theme : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void switchesAndTells();
  void textIsReadable_data();
  void textIsReadable();
  void seriesDifferInLightnessOrHue();
};

void tst_theme::switchesAndTells() {
  Theme theme;
  theme.setMode(Theme::Mode::Light);
  QSignalSpy changed(&theme, &Theme::changed);
  theme.setMode(Theme::Mode::Dark);
  theme.setMode(Theme::Mode::Dark);
  QCOMPARE(changed.count(), 1);
  QVERIFY(theme.colours().dark);
  QCOMPARE(theme.palette().color(QPalette::Base), theme.colours().surface);
  QVERIFY(theme.styleSheet().contains(theme.colours().border.name()));
}

void tst_theme::textIsReadable_data() {
  QTest::addColumn<int>("mode");
  QTest::newRow("light") << int(Theme::Mode::Light);
  QTest::newRow("dark") << int(Theme::Mode::Dark);
}

// WCAG 2: 4.5 for text, 3 for graphics.
void tst_theme::textIsReadable() {
  QFETCH(int, mode);
  Theme theme;
  theme.setMode(Theme::Mode(mode));
  const Colours& c = theme.colours();
  QVERIFY(contrast(c.text, c.surface) > 7.0);
  QVERIFY(contrast(c.muted, c.surface) > 4.5);
  QVERIFY(contrast(c.muted, c.window) > 4.5);
  QVERIFY(contrast(c.mismatch, c.surface) > 4.5);
  QVERIFY(contrast(c.accentText, c.accent) > 4.5);
  QVERIFY(contrast(c.text, c.tokenA) > 4.5);
  QVERIFY(contrast(c.text, c.tokenB) > 4.5);
  for (const QColor& colour : {c.patched, c.distribution, c.margin, c.noise})
    QVERIFY2(contrast(colour, c.surface) > 3.0, qPrintable(colour.name()));
}

void tst_theme::seriesDifferInLightnessOrHue() {
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    const auto& series = theme.colours().series;
    for (std::size_t i = 0; i < series.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) QVERIFY(series[i] != series[j]);
  }
}

EQUIPATCH_TEST(tst_theme)
#include "tst_theme.moc"
