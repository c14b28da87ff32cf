#include "ui/chart/colour_scale.h"

#include <cmath>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

constexpr double kThreshold =
    1e-3;  // of the largest size: linear below, logarithmic above
constexpr int kDecades = 3;

void addTick(QCPAxisTickerText& ticker, double position, double value) {
  const QString sign = value < 0 ? QStringLiteral("−") : QString();
  const int exponent = int(std::lround(std::log10(std::abs(value))));
  ticker.addTick(position, sign + powerText(exponent));
}

/// Labels without trailing zeros: "1000", "2.5×10⁻⁷".
class NumberTicker final : public QCPAxisTicker {
 public:
  NumberTicker() { setTickCount(4); }

 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return tickText(tick);
  }
};

}  // namespace

ColourTransform::ColourTransform(Kind kind, double largest)
    : m_kind(kind), m_largest(largest > 0.0 && std::isfinite(largest) ? largest : 1.0) {}

double ColourTransform::operator()(double value) const {
  if (m_kind == Kind::Linear) return value;
  return std::copysign(std::log10(1.0 + std::abs(value) / (kThreshold * m_largest)),
                       value);
}

QSharedPointer<QCPAxisTicker> ColourTransform::ticker(Signs signs) const {
  if (m_kind == Kind::Linear) return QSharedPointer<NumberTicker>::create();
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  ticker->addTick(0.0, QStringLiteral("0"));
  const int top = int(std::floor(std::log10(m_largest)));
  for (int exponent = top; exponent > top - kDecades; --exponent) {
    const double value = std::pow(10.0, exponent);
    addTick(*ticker, (*this)(value), value);
    if (signs == Signs::Both) addTick(*ticker, (*this)(-value), -value);
  }
  return ticker;
}

QCPColorGradient divergingGradient(const Colours& colours) {
  QCPColorGradient gradient;
  gradient.clearColorStops();
  if (colours.dark) {
    gradient.setColorStopAt(0.0, 0xb5dcff);
    gradient.setColorStopAt(0.25, 0x2f86c9);
    gradient.setColorStopAt(0.5, 0x14171c);
    gradient.setColorStopAt(0.75, 0xc9752a);
    gradient.setColorStopAt(1.0, 0xffdcb0);
  } else {
    gradient.setColorStopAt(0.0, 0x083a6b);
    gradient.setColorStopAt(0.25, 0x4a9bd4);
    gradient.setColorStopAt(0.5, 0xf8f8f8);
    gradient.setColorStopAt(0.75, 0xe8973f);
    gradient.setColorStopAt(1.0, 0x7a3200);
  }
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

QCPColorGradient sequentialGradient() {
  QCPColorGradient gradient;
  gradient.clearColorStops();
  gradient.setColorStopAt(0.0, 0x3b0f52);
  gradient.setColorStopAt(0.25, 0x3a528b);
  gradient.setColorStopAt(0.5, 0x20908d);
  gradient.setColorStopAt(0.75, 0x5dc863);
  gradient.setColorStopAt(1.0, 0xfbe625);
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}

}  // namespace equipatch
