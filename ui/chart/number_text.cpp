// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/number_text.h"

#include <QLocale>
#include <QRegularExpression>
#include <cmath>

#include "core/base/number_format.h"

namespace equipatch {

QString numberText(double value, int digits) {
  return QString::fromStdString(typographicText(value, digits));
}

QString tickText(double value) {
  return QString::fromStdString(typographicTick(value));
}

QString powerText(int exponent) {
  return QString::fromStdString(powerOfTenText(exponent));
}

QString messageText(const std::string& message) {
  return QString::fromStdString(withTypographicExponents(message));
}

QString sentenceText(const QString& sentence) {
  static const QRegularExpression plainWord(QStringLiteral("^[a-z]+('s)?(?=[ ,])"));
  if (!plainWord.match(sentence).hasMatch()) return sentence;
  return sentence.first(1).toUpper() + sentence.sliced(1);
}

QString percentText(double probability) {
  if (std::isnan(probability)) return QStringLiteral("–");
  if (probability > 0.0 && probability < 0.0005) return QStringLiteral("<0.1 %");
  if (probability >= 0.9995 && probability < 1.0) return QStringLiteral(">99.9 %");
  return QString::number(100.0 * probability, 'f', 1) + QStringLiteral(" %");
}

QString shortPercentText(double probability) {
  if (std::isnan(probability)) return QStringLiteral("–");
  if (probability > 0.0 && probability < 0.0005) return QStringLiteral("<0.1");
  if (probability >= 0.9995 && probability < 1.0) return QStringLiteral(">99.9");
  const bool isNearAnEnd = probability < 0.0995 || probability >= 0.995;
  return QString::number(100.0 * probability, 'f', isNearAnEnd && probability < 1.0);
}

QString countText(qint64 count, const QString& noun) {
  const QString number = QLocale(QLocale::English).toString(count);
  const bool takesEs = noun.endsWith(QStringLiteral("ch")) || noun.endsWith(u's');
  const QString ending = takesEs ? QStringLiteral("es") : QStringLiteral("s");
  return number + u' ' + noun + (count == 1 ? QString() : ending);
}

}  // namespace equipatch
