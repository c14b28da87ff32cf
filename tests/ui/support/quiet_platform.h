// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QtGlobal>
#include <cstring>

namespace equipatch::test {

/// During its lifetime, drops the warnings of Qt's offscreen platform about window
/// operations that it does not support. Other messages go to the previous handler. Such
/// objects may be nested.
class QuietPlatform {
 public:
  QuietPlatform() {
    if (s_count++ == 0) s_before = qInstallMessageHandler(handle);
  }
  ~QuietPlatform() {
    if (--s_count == 0) qInstallMessageHandler(s_before);
  }
  QuietPlatform(const QuietPlatform&) = delete;
  QuietPlatform& operator=(const QuietPlatform&) = delete;

 private:
  static void handle(QtMsgType type, const QMessageLogContext& context,
                     const QString& message) {
    if (message.startsWith(QLatin1String("This plugin does not support "))) return;
    s_before(type, context, message);
  }

  static inline int s_count = 0;
  static inline QtMessageHandler s_before = nullptr;
};

}  // namespace equipatch::test
