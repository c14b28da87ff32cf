// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>

namespace equipatch::test {

struct WindowResult {
  int exitCode = -1;  ///< -1 when it crashed or hung
  QByteArray out;
  QByteArray err;
};

/// Runs `equipatch` as on a machine without a display.
/// @param platform Qt's platform plugin (QT_QPA_PLATFORM); empty: Qt's default
WindowResult runWithoutDisplay(const QStringList& arguments,
                               const QString& platform = {});

}  // namespace equipatch::test
