// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/text_lines.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <limits>
#include <utility>

namespace equipatch {

qsizetype fittingLength(const QString& text, const QFontMetricsF& metrics, double width) {
  const auto fits = [&](qsizetype length) {
    return metrics.horizontalAdvance(text.first(length)) <= width;
  };
  qsizetype least = 0, beyond = 1;
  while (beyond <= text.size() && fits(beyond)) least = std::exchange(beyond, 2 * beyond);
  beyond = std::min(beyond, text.size() + 1);
  while (beyond - least > 1) {
    const qsizetype middle = (least + beyond) / 2;
    (fits(middle) ? least : beyond) = middle;
  }
  return least;
}

namespace {

/// How many characters of a word go into a line of this width: at least one, even if that
/// is wider. `textLines` says where a word is broken.
qsizetype fittingPart(const QString& word, const QFontMetricsF& metrics, double width) {
  const qsizetype first = word[0].isHighSurrogate() ? 2 : 1;
  const qsizetype most = std::clamp(fittingLength(word, metrics, width),
                                    std::min(first, word.size()), word.size());
  if (most == word.size()) return most;
  for (qsizetype end = most; end > 1; --end)
    if (!word[end - 1].isLetterOrNumber() && !word[end - 1].isSurrogate()) return end;
  return most > first && word[most - 1].isHighSurrogate() ? most - 1 : most;
}

}  // namespace

QString startOfText(const QString& text, qsizetype most) {
  const QString line = text.simplified();
  if (line.size() <= most) return line;
  return line.left(line[most - 1].isHighSurrogate() ? most - 1 : most) + u'…';
}

QString endOfText(const QString& text, qsizetype most) {
  const QString line = text.simplified();
  if (line.size() <= most) return line;
  return u'…' + line.right(line[line.size() - most].isLowSurrogate() ? most - 1 : most);
}

QStringList textLines(const QString& words, const QFontMetricsF& metrics, double width) {
  QStringList lines;
  QString line;
  for (QString word : words.split(u' ')) {
    const QString longer = line.isEmpty() ? word : line + u' ' + word;
    if (fittingLength(longer, metrics, width) == longer.size()) {
      line = longer;
      continue;
    }
    if (!line.isEmpty()) lines << line;
    while (word.size() > 1) {
      const qsizetype part = fittingPart(word, metrics, width);
      if (part == word.size()) break;
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

qsizetype distinctCount(const QStringList& list) {
  return QSet<QString>(list.begin(), list.end()).size();
}

/// The number of characters in the words with which all texts begin, with the space after
/// each word.
qsizetype commonLength(const QStringList& texts) {
  qsizetype length = texts.first().size();
  for (const QString& text : texts) {
    const auto end =
        std::ranges::mismatch(text, QStringView(texts.first()).first(length)).in1;
    length = end - text.begin();
  }
  return length == 0 ? 0 : texts.first().lastIndexOf(u' ', length - 1) + 1;
}

/// Where different texts have the same elided form, puts "…" in place of their common
/// first words.
QStringList withoutBeginnings(const QStringList& texts, const QStringList& elided) {
  QStringList rest = texts;
  for (qsizetype i = 0; i < texts.size(); ++i) {
    QStringList alike;
    for (qsizetype j = 0; j < texts.size(); ++j)
      if (elided[j] == elided[i]) alike << texts[j];
    const qsizetype common = distinctCount(alike) > 1 ? commonLength(alike) : 0;
    if (common > 0) rest[i] = u'…' + texts[i].mid(common);
  }
  return rest;
}

/// For each word, the number of texts that contain it.
QHash<QString, int> wordCounts(const QStringList& texts) {
  QHash<QString, int> counts;
  for (const QString& text : texts) {
    const QStringList words = text.split(u' ');
    for (const QString& word : QSet<QString>(words.begin(), words.end())) ++counts[word];
  }
  return counts;
}

/// The kept words, with one "…" for each gap.
QString joinedWords(const QStringList& words, const QList<bool>& kept) {
  QString text;
  for (qsizetype i = 0; i < words.size(); ++i) {
    const bool follows = i > 0 && kept[i - 1];
    const QString part = kept[i] ? words[i] : QStringLiteral("…");
    if (part == QStringLiteral("…") && text.endsWith(u'…')) continue;
    text += (follows && kept[i] ? QStringLiteral(" ") : QString()) + part;
  }
  return text;
}

/// Puts "…" in place of the words with which all texts begin, unless all texts fit.
QStringList withoutCommonBeginning(const QStringList& texts, const QFontMetricsF& metrics,
                                   const QList<double>& widths) {
  bool allFit = true;
  for (qsizetype i = 0; i < texts.size(); ++i)
    allFit = allFit && metrics.horizontalAdvance(texts[i]) <= widths[i];
  if (allFit) return texts;
  qsizetype common = 0;  // characters, with the space after each word
  const auto allBeginLike = [&](qsizetype length) {
    return std::ranges::all_of(texts, [&](const QString& text) {
      return text.size() > length &&
             QStringView(text).left(length) == QStringView(texts.front()).left(length);
    });
  };
  for (qsizetype space = texts.front().indexOf(u' ');
       space >= 0 && allBeginLike(space + 1); space = texts.front().indexOf(u' ', common))
    common = space + 1;
  if (common == 0) return texts;
  QStringList rest;
  for (const QString& text : texts) rest << QString(u'…') + text.mid(common);
  return rest;
}

/// The index of the word to leave out next. The candidates are the kept words with the
/// highest count; the farthest from any kept word with the lowest count is chosen. −1 if
/// all kept words have the same count.
/// @param counts for each word, the number of texts that contain it
qsizetype leastTelling(const QList<int>& counts, const QList<bool>& kept) {
  int fewest = std::numeric_limits<int>::max(), most = 0;
  for (qsizetype i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    fewest = std::min(fewest, counts[i]);
    most = std::max(most, counts[i]);
  }
  if (fewest >= most) return -1;
  qsizetype found = -1, farthest = 0;
  for (qsizetype i = 0; i < kept.size(); ++i) {
    if (!kept[i] || counts[i] < most) continue;
    qsizetype nearest = kept.size();
    for (qsizetype j = 0; j < kept.size(); ++j)
      if (kept[j] && counts[j] == fewest) nearest = std::min(nearest, std::abs(i - j));
    if (nearest > farthest) {
      farthest = nearest;
      found = i;
    }
  }
  return found;
}

/// Leaves out words that several texts contain, until the text fits. If that is not
/// enough, elides the text in the middle.
QString tellingWords(const QString& text, const QHash<QString, int>& textsWith,
                     const QFontMetricsF& metrics, double width) {
  constexpr qsizetype kMostWords = 100;  // the time grows with the cube of their number
  const QStringList words = text.split(u' ');
  if (words.size() > kMostWords) return metrics.elidedText(text, Qt::ElideMiddle, width);
  QList<int> counts;
  for (const QString& word : words) counts << textsWith.value(word);
  QList<bool> kept(words.size(), true);
  QString shown = text;
  while (metrics.horizontalAdvance(shown) > width) {
    const qsizetype word = leastTelling(counts, kept);
    if (word < 0) break;
    kept[word] = false;
    shown = joinedWords(words, kept);
  }
  return metrics.elidedText(shown, Qt::ElideMiddle, width);
}

}  // namespace

QStringList elidedApart(const QStringList& texts, const QFontMetricsF& metrics,
                        const QList<double>& widths) {
  const auto elided = [&](const QStringList& wanted, Qt::TextElideMode mode) {
    QStringList shown;
    for (qsizetype i = 0; i < wanted.size(); ++i)
      shown << metrics.elidedText(wanted[i], mode, widths[i])
                   .replace(QStringLiteral("……"), QStringLiteral("…"));
    return shown;
  };
  if (distinctCount(texts) > 1) {  // texts that are cut at their ends read best
    const QStringList cut =
        elided(withoutCommonBeginning(texts, metrics, widths), Qt::ElideRight);
    if (distinctCount(cut) == distinctCount(texts)) return cut;
  }
  const QHash<QString, int> textsWith = wordCounts(texts);
  QStringList best;
  for (qsizetype i = 0; i < texts.size(); ++i)
    best << tellingWords(texts[i], textsWith, metrics, widths[i]);
  if (distinctCount(best) == distinctCount(texts)) return best;
  const auto offer = [&best](const QStringList& shown) {
    if (distinctCount(shown) > distinctCount(best)) best = shown;
  };
  for (const auto mode : {Qt::ElideMiddle, Qt::ElideRight, Qt::ElideLeft})
    offer(elided(texts, mode));
  for (qsizetype count = 0; count != distinctCount(best);) {  // while more texts differ
    count = distinctCount(best);
    const QStringList rest = withoutBeginnings(texts, best);
    offer(elided(rest, Qt::ElideRight));
    offer(elided(rest, Qt::ElideMiddle));
  }
  return best;
}

}  // namespace equipatch
