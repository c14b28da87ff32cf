// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QFrame>
#include <QMenu>
#include <QPointer>

#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_player.h"
#include "ui/lesson/lesson_room.h"
#include "ui/lesson/lesson_stage.h"
#include "ui/lesson/record_desk.h"
#include "ui/lesson/spotlight.h"

namespace equipatch {

/// The window's lessons: lists and opens them, makes room for the panel, dims the rest of
/// the window, and puts everything back at the end.
class LessonDesk final : public QObject {
  Q_OBJECT

 public:
  explicit LessonDesk(const LessonStage::Parts& parts);

  /// Fills a menu with the lessons of the program and of the user each time it opens.
  void attach(QMenu& menu);
  /// Makes the line that offers the first lesson; it is hidden if the user has answered
  /// it before. Call this before the first `open`.
  QWidget* makeOffer(QWidget* parent);
  /// The program's own lessons whose models are installed, as paths of resources.
  static QStringList ownLessons();
  /// The user's folder of lessons.
  static QString folder();

  const LessonPlayer* player() const { return m_player; }
  const Spotlight* spotlight() const { return m_spotlight; }
  LessonStage& stage() { return m_stage; }
  RecordDesk& record() { return m_record; }

 public Q_SLOTS:
  /// Plays a lesson's file. Emits `failed` if the file cannot be read, if
  /// `LessonStage::isFree` is false, or while a lesson is recorded.
  void open(const QString& file);
  void end();
  /// Sets whether the lesson is on a projector: then only the parts that it explains are
  /// shown.
  void setPresented(bool presented);
  /// Leaves a dock that the user opened undimmed until the next page.
  void spare(QWidget* dock);
  /// Goes to the next step (1), back (−1), or nowhere (0); not forward while the lesson
  /// acts or the reader tries things out. @returns false where no lesson is played
  bool turnPage(int by);

 Q_SIGNALS:
  /// A lesson is about to change the window's prompt, model and settings, or replaces the
  /// lesson that is played.
  void beginning();
  void failed(const QString& sentence);
  /// A lesson, or the recording of one, began or ended, or a lesson was saved.
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool isInLab() const;
  void connectRecord();
  void fill(QMenu& menu);
  void chooseFile();
  void closeOffer();
  void closePanel();
  void makeRoom();
  void offerNext(const QString& file);
  void noteDone();
  void notePage();
  void showState();

  LessonStage::Parts m_parts;
  LessonStage m_stage;
  RecordDesk m_record;
  LessonPlayer* m_player = nullptr;  ///< null while no lesson is played
  Spotlight* m_spotlight = nullptr;
  QString m_file;  ///< of the lesson that is played
  QDockWidget* m_dock = nullptr;
  LessonPanel* m_panel = nullptr;  ///< in the dock
  LessonRoom* m_room = nullptr;    ///< the dock owns it
  QWidget* m_offer = nullptr;      ///< the window owns it
  int m_lit = -1;                  ///< the step whose parts were brought to the front
};

}  // namespace equipatch
