// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/text_lines.h"

#include <QSet>
#include <algorithm>

namespace equipatch {
namespace {

/// The characters of a word that fit, at least one; up to its last sign, if it has one.
qsizetype fittingPart(const QString& word, const QFontMetricsF& metrics, double width) {
  qsizetype most = 1;
  while (most < word.size() && metrics.horizontalAdvance(word.first(most + 1)) <= width)
    ++most;
  if (most == word.size()) return most;
  for (qsizetype end = most; end > 1; --end)
    if (!word[end - 1].isLetterOrNumber() && !word[end - 1].isSurrogate()) return end;
  return word[most - 1].isHighSurrogate() && most > 1 ? most - 1 : most;
}

}  // namespace

QStringList textLines(const QString& words, const QFontMetricsF& metrics, double width) {
  QStringList lines;
  QString line;
  for (QString word : words.split(u' ')) {
    const QString longer = line.isEmpty() ? word : line + u' ' + word;
    if (metrics.horizontalAdvance(longer) <= width) {
      line = longer;
      continue;
    }
    if (!line.isEmpty()) lines << line;
    while (metrics.horizontalAdvance(word) > width && word.size() > 1) {
      const qsizetype part = fittingPart(word, metrics, width);
      lines << word.first(part);
      word.remove(0, part);
    }
    line = word;
  }
  return line.isEmpty() && !lines.isEmpty() ? lines : lines << line;
}

double widestWord(const QString& words, const QFontMetricsF& metrics) {
  return widestLine(words.split(u' '), metrics);
}

double widestLine(const QStringList& lines, const QFontMetricsF& metrics) {
  double widest = 0.0;
  for (const QString& line : lines)
    widest = std::max(widest, metrics.horizontalAdvance(line));
  return widest;
}

namespace {

qsizetype kindsOf(const QStringList& list) {
  return QSet<QString>(list.begin(), list.end()).size();
}

/// The length of the words with which all texts begin.
qsizetype commonWords(const QStringList& texts) {
  qsizetype length = texts.first().size();
  for (const QString& text : texts) {
    const auto end =
        std::ranges::mismatch(text, QStringView(texts.first()).first(length)).in1;
    length = end - text.begin();
  }
  return length == 0 ? 0 : texts.first().lastIndexOf(u' ', length - 1) + 1;
}

/// Leaves out the beginning that texts with the same elided form have in common.
QStringList withoutBeginnings(const QStringList& texts, const QStringList& elided) {
  QStringList rest = texts;
  for (qsizetype i = 0; i < texts.size(); ++i) {
    QStringList alike;
    for (qsizetype j = 0; j < texts.size(); ++j)
      if (elided[j] == elided[i]) alike << texts[j];
    if (kindsOf(alike) > 1) rest[i] = u'…' + texts[i].mid(commonWords(alike));
  }
  return rest;
}

}  // namespace

QStringList elidedApart(const QStringList& texts, const QFontMetricsF& metrics,
                        const QList<double>& widths) {
  const auto elided = [&](const QStringList& wanted, Qt::TextElideMode mode) {
    QStringList shown;
    for (qsizetype i = 0; i < wanted.size(); ++i)
      shown << metrics.elidedText(wanted[i], mode, widths[i]);
    return shown;
  };
  QStringList best = elided(texts, Qt::ElideMiddle);
  const auto offer = [&best](const QStringList& shown) {
    if (kindsOf(shown) > kindsOf(best)) best = shown;
  };
  offer(elided(texts, Qt::ElideRight));
  offer(elided(texts, Qt::ElideLeft));
  offer(elided(withoutBeginnings(texts, best), Qt::ElideRight));
  return best;
}

}  // namespace equipatch
