#include "ui/model/recent_folders.h"

#include <QDir>
#include <QSettings>

namespace equipatch {
namespace {
const QString kKey = QStringLiteral("model/recentFolders");
}

QStringList RecentFolders::all() {
  return QSettings().value(kKey).toStringList();
}

void RecentFolders::add(const QString& folder) {
  const QString clean = QDir::cleanPath(folder);
  QStringList folders = all();
  folders.removeAll(clean);
  folders.prepend(clean);
  while (folders.size() > kMost) folders.removeLast();
  QSettings().setValue(kKey, folders);
}

}  // namespace equipatch
