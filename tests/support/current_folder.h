// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>

namespace equipatch::test {

/// Makes a folder the current one of this process; the destructor returns to the folder
/// before.
class CurrentFolder {
 public:
  explicit CurrentFolder(const QString& folder) : m_before(QDir::currentPath()) {
    if (!QDir::setCurrent(folder)) qFatal("%s: no such folder", qPrintable(folder));
  }
  ~CurrentFolder() { QDir::setCurrent(m_before); }
  CurrentFolder(const CurrentFolder&) = delete;
  CurrentFolder& operator=(const CurrentFolder&) = delete;

 private:
  QString m_before;
};

}  // namespace equipatch::test
