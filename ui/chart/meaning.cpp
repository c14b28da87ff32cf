// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/meaning.h"

#include <QFile>
#include <QHash>

// Resources of a static library need Q_INIT_RESOURCE outside any namespace.
static void initGlossary() {
  Q_INIT_RESOURCE(controls);
}

namespace equipatch {
namespace {

/// The rows of the glossary's last table: "| word | sentence |".
QHash<QString, QString> readSentences() {
  initGlossary();
  QFile file(QStringLiteral(":/controls/glossary.md"));
  QHash<QString, QString> sentences;
  if (!file.open(QIODevice::ReadOnly)) return sentences;
  const QString text = QString::fromUtf8(file.readAll());
  const qsizetype begin = text.indexOf(QStringLiteral("## In one sentence"));
  for (const QString& line : text.mid(std::max<qsizetype>(begin, 0)).split(u'\n')) {
    const QStringList cells = line.split(u'|');
    if (cells.size() == 4) sentences.insert(cells[1].trimmed(), cells[2].trimmed());
  }
  return sentences;
}

}  // namespace

QString meaningOf(const QString& label) {
  static const QHash<QString, QString> sentences = readSentences();
  if (const auto found = sentences.find(label); found != sentences.end()) return *found;
  QString word = label;
  word = word.remove(u'‖').section(u',', 0, 0).section(u'/', 0, 0).trimmed();
  if (const auto found = sentences.find(word); found != sentences.end()) return *found;
  return sentences.value(word.section(u' ', 0, 0));
}

}  // namespace equipatch
