// SPDX-License-Identifier: GPL-3.0-or-later
// Changes settings, and records and saves lessons in the window, in an endless loop until
// scripts/check-faults kills the program.
//   window_user MODELDIR   prints what was stored: "prompt N", "steps N" of the lesson,
//                          "saved N"
//   window_user --check    prints what is on the disk: "prompt N", "draft STEPS",
//                          "saved N STEPS"

#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <cstdio>
#include <stdexcept>

#include "core/lesson/lesson_reader.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

constexpr int kStepsOfLesson = 4;
const QString kFirstKey = QStringLiteral("tests/first");

void print(const char* what, int number) {
  std::printf("%s %d\n", what, number);
  std::fflush(stdout);
}

/// No time limit: given a limit, processEvents() of Qt 6.4 does not wait for events.
template <typename Condition>
void waitUntil(const Condition& condition) {
  while (!condition()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// The 7 of "the cat 7".
int numberOf(const QString& text) {
  return text.section(u' ', -1).toInt();
}

/// Numbers its prompts from `prompt` + 1. @returns the last prompt's number
int recordLesson(MainWindow& window, int prompt) {
  RecordDesk& desk = window.lessons().record();
  const auto steps = [&desk] { return desk.recorder().recording().lesson.steps.size(); };
  desk.start();
  for (int step = 1; step <= kStepsOfLesson; ++step) {
    window.setPrompt(QStringLiteral("the cat %1").arg(++prompt));
    window.command("run")->trigger();
    print("prompt", prompt);
    waitUntil([&] { return steps() == std::size_t(step); });
    print("steps", step);
  }
  desk.stop();
  auto* title = desk.dialog()->findChild<QLineEdit*>(QStringLiteral("recordTitle"));
  title->selectAll();
  title->insert(QStringLiteral("lesson %1").arg(prompt));  // as if typed
  desk.dialog()->findChild<QPushButton*>(QStringLiteral("recordSave"))->click();
  print("saved", prompt);
  return prompt;
}

int use(const QString& model) {
  QSettings().setValue(kFirstKey, QSettings().value(kFirstKey, 1));
  SessionEngine engine;
  MainWindow window(engine);
  window.setFolder(model);
  window.setSteps(1);
  window.show();
  int prompt = numberOf(QSettings().value(QStringLiteral("prompt/text")).toString());
  while (true) prompt = recordLesson(window, prompt);
}

int check() {
  const QSettings settings;
  if (settings.status() != QSettings::NoError)
    throw std::runtime_error("the settings cannot be read");
  const QString text = settings.value(QStringLiteral("prompt/text")).toString();
  if (!text.isEmpty() && !settings.contains(kFirstKey))
    throw std::runtime_error("the settings have lost a key");
  print("prompt", numberOf(text));
  const QDir folder(LessonDesk::folder());
  for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files)) {
    const Lesson lesson = readLessonFile(folder.filePath(name).toStdString());
    if (name.startsWith(QStringLiteral("draft-")))
      print("draft", int(lesson.steps.size()));
    else
      std::printf("saved %d %d\n", numberOf(QString::fromStdString(lesson.title)),
                  int(lesson.steps.size()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  equipatch::test::QuietPlatform quiet;
  QApplication application(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("Equipatch"));
  QCoreApplication::setApplicationName(QStringLiteral("Equipatch"));
  const QString argument = QCoreApplication::arguments().value(1);
  try {
    return argument == QStringLiteral("--check") ? check() : use(argument);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
