#pragma once

#include "ui/qcp.h"

namespace equipatch {

/// Ticks of a logarithmic axis: powers of ten; over less than two decades also 2 and 5,
/// over less than one every digit. Plain labels where all of them are short, powers
/// elsewhere.
class LogTicker final : public QCPAxisTickerLog {
 public:
  LogTicker() { setTickCount(6); }

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  int getSubTickCount(double tickStep) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format,
                       int precision) override;

 private:
  bool m_plain = false;
  bool m_wide = true;  // powers of ten only
};

}  // namespace equipatch
