// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/figure/tex/figure_tex.h"
#include "core/page/page_assets.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/contrast.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/chart/theme.h"

using namespace equipatch;
using test::contrast;
using test::linearLight;

namespace {

/// Three coordinates of a colour: linear red, green and blue, CIE XYZ, or CIELAB.
using Light = std::array<double, 3>;

Light transformed(const std::array<Light, 3>& matrix, const Light& light) {
  Light result{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      result[row] += matrix[row][column] * light[column];
  return result;
}

/// The colour as seen with deuteranopia: Machado, Oliveira, Fernandes 2009, severity 1.
Light withoutGreenReceptors(const Light& light) {
  Light seen = transformed({{{0.367322, 0.860646, -0.227968},
                             {0.280085, 0.672501, 0.047413},
                             {-0.011820, 0.042940, 0.968881}}},
                           light);
  for (double& part : seen) part = std::clamp(part, 0.0, 1.0);
  return seen;
}

/// CIELAB (CIE 1976) with the white point of sRGB, D65.
Light lab(const Light& light) {
  const Light xyz = transformed({{{0.4124564, 0.3575761, 0.1804375},
                                  {0.2126729, 0.7151522, 0.0721750},
                                  {0.0193339, 0.1191920, 0.9503041}}},
                                light);
  const auto f = [](double t) {
    return t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
  };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

/// The CIE 1976 ΔE with normal vision or with deuteranopia, whichever is smaller.
double difference(const QColor& a, const QColor& b) {
  const auto light = [](const QColor& c) {
    return Light{linearLight(c.redF()), linearLight(c.greenF()), linearLight(c.blueF())};
  };
  const auto distance = [](const Light& one, const Light& other) {
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
  };
  return std::min(distance(lab(light(a)), lab(light(b))),
                  distance(lab(withoutGreenReceptors(light(a))),
                           lab(withoutGreenReceptors(light(b)))));
}

/// The ΔE that thin lines need: several times 2.3, the just noticeable difference of
/// large areas.
constexpr double kApart = 15.0;

}  // namespace

class tst_theme : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void changingTheModeIsSignalledOnce();
  void textIsReadable_data();
  void textIsReadable();
  void linesAreVisible();
  void pagesAndTexFiguresHaveTheThemesColours();
  void disabledSlidersHaveNoAccent();
  void listsAndTextsThatHaveTheFocusHaveAFrame();
  void colourDifferencesMatchPublishedValues();
  void seriesDifferAlsoWithoutGreenReceptors();
};

void tst_theme::changingTheModeIsSignalledOnce() {
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

// WCAG 2 requires a contrast of 4.5 for text.
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
}

// WCAG 2 requires a contrast of 3 for graphics.
void tst_theme::linesAreVisible() {
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    const Colours& c = theme.colours();
    std::vector<QColor> lines{c.mismatch, c.patched, c.distribution, c.bare,
                              c.margin,   c.noise,   c.kept};
    lines.insert(lines.end(), c.series.begin(), c.series.end());
    for (const QColor& colour : lines)
      QVERIFY2(contrast(colour, c.surface) >= 3.0, qPrintable(colour.name()));
  }
}

void tst_theme::pagesAndTexFiguresHaveTheThemesColours() {
  Theme theme;
  std::string style;
  for (const std::string_view part : kPageStyles) style += part;
  const std::size_t dark = style.find("data-theme=\"dark\"");
  QVERIFY(dark != std::string::npos);
  const auto styleHas = [&](const std::string& name, const QColor& colour) {
    const std::size_t from = theme.colours().dark ? dark : 0;
    const std::string value = "--" + name + ": ";
    const std::size_t at = style.find(value, from);
    return style.compare(at + value.size(), 7, colour.name().toStdString()) == 0;
  };
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    theme.setMode(mode);
    const Colours& c = theme.colours();
    QVERIFY(styleHas("patched", c.patched) && styleHas("bare", c.bare) &&
            styleHas("distribution", c.distribution) && styleHas("margin", c.margin) &&
            styleHas("noise", c.noise) && styleHas("kept", c.kept) &&
            styleHas("mismatch", c.mismatch));
    for (std::size_t i = 0; i < c.series.size(); ++i)
      QVERIFY(styleHas("series-" + std::to_string(i), c.series[i]));
  }
  theme.setMode(Theme::Mode::Light);
  const QString tex = QString::fromStdString(figureTex(Figure{}, {}));
  const auto& series = theme.colours().series;
  for (std::size_t i = 0; i < series.size(); ++i)
    QVERIFY(tex.contains(QStringLiteral("{equipatch%1}{HTML}{%2}")
                             .arg(i)
                             .arg(series[i].name().mid(1).toUpper())));
}

void tst_theme::disabledSlidersHaveNoAccent() {
  QApplication::setStyle(QStringLiteral("Fusion"));
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    QSlider slider(Qt::Horizontal);
    slider.setPalette(theme.palette());
    slider.setValue(50);
    slider.resize(200, 24);
    const auto mostSaturated = [&slider] {
      const QImage image = slider.grab().toImage();
      int most = 0;
      for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y) {
          const QColor colour = image.pixelColor(x, y);
          const auto [low, high] =
              std::minmax({colour.red(), colour.green(), colour.blue()});
          most = std::max(most, high - low);
        }
      return most;
    };
    constexpr int kColourful = 80, kGrey = 40;  // of 255
    QVERIFY(mostSaturated() > kColourful);
    slider.setEnabled(false);
    QVERIFY(mostSaturated() < kGrey);
  }
}

/// In a list without a selected row, and in a text while its blinking cursor is off, only
/// the frame shows the focus. In dark colours the style's own frames are hardly visible.
void tst_theme::listsAndTextsThatHaveTheFocusHaveAFrame() {
  const test::QuietPlatform quiet;
  Theme theme;
  theme.setMode(Theme::Mode::Dark);
  QWidget window;
  window.setStyleSheet(theme.styleSheet());
  auto* layout = new QVBoxLayout(&window);
  auto* other = new QLineEdit;
  layout->addWidget(other);
  auto* page = new QTextBrowser;
  page->setObjectName(QStringLiteral("helpPage"));
  page->setFrameShape(QFrame::NoFrame);
  const QList<QWidget*> fields = {new QListWidget, new QTreeWidget, new QPlainTextEdit,
                                  page};
  for (QWidget* field : fields) layout->addWidget(field);
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  for (QWidget* field : fields) {
    const auto edge = [field] {
      const QImage image = field->grab().toImage();
      return image.pixelColor(0, image.height() / 2);
    };
    other->setFocus();
    QVERIFY(edge() != theme.colours().accent);
    field->setFocus();
    QTRY_COMPARE(edge(), theme.colours().accent);
  }
}

void tst_theme::colourDifferencesMatchPublishedValues() {
  QVERIFY(std::abs(difference(Qt::black, Qt::white) - 100.0) < 0.1);
  QCOMPARE(difference(QColor(10, 200, 30), QColor(10, 200, 30)), 0.0);
  // sRGB red in CIELAB, from Lindbloom.
  const Light red = lab({1.0, 0.0, 0.0});
  QVERIFY(std::abs(red[0] - 53.24) < 0.01 && std::abs(red[1] - 80.09) < 0.01 &&
          std::abs(red[2] - 67.20) < 0.01);
  // Red and green of matplotlib's default colours.
  QVERIFY(difference(0xd62728, 0x2ca02c) < kApart);
}

void tst_theme::seriesDifferAlsoWithoutGreenReceptors() {
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    const auto& series = theme.colours().series;
    for (std::size_t i = 0; i < series.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY2(difference(series[i], series[j]) > kApart,
                 qPrintable(series[i].name() + " and " + series[j].name()));
  }
}

EQUIPATCH_TEST(tst_theme)
#include "tst_theme.moc"
