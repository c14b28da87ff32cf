#pragma once

#include <QApplication>
#include <QString>

namespace equipatch {

/// The window's application object: name, icon, fonts, and the handler of errors that
/// event handlers throw.
class WindowApplication final : public QApplication {
  Q_OBJECT

 public:
  WindowApplication(int& argc, char** argv);

  bool notify(QObject* receiver, QEvent* event) override;

 Q_SIGNALS:
  /// One sentence for the user.
  void errorCaught(const QString& sentence);
};

}  // namespace equipatch
