// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window_program.h"

#include <QProcess>
#include <QTemporaryDir>

namespace equipatch::test {

WindowResult runWithoutDisplay(const QStringList& arguments, const QString& platform) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name :
       {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"})
    environment.remove(QString::fromLatin1(name));
  if (!platform.isEmpty())
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), platform);
  const QTemporaryDir runtime;  // without a runtime folder, Qt prints a warning
  environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime.path());
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(EQUIPATCH_WINDOW), arguments);
  const bool finished = process.waitForFinished(60'000);
  if (!finished) {
    process.kill();
    process.waitForFinished();
  }
  const bool ended = finished && process.exitStatus() == QProcess::NormalExit;
  return {ended ? process.exitCode() : -1, process.readAllStandardOutput(),
          process.readAllStandardError()};
}

}  // namespace equipatch::test
