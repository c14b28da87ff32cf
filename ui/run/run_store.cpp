#include "ui/run/run_store.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <utility>


namespace equipatch {
namespace {

const QString kCurrentKey = QStringLiteral("runs/current");
const QString kSuffix = QStringLiteral(".eqrun");

/// Oldest first.
QFileInfoList filesIn(const QString& folder) {
  return QDir(folder).entryInfoList({u'*' + kSuffix}, QDir::Files,
                                    QDir::Time | QDir::Reversed);
}

}  // namespace

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
  settings.sync();  // a killed program writes nothing more
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
