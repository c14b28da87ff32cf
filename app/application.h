// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

namespace equipatch {

/// The window's application object: sets name, icon, fonts and style, and catches
/// exceptions that event handlers throw.
class WindowApplication final : public QApplication {
  Q_OBJECT

 public:
  WindowApplication(int& argc, char** argv);

  bool notify(QObject* receiver, QEvent* event) override;

 Q_SIGNALS:
  /// An event handler threw something other than Error{Cancelled}; `sentence` describes
  /// it for the user.
  void errorCaught(const QString& sentence);
};

}  // namespace equipatch
