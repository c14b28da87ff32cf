#include <cmath>

#include "tests/support/test_case.h"
#include "ui/chart/colour_scale.h"

using namespace equipatch;

class tst_colour_scale : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void linearIsIdentity();
  void linearTicksAreNumbersForPeople();
  void symmetricLogIsOddAndMonotonic();
  void symmetricLogShowsSmallBesideLarge();
  void ticksCarryTheirValues();
  void divergingIsNeutralAtZero();
  void missingIsTransparent();
};

void tst_colour_scale::linearTicksAreNumbersForPeople() {
  const auto labels = [](double largest) {
    const ColourTransform transform(ColourTransform::Kind::Linear, largest);
    QVector<double> ticks;
    QVector<QString> texts;
    transform.ticker(ColourTransform::Signs::Both)
        ->generate({-largest, largest}, QLocale::c(), u'g', 6, ticks, nullptr, &texts);
    return QStringList(texts.begin(), texts.end());
  };
  QVERIFY(labels(2000.0).contains(QStringLiteral("1000")));
  QVERIFY(labels(2000.0).contains(QStringLiteral("0")));
  QVERIFY(labels(10.0).contains(QStringLiteral("−5")));
  QVERIFY(labels(1e-6).contains(QStringLiteral("5×10⁻⁷")));
}

void tst_colour_scale::linearIsIdentity() {
  const ColourTransform transform(ColourTransform::Kind::Linear, 3.0);
  QCOMPARE(transform(-2.5), -2.5);
  QCOMPARE(transform.end(), 3.0);
}

void tst_colour_scale::symmetricLogIsOddAndMonotonic() {
  const ColourTransform transform(ColourTransform::Kind::SymmetricLog, 10.0);
  double before = -INFINITY;
  for (double value = -10.0; value <= 10.0; value += 0.37) {
    QCOMPARE(transform(-value), -transform(value));
    QVERIFY(transform(value) > before);
    before = transform(value);
  }
  QCOMPARE(transform(0.0), 0.0);
}

void tst_colour_scale::symmetricLogShowsSmallBesideLarge() {
  const ColourTransform transform(ColourTransform::Kind::SymmetricLog, 1.0);
  QVERIFY(transform(0.03) / transform.end() > 0.4);
  const ColourTransform degenerate(ColourTransform::Kind::SymmetricLog, 0.0);
  QVERIFY(std::isfinite(degenerate.end()));
}

void tst_colour_scale::ticksCarryTheirValues() {
  const ColourTransform transform(ColourTransform::Kind::SymmetricLog, 5.0);
  const auto both =
      transform.ticker(ColourTransform::Signs::Both).dynamicCast<QCPAxisTickerText>();
  QVERIFY(both);
  QCOMPARE(both->ticks().value(0.0), QStringLiteral("0"));
  QCOMPARE(both->ticks().value(transform(1.0)), QStringLiteral("1"));
  QCOMPARE(both->ticks().value(transform(-0.1)), QStringLiteral("−10⁻¹"));
  QCOMPARE(both->ticks().size(), 7);
  const auto positive =
      transform.ticker(ColourTransform::Signs::Positive).dynamicCast<QCPAxisTickerText>();
  QCOMPARE(positive->ticks().size(), 4);
}

void tst_colour_scale::divergingIsNeutralAtZero() {
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    QCPColorGradient gradient = divergingGradient(theme.colours());
    const QColor middle = QColor(gradient.color(0.0, {-1.0, 1.0}));
    QVERIFY(middle.hsvSaturation() < 80);
    const QColor low(gradient.color(-1.0, {-1.0, 1.0}));
    const QColor high(gradient.color(1.0, {-1.0, 1.0}));
    // Cold against warm, and both away from the middle in lightness.
    QVERIFY(low.blue() > low.red());
    QVERIFY(high.red() > high.blue());
    QVERIFY(std::abs(low.lightness() - middle.lightness()) > 60);
    QVERIFY(std::abs(high.lightness() - middle.lightness()) > 60);
  }
}

void tst_colour_scale::missingIsTransparent() {
  const Theme theme;
  QCOMPARE(divergingGradient(theme.colours()).nanHandling(),
           QCPColorGradient::nhTransparent);
  QCOMPARE(sequentialGradient().nanHandling(), QCPColorGradient::nhTransparent);
}

EQUIPATCH_TEST(tst_colour_scale)
#include "tst_colour_scale.moc"
