#include "ui/chart/axes.h"

#include <cmath>
#include <initializer_list>

namespace equipatch {
namespace {

constexpr double kShortest = 1e-3;
constexpr double kLongestPlain = 1e4;

QVector<double> digitTicks(const QCPRange& range, std::initializer_list<int> digits) {
  QVector<double> ticks;
  const int first = int(std::floor(std::log10(range.lower)));
  const int last = int(std::ceil(std::log10(range.upper)));
  for (int exponent = first; exponent <= last; ++exponent)
    for (const int digit : digits) ticks.append(digit * std::pow(10.0, exponent));
  return ticks;
}

}  // namespace

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
  const bool positive = range.lower > 0.0 && range.upper > range.lower;
  m_plain = positive && range.lower >= kShortest && range.upper < kLongestPlain;
  m_wide = !positive || range.upper / range.lower >= 100.0;
  if (m_wide) return QCPAxisTickerLog::createTickVector(tickStep, range);
  if (range.upper / range.lower >= 10.0) return digitTicks(range, {1, 2, 5});
  return digitTicks(range, {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

int LogTicker::getSubTickCount(double tickStep) {
  return m_wide ? QCPAxisTickerLog::getSubTickCount(tickStep) : 0;
}

QString LogTicker::getTickLabel(double tick, const QLocale& locale, QChar format,
                                int precision) {
  if (m_plain) return QString::number(tick, 'g', 3);
  return QCPAxisTickerLog::getTickLabel(tick, locale, format, precision);
}

}  // namespace equipatch
