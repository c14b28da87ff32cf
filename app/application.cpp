// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application.h"

#include <QDir>
#include <QFontDatabase>
#include <QIcon>
#include <QStyleFactory>
#include <clocale>
#include <exception>

#include "core/base/error.h"

namespace equipatch {
namespace {

/// Adds the fonts of the release archive, for systems without fonts, such as servers.
void addOwnFonts() {
  const QDir folder(QCoreApplication::applicationDirPath() + "/../share/equipatch/fonts");
  for (const QString& font : folder.entryList({QStringLiteral("*.ttf")}, QDir::Files))
    QFontDatabase::addApplicationFont(folder.filePath(font));
}

}  // namespace

WindowApplication::WindowApplication(int& argc, char** argv) : QApplication(argc, argv) {
  // QApplication has set the user's locale. In a locale with a decimal comma, CLI11 would
  // not read "9.5" as a number.
  std::setlocale(LC_NUMERIC, "C");
  setOrganizationName(QStringLiteral("Equipatch"));
  setApplicationName(QStringLiteral("Equipatch"));
  setApplicationVersion(QStringLiteral(EQUIPATCH_VERSION));
  setDesktopFileName(QStringLiteral("equipatch"));
  addOwnFonts();
  setWindowIcon(QIcon(QStringLiteral(":/icons/equipatch.svg")));
  // Fusion takes all colours from the palette, which the themes set.
  setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

bool WindowApplication::notify(QObject* receiver, QEvent* event) {
  try {
    return QApplication::notify(receiver, event);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Cancelled)
      Q_EMIT errorCaught(QString::fromUtf8(error.what()));
  } catch (const std::exception& error) {
    Q_EMIT errorCaught(tr("The program met an unexpected error (%1); the window keeps "
                          "what it shows, but please report this error.")
                           .arg(QString::fromUtf8(error.what())));
  }
  return true;
}

}  // namespace equipatch
