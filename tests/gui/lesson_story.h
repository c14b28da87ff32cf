// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_to_end.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/lab/lab_window.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

namespace equipatch::test {

/// The window with the real engine, for playing lessons.
struct LessonStory {
  QuietPlatform quiet;
  ScratchSettings settings;
  SessionEngine engine;
  MainWindow window{engine};

  LessonStory() {
    const QSize screen = window.screen()->size();
    window.resize(screen.width() > 1280 ? screen : QSize(1280, 720));
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  const LessonPlayer* player() { return window.lessons().player(); }
  QPushButton* button(const char* name) {
    return window.findChild<QPushButton*>(QString::fromLatin1(name));
  }
  /// If EQUIPATCH_PICTURES names a folder, saves a screenshot there in each theme.
  void save(const QString& name, QWidget* dialog = nullptr) {
    const QString folder = qEnvironmentVariable("EQUIPATCH_PICTURES");
    if (folder.isEmpty()) return;
    QVERIFY(QDir().mkpath(folder));
    for (const auto mode : {Theme::Mode::Dark, Theme::Mode::Light}) {
      window.setThemeMode(mode);
      QTest::qWait(300);
      const QString look =
          mode == Theme::Mode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
      const QSize size = window.size();
      QVERIFY((dialog ? dialog : &window)
                  ->grab()
                  .save(QStringLiteral("%1/%2-%3x%4-%5.png")
                            .arg(folder, name)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(look)));
    }
  }
  template <typename Widget>
  Widget* find(const char* name) {
    return window.findChild<Widget*>(QString::fromLatin1(name));
  }
  /// Whether the spotlight dims everything except the visible ones of its parts().
  bool isLit() {
    QRegion lit;
    QList<QWidget*> parts = window.lessons().spotlight()->parts();
    for (const QWidget* part : parts) {
      QRect rect(part->mapTo(&window, QPoint()), part->size());
      for (const QWidget* each = part->parentWidget(); each && each != &window;
           each = each->parentWidget())
        rect &= QRect(each->mapTo(&window, QPoint()), each->size());
      if (part->isVisible()) lit += rect;
    }
    return QRegion(window.rect()) - window.lessons().spotlight()->mask() == lit;
  }
  /// Whether the window on the screen equals a new drawing of the window.
  bool isDrawnAfresh() {
    const auto format = QImage::Format_RGB32;
    const QImage shown =
        window.screen()->grabWindow(window.winId()).toImage().convertToFormat(format);
    const QImage fresh = window.grab().toImage().convertToFormat(format);
    return shown == fresh;
  }
  /// In the window's coordinates.
  QList<QRect> buttonPlaces() {
    QList<QRect> places;
    for (const char* name : {"lessonBack", "lessonNext", "lessonTry", "lessonEnd"})
      places << QRect(button(name)->mapTo(&window, QPoint()), button(name)->size());
    return places;
  }
  /// Waits until the step's actions are done.
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!player()->isActing(), kPatience);
    QVERIFY2(player()->problem().isEmpty(), qPrintable(player()->problem()));
  }
  /// From now on, stops each experiment of the lab as soon as it begins.
  void stopExperiments() {
    QObject::connect(&window.lab(), &LabController::phaseChanged,
                     window.findChild<LabWindow*>()->stopButton(),
                     &QAbstractButton::click);
  }
  bool holdsAll(const std::vector<LessonCondition>& conditions) {
    for (const LessonCondition& condition : conditions) {
      if (window.lessons().stage().holds(condition)) continue;
      const auto value = window.lessons().stage().number(condition.quantity);
      const auto text = window.lessons().stage().text(condition.quantity);
      qWarning("line %d: %s is not so: %s", condition.line,
               conditionText(condition).c_str(),
               value  ? std::to_string(*value).c_str()
               : text ? text->c_str()
                      : "nothing");
      return false;
    }
    return true;
  }
  /// @param lines the first step's block, and any further steps
  void openLesson(const QByteArray& lines) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("mine.md")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("# Mine\n## Ask\n```lesson\n" + lines + "\n```\n");
    file.close();
    window.lessons().open(file.fileName());
    settle();
  }
  /// Opens a lesson whose first step begins with a run. @param lines follow the run
  void openQuestion(const QByteArray& lines) {
    openLesson(
        "do model bundled\ndo steps 4\ndo sample Looking up a number\n"
        "do absorb 10-14\ndo run\ndo step 0\n" +
        lines);
  }
  void run() { runToEnd(window); }
  /// Checks the step's conditions, and answers its question with "Show me".
  void playStep() {
    settle();
    QVERIFY(holdsAll(player()->step().expected));
    if (!player()->step().question) return;
    QVERIFY2(!player()->isAnswered(), player()->step().title.c_str());
    QVERIFY(!player()->step().question->hint.empty());
    button("lessonSolve")->click();
    settle();
    QTRY_VERIFY2_WITH_TIMEOUT(player()->isAnswered(), player()->step().title.c_str(),
                              kPatience);
    QTRY_VERIFY(!button("lessonSolve")->isEnabled());
  }
};

}  // namespace equipatch::test
