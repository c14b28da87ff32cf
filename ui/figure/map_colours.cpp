#include "ui/figure/map_colours.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

using Kind = FigureMap::Colours;

constexpr int kTicks = 5;
constexpr double kFewDecades = 1.5;  // so few that digits are named, too

ColourTransform transformOf(const FigureMap& map, const ColourRange& range) {
  return map.colours == Kind::AroundZero || map.colours == Kind::FromZero
             ? ColourTransform(ColourTransform::Kind::SymmetricLog, range.high)
             : ColourTransform();
}

/// Places are powers of ten.
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

MapColours::MapColours(const FigureMap& map)
    : m_colours(map.colours),
      m_range(colourRange(map)),
      m_transform(transformOf(map, m_range)) {}

double MapColours::operator()(double value) const {
  if (m_colours != Kind::RisingLogarithmic || std::isnan(value))
    return m_transform(value);
  return std::log10(std::max(value, m_range.low));
}

QCPRange MapColours::range() const {
  return {(*this)(m_range.low), (*this)(m_range.high)};
}

QSharedPointer<QCPAxisTicker> MapColours::ticker() const {
  if (m_colours == Kind::RisingLogarithmic) return powerTicker(range());
  return m_transform.ticker(m_range.low < 0.0 ? ColourTransform::Signs::Both
                                              : ColourTransform::Signs::Positive);
}

QCPColorGradient MapColours::gradient(const Colours& colours) const {
  return m_colours <= Kind::AroundZeroEvenly ? divergingGradient(colours)
                                             : sequentialGradient();
}

}  // namespace equipatch
