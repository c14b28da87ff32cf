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

/// Lists and plays lessons. Changes the window's layout and contents for a lesson, and
/// restores them at the end.
class LessonDesk final : public QObject {
  Q_OBJECT

 public:
  explicit LessonDesk(const LessonStage::Parts& parts);

  /// Fills the menu with the program's and the user's lessons each time it opens.
  void attach(QMenu& menu);
  /// Makes the line that offers the first lesson; hidden if the user has answered the
  /// offer before. Call this before the first `open`.
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
  /// Sets whether the window shows only the parts that the lesson explains, as on a
  /// projector.
  void setPresented(bool presented);
  /// Does not dim this dock, which the user opened, until the next page.
  void spare(QWidget* dock);
  /// @param by 1: forward, unless the lesson acts or the reader tries things out;
  ///        −1: back; 0: stay
  /// @returns false if no lesson is played
  bool turnPage(int by);

 Q_SIGNALS:
  /// A lesson is about to begin, and to change the window's prompt, model and settings.
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
  LessonPanel* m_panel = nullptr;
  LessonRoom* m_room = nullptr;  ///< the dock owns it
  QWidget* m_offer = nullptr;    ///< the window owns it
  int m_lit = -1;                ///< the step whose parts are lit; −1: to be lit anew
};

}  // namespace equipatch
