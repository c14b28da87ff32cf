#include "ui/chart/number_text.h"

#include <QLocale>
#include <cmath>

namespace equipatch {
namespace {

QString superscript(int exponent) {
  static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text;
  for (const QChar c : QString::number(exponent))
    text += c == u'-' ? QChar(u'⁻') : digits.at(c.digitValue());
  return text;
}

QString scientific(double value) {
  const QStringList parts = QString::number(value, 'e', 2).split(u'e');
  return parts[0] + QStringLiteral("×10") + superscript(parts[1].toInt());
}

}  // namespace

QString numberText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  if (value == 0.0) return QStringLiteral("0");
  const double size = std::abs(value);
  QString text =
      size >= 1e-3 && size < 99999.5
          ? QString::number(value, size >= 1000 ? 'f' : 'g', size >= 1000 ? 0 : 3)
          : scientific(value);
  if (text.startsWith(u'-')) text[0] = QChar(u'−');
  return text;
}

QString powerText(int exponent) {
  if (exponent == 0) return QStringLiteral("1");
  const QString ten = QStringLiteral("10");
  return exponent == 1 ? ten : ten + superscript(exponent);
}

QString percentText(double probability) {
  if (probability > 0.0 && probability < 0.0005) return QStringLiteral("<0.1 %");
  return QString::number(100.0 * probability, 'f', 1) + QStringLiteral(" %");
}

QString shortPercentText(double probability) {
  if (probability > 0.0 && probability < 0.0005) return QStringLiteral("<0.1");
  return QString::number(100.0 * probability, 'f', probability < 0.0995 ? 1 : 0);
}

QString countText(qint64 count, const QString& noun) {
  const QString number = QLocale(QLocale::English).toString(count);
  const bool hisses = noun.endsWith(QStringLiteral("ch")) || noun.endsWith(u's');
  const QString ending = hisses ? QStringLiteral("es") : QStringLiteral("s");
  return number + u' ' + noun + (count == 1 ? QString() : ending);
}

}  // namespace equipatch
