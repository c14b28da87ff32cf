#include "app/application.h"

#include <QIcon>
#include <QStyleFactory>
#include <exception>

#include "core/base/error.h"

namespace equipatch {

WindowApplication::WindowApplication(int& argc, char** argv) : QApplication(argc, argv) {
  setOrganizationName(QStringLiteral("Equipatch"));
  setApplicationName(QStringLiteral("Equipatch"));
  setApplicationVersion(QStringLiteral(EQUIPATCH_VERSION));
  setDesktopFileName(QStringLiteral("equipatch"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/equipatch.svg")));
  // The one style whose colours are all the palette's, which the themes set.
  setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

bool WindowApplication::notify(QObject* receiver, QEvent* event) {
  try {
    return QApplication::notify(receiver, event);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Cancelled)
      Q_EMIT errorCaught(QString::fromUtf8(error.what()));
  } catch (const std::exception& error) {
    Q_EMIT errorCaught(tr("The program met an unexpected condition (%1); what was shown "
                          "stays, but please report it.")
                           .arg(QString::fromUtf8(error.what())));
  }
  return true;
}

}  // namespace equipatch
