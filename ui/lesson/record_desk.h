// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QString>
#include <set>
#include <string>

#include "core/lesson/lesson_reader.h"
#include "ui/lesson/lesson_recorder.h"
#include "ui/lesson/record_dialog.h"

namespace equipatch {

/// Records lessons: shows a bar and writes a draft during the recording, opens the dialog
/// for the lesson's texts, and saves the lesson in the user's folder of lessons.
class RecordDesk final : public QObject {
  Q_OBJECT

 public:
  /// @param parts, stage outlive the desk.
  RecordDesk(const LessonStage::Parts& parts, const LessonStage& stage, QString folder,
             QObject* parent = nullptr);

  /// The bar is visible during a recording and, after a save, until closeNotice().
  QWidget* makeBar(QWidget* parent);
  bool isRecording() const { return m_recorder.isRecording(); }
  const LessonRecorder& recorder() const { return m_recorder; }
  /// Null while no lesson is edited.
  RecordDialog* dialog() const { return m_dialog; }

 public Q_SLOTS:
  void start();
  void closeNotice();
  /// Opens the dialog for the lesson's texts if a step was recorded.
  void stop();
  /// Ends the recording and deletes its draft.
  void discard();
  /// Opens the dialog for a lesson's file, unless a lesson is being recorded or edited.
  void edit(const QString& file);
  /// Call when the window closes. Keeps the recording as a draft. Unsaved edits of a
  /// saved lesson are lost, as with Cancel.
  void close();

 Q_SIGNALS:
  /// A recording began or ended, or a lesson was saved.
  void changed();
  /// @param file of the lesson that was saved last
  void playRequested(const QString& file);
  void failed(const QString& sentence);

 private:
  void ask(Recording recording);
  void save();
  void deleteFile();
  void notePictures(std::set<std::string> named);
  void keep(const Recording& recording);
  /// @returns why the lesson's file or a picture was not written; empty: all were
  QString write(const QString& file, const Recording& recording,
                const LessonLimits& limits) const;
  void noteLength(const Lesson& draft);
  QString freeFile(const QString& title) const;
  void showState();
  void closeDialog();

  const LessonStage::Parts m_parts;
  LessonRecorder m_recorder;
  QString m_folder;
  QString m_file;   ///< the draft, or the edited or saved lesson; empty: none
  QString m_saved;  ///< title of the lesson in the notice; empty: no notice
  bool m_isDraft = false;
  /// Names of the picture files to which the last written draft refers.
  std::set<std::string> m_pictures;
  /// The last written draft is too long for a lesson.
  bool m_isTooLong = false;
  QPointer<RecordDialog> m_dialog;
  QFrame* m_bar = nullptr;  ///< the window owns it
  QLabel* m_state = nullptr;
  QPushButton *m_step = nullptr, *m_stop = nullptr, *m_discard = nullptr,
              *m_play = nullptr;
};

}  // namespace equipatch
