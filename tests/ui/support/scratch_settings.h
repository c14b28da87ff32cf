#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace equipatch::test {

/// While it lives, QSettings go to a temporary folder that starts empty.
class ScratchSettings {
 public:
  ScratchSettings() {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    QCoreApplication::setOrganizationName(QStringLiteral("equipatch-tests"));
    QSettings().clear();
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace equipatch::test
