#pragma once

#include <QString>
#include <QtGlobal>
#include <cstring>

namespace equipatch::test {

/// While it lives, drops the warnings of Qt's offscreen platform about what it cannot do
/// with windows, which say nothing about the program. Everything else goes where it
/// went.
class QuietPlatform {
 public:
  QuietPlatform() { s_before = qInstallMessageHandler(handle); }
  ~QuietPlatform() { qInstallMessageHandler(s_before); }
  QuietPlatform(const QuietPlatform&) = delete;
  QuietPlatform& operator=(const QuietPlatform&) = delete;

 private:
  static void handle(QtMsgType type, const QMessageLogContext& context,
                     const QString& message) {
    if (message.startsWith(QLatin1String("This plugin does not support "))) return;
    s_before(type, context, message);
  }

  static inline QtMessageHandler s_before = nullptr;
};

}  // namespace equipatch::test
