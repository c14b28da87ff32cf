// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_store.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <utility>

namespace equipatch {
namespace {

constexpr int kLongestStem = 80;

QString plain(QString name) {
  static const QRegularExpression kOther(QStringLiteral("[^\\w.-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return name.replace(kOther, QStringLiteral("_")).left(kLongestStem);
}

const QString kCurrentKey = QStringLiteral("runs/current");
const QString kSuffix = QStringLiteral(".eqrun");

/// Oldest first.
QFileInfoList filesIn(const QString& folder) {
  return QDir(folder).entryInfoList({u'*' + kSuffix}, QDir::Files,
                                    QDir::Time | QDir::Reversed);
}

}  // namespace

QString datedFile(const QString& folder, const DatedName& called) {
  const QDir place(folder);
  if (!place.mkpath(QStringLiteral("."))) return {};
  const QString now =
      QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HH-mm-ss"));
  const QString name = now + u'_' + plain(called.name);
  QString path = place.filePath(name + called.suffix);
  for (int number = 2; QFileInfo::exists(path); ++number)
    path = place.filePath(name + u'_' + QString::number(number) + called.suffix);
  return path;
}

RunStore::RunStore(QString folder, qint64 limit)
    : m_folder(std::move(folder)), m_limit(limit) {}

QString RunStore::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/runs");
}

QString RunStore::newFile(const QString& model) const {
  return datedFile(m_folder, {model, kSuffix});
}

void RunStore::setCurrent(const QString& path) const {
  QSettings settings;
  if (path.isEmpty())
    settings.remove(kCurrentKey);
  else
    settings.setValue(kCurrentKey, path);
  settings.sync();  // now, because a killed program writes nothing more
}

QString RunStore::interrupted() const {
  const QString path = QSettings().value(kCurrentKey).toString();
  return QFileInfo(path).isFile() ? path : QString();
}

qint64 RunStore::bytes() const {
  qint64 total = 0;
  for (const QFileInfo& file : filesIn(m_folder)) total += file.size();
  return total;
}

QStringList RunStore::surplus() const {
  QStringList oldest;
  qint64 rest = bytes();
  for (const QFileInfo& file : filesIn(m_folder)) {
    if (rest <= m_limit) break;
    rest -= file.size();
    oldest << file.filePath();
  }
  return oldest;
}

}  // namespace equipatch
