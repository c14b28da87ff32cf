// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/meaning.h"

#include "core/text/glossary.h"

namespace equipatch {
namespace {

QString sentenceOn(const QString& word) {
  const std::string_view sentence = glossarySentence(word.toStdString());
  return QString::fromUtf8(sentence.data(), qsizetype(sentence.size()));
}

}  // namespace

QString meaningOf(const QString& label) {
  if (const QString whole = sentenceOn(label); !whole.isEmpty()) return whole;
  QString word = label;
  word = word.remove(u'‖').section(u',', 0, 0).section(u'/', 0, 0).trimmed();
  if (const QString found = sentenceOn(word); !found.isEmpty()) return found;
  return sentenceOn(word.section(u' ', 0, 0));
}

}  // namespace equipatch
