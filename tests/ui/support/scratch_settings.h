// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace equipatch::test {

/// Makes settings and the user's data use a temporary folder that starts empty. The
/// destructor deletes the folder but does not restore their places, so declare this
/// before everything that writes there.
class ScratchSettings {
 public:
  ScratchSettings() {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("equipatch-tests"));
    QSettings().clear();
    qputenv("XDG_DATA_HOME", m_folder.filePath(QStringLiteral("data")).toUtf8());
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace equipatch::test
