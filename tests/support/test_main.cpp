// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <cstring>

#include "tests/support/test_case.h"

#ifdef EQUIPATCH_TEST_WIDGETS
#include <QApplication>
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

namespace {

/// Removes the user's settings of Hugging Face's libraries, proxies and language from the
/// environment.
void forgetTheUsersSettings() {
  for (const QString& name : QProcessEnvironment::systemEnvironment().keys())
    if (name.startsWith("HF_") || name.startsWith("HUGGING") ||
        name.startsWith("TRANSFORMERS_") || name.endsWith("_proxy", Qt::CaseInsensitive))
      qunsetenv(qPrintable(name));
  // Qt adopts the user's locale: printf could write decimal commas, and the system could
  // translate its error messages.
  qputenv("LC_ALL", "C.UTF-8");
  qunsetenv("LANGUAGE");
}

}  // namespace

/// Usage: tests_folder [tst_class] [Qt Test arguments]. Without tst_class, runs all
/// classes.
int main(int argc, char** argv) {
  // Keep tests away from the user's data, cache, models and settings.
  const QTemporaryDir data;
  forgetTheUsersSettings();
  qputenv("HOME", data.path().toUtf8());
  qputenv("HF_HOME", data.filePath("hf").toUtf8());
  qputenv("XDG_DATA_HOME", data.path().toUtf8());
  qputenv("XDG_CONFIG_HOME", data.filePath("config").toUtf8());
  qputenv("XDG_CACHE_HOME", data.filePath("cache").toUtf8());
  Application application(argc, argv);
  Application::setApplicationName("equipatch-tests");
  const char* wanted = nullptr;
  if (argc > 1 && std::strncmp(argv[1], "tst_", 4) == 0) {
    wanted = argv[1];
    argv[1] = argv[0];
    ++argv;
    --argc;
  }
  int failures = 0;
  bool found = false;
  for (const auto& entry : equipatch::test::entries()) {
    if (wanted && std::strcmp(wanted, entry.name) != 0) continue;
    found = true;
    failures += QTest::qExec(entry.make().get(), argc, argv);
  }
  if (!found) qWarning("no test class named %s", wanted ? wanted : "(any)");
  return found && failures == 0 ? 0 : 1;
}
