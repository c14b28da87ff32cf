#pragma once

#include <QString>
#include <QStringList>

namespace equipatch {

/// Folders a model was loaded from, newest first, remembered in the settings.
class RecentFolders {
 public:
  static constexpr int kMost = 8;

  static QStringList all();
  /// Puts a folder in front.
  static void add(const QString& folder);
};

}  // namespace equipatch
