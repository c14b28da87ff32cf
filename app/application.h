// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

namespace equipatch {

/// The window's application object: sets name, icon and fonts, and catches errors that
/// event handlers throw.
class WindowApplication final : public QApplication {
  Q_OBJECT

 public:
  WindowApplication(int& argc, char** argv);

  bool notify(QObject* receiver, QEvent* event) override;

 Q_SIGNALS:
  /// An event handler threw; `sentence` describes the error for the user.
  void errorCaught(const QString& sentence);
};

}  // namespace equipatch
