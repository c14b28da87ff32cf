// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/map_colours.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

/// Labels such as "1000" and "2.5×10⁻⁷", with enough digits to tell neighbouring ticks
/// apart: "0.99992".
class NumberTicker final : public QCPAxisTicker {
 public:
  NumberTicker() { setTickCount(4); }

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override {
    m_step = step;
    return QCPAxisTicker::createTickVector(step, range);
  }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    if (std::abs(tick) < m_step / 2) return QStringLiteral("0");
    constexpr int kFewest = 3;  // digits
    const int decades =
        int(std::floor(std::log10(std::abs(tick)) - std::log10(m_step) + 1e-9));
    const int digits = decades + 2;  // a step has up to two digits: 25
    return digits <= kFewest ? tickText(tick) : numberText(tick, digits);
  }

 private:
  double m_step = 1.0;
};

/// Omits a tick whose label would overlap the label of a more important tick.
class SpacedTicker final : public QCPAxisTickerText {
 public:
  explicit SpacedTicker(const QCPAxis& axis) : m_axis(axis) {}

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override {
    QVector<double> all = QCPAxisTickerText::createTickVector(tickStep, range);
    const double length = m_axis.axisRect()->height();
    if (length <= 0.0) return all;  // not laid out yet
    const double apart =
        QFontMetricsF(m_axis.tickLabelFont()).height() * range.size() / length;
    const auto importance = [](double place) {
      return place == 0.0 ? std::numeric_limits<double>::infinity() : std::abs(place);
    };
    std::ranges::stable_sort(all, std::ranges::greater(), importance);
    QVector<double> kept;
    for (const double place : all)
      if (std::ranges::all_of(
              kept, [&](double other) { return std::abs(place - other) >= apart; }))
        kept << place;
    std::ranges::sort(kept);
    return kept;
  }

 private:
  const QCPAxis& m_axis;  ///< owns this ticker
};

using Kind = FigureMap::Colours;

constexpr int kTicks = 5;
constexpr double kFewDecades = 1.5;  // scales of fewer decades also have ticks at 2 and 5

/// "−10⁻²"; "≥ 5" at the end of a cut scale.
QString tickLabel(const ColourTick& tick) {
  if (tick.value == 0.0) return QStringLiteral("0");
  const double size = std::abs(tick.value);
  const int exponent = int(std::lround(std::log10(size)));
  const bool isPower = std::abs(size / std::pow(10.0, exponent) - 1.0) < 1e-9;
  const QString number = (tick.value < 0 ? QStringLiteral("−") : QString()) +
                         (isPower ? powerText(exponent) : tickText(size));
  if (!tick.isCut) return number;
  return (tick.value < 0 ? QStringLiteral("≤ ") : QStringLiteral("≥ ")) + number;
}

QSharedPointer<QCPAxisTicker> labelledTicker(const std::vector<ColourTick>& ticks) {
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const ColourTick& tick : ticks) ticker->addTick(tick.place, tickLabel(tick));
  return ticker;
}

/// @param places log₁₀ of the values at the scale's ends
QSharedPointer<QCPAxisTicker> powerTicker(const QCPRange& places) {
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const bool few = places.size() < kFewDecades;
  const std::vector<int> digits = few ? std::vector{1, 2, 5} : std::vector{1};
  const int every = std::max(1, int(std::ceil(places.size() / kTicks)));
  const int last = int(std::floor(places.upper));
  for (int exponent = last; exponent >= int(std::floor(places.lower)); exponent -= every)
    for (const int digit : digits)
      ticker->addTick(
          exponent + std::log10(digit),
          (digit == 1 ? QString() : QString::number(digit) + u'×') + powerText(exponent));
  return ticker;
}

}  // namespace

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

MapColours::MapColours(const FigureMap& map)
    : m_colours(map.colours), m_range(colourRange(map)), m_ticks(colourTicks(map)) {}

double MapColours::operator()(double value) const {
  return colourPlace(m_colours, m_range, value);
}

QCPRange MapColours::range() const {
  return {(*this)(m_range.low), (*this)(m_range.high)};
}

QSharedPointer<QCPAxisTicker> MapColours::ticker() const {
  if (m_colours == Kind::RisingLogarithmic) return powerTicker(range());
  if (!m_ticks.empty()) return labelledTicker(m_ticks);
  return QSharedPointer<NumberTicker>::create();
}

QCPColorGradient MapColours::gradient(const Colours& colours) const {
  return m_colours <= Kind::AroundZeroEvenly ? divergingGradient(colours)
                                             : sequentialGradient();
}

void keepTicksApart(QCPAxis& axis) {
  const auto labelled = axis.ticker().dynamicCast<QCPAxisTickerText>();
  if (!labelled) return;
  const auto spaced = QSharedPointer<SpacedTicker>::create(axis);
  spaced->addTicks(labelled->ticks());
  axis.setTicker(spaced);
}

void fillColourMap(QCPColorMap& map, const PooledGrid& pooled,
                   const MapColours& colours) {
  const int columns = pooled.grid.columns();
  const int layers = pooled.grid.rows();
  QCPColorMapData& data = *map.data();
  if (columns == 0 || layers == 0) return data.clear();
  // QCustomPlot cannot draw a map of one row or column. Two rows or columns of half the
  // size replace it.
  const int keys = std::max(2, columns);
  const int values = std::max(2, layers);
  const double cell = (pooled.last - pooled.first) / keys;
  const double row = double(layers) / values;
  data.setSize(keys, values);
  data.setRange({pooled.first - 0.5 + cell / 2, pooled.last - 0.5 - cell / 2},
                {row / 2 - 0.5, layers - 0.5 - row / 2});
  const QCPRange ends = colours.range();
  const auto placeOf = [&](double value) {
    const double place = colours(value);
    if (!std::isinf(place)) return place;  // QCustomPlot gives ∞ the lowest colour
    return place > 0.0 ? ends.upper : ends.lower;
  };
  for (int k = 0; k < keys; ++k)
    for (int v = 0; v < values; ++v)
      data.setCell(k, v,
                   placeOf(double(pooled.grid.at(std::min(v, layers - 1),
                                                 std::min(k, columns - 1)))));
}

}  // namespace equipatch
