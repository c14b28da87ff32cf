// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <map>

#include "core/lesson/lesson_words.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

namespace equipatch::test {

/// The window, for recording lessons.
struct RecordStory : LessonStory {
  RecordDesk& record() { return window.lessons().record(); }
  std::size_t stepCount() { return record().recorder().recording().lesson.steps.size(); }
  const LessonStep& step(std::size_t at) {
    return record().recorder().recording().lesson.steps.at(at);
  }
  QStringList lost() { return record().recorder().recording().lost; }
  void choose(const char* box, const char* text) {
    auto* combo = find<QComboBox>(box);
    const int index = combo->findText(QString::fromLatin1(text));
    QVERIFY2(index >= 0, text);
    combo->setCurrentIndex(index);
  }
  void useModel(const char* dtype, int steps) {
    window.setFolder(QString::fromStdString(
        test::data("../../resources/models/equipatch-tiny").string()));
    choose("dtype", dtype);
    window.setSteps(steps);
  }
  void run() {
    runToEnd(window);
    QVERIFY2(window.messages().text().isEmpty(), qPrintable(window.messages().text()));
  }
  /// Begins a recording whose first lesson step is a run of three tokens.
  void recordFirstRun() {
    window.setPrompt(QStringLiteral("Say this backwards: lamp coin key. Answer:"));
    useModel("float32", 3);
    record().start();
    run();
    QTRY_COMPARE(stepCount(), std::size_t{1});
  }
  /// By name: the lesson quantities that have values, and whether charts are tables.
  std::map<std::string, std::string> state() {
    std::map<std::string, std::string> all;
    const LessonStage& stage = window.lessons().stage();
    for (const LessonQuantity& quantity : kLessonQuantities) {
      const std::string name(quantity.name);
      if (name == "runs") continue;  // counts the window's runs, not the recording's
      const auto number = quantity.isText ? std::nullopt : stage.number(name);
      const auto text = quantity.isText ? stage.text(name) : std::nullopt;
      if (number) all[name] = std::to_string(*number);
      if (text) all[name] = *text;
    }
    for (const char* chart : {"logits", "sizes", "map", "errors"})
      all[chart] = stage.chart(chart)->isTable() ? "table" : "chart";
    return all;
  }
  QString saveLesson(const char* title) {
    record().stop();
    auto* dialog = record().dialog();
    if (!dialog) return {};
    auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("recordTitle"));
    field->selectAll();
    QTest::keyClicks(field, QString::fromLatin1(title));
    dialog->findChild<QPushButton*>(QStringLiteral("recordSave"))->click();
    const QStringList files =
        QDir(LessonDesk::folder()).entryList({QStringLiteral("*.md")}, QDir::Files);
    return files.size() == 1 ? LessonDesk::folder() + u'/' + files.front() : QString();
  }
};

/// Plays a lesson to its last step or the first failure.
/// @returns state() at the end; empty if the lesson did not open
inline std::map<std::string, std::string> played(RecordStory& story,
                                                 const QString& file) {
  story.window.lessons().open(file);
  if (!story.player()) return {};
  while (true) {
    story.playStep();
    if (QTest::currentTestFailed() || story.player()->isLast()) break;
    story.button("lessonNext")->click();
  }
  return story.state();
}

}  // namespace equipatch::test
