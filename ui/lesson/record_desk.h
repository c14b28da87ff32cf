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

  /// The bar, shown while a lesson is recorded and, until closeNotice(), after it was
  /// saved.
  QWidget* makeBar(QWidget* parent);
  bool isRecording() const { return m_recorder.isRecording(); }
  const LessonRecorder& recorder() const { return m_recorder; }
  /// The dialog in which a lesson's texts are edited; null when none is open.
  RecordDialog* dialog() const { return m_dialog; }

 public Q_SLOTS:
  void start();
  /// Closes the notice about the lesson that was saved last.
  void closeNotice();
  /// Ends the recording. Opens the dialog for the lesson's texts if a step was recorded.
  void stop();
  /// Ends the recording and deletes its draft.
  void discard();
  /// Opens a lesson of the user to change its texts, unless one is recorded or edited.
  void edit(const QString& file);
  /// Call when the window closes. Keeps the recording as a draft. An edited draft is in
  /// its file already; edits of a saved lesson are lost, as with Cancel.
  void close();

 Q_SIGNALS:
  /// A recording began or ended, or a lesson was saved.
  void changed();
  /// The user wants to see the lesson that was just saved.
  void playRequested(const QString& file);
  /// One sentence for the user.
  void failed(const QString& sentence);

 private:
  void ask(Recording recording);
  void save();
  void deleteFile();
  void notePictures(std::set<std::string> named);
  void keep(const Recording& recording);
  /// @returns why the file or a picture beside it was not written; empty: all are
  QString write(const QString& file, const Recording& recording,
                const LessonLimits& limits) const;
  void noteLength(const Lesson& draft);
  QString freeFile(const QString& title) const;
  void showState();
  void closeDialog();

  const LessonStage::Parts m_parts;
  LessonRecorder m_recorder;
  QString m_folder;
  QString m_file;   ///< of the draft, or the lesson edited or saved; empty: none
  QString m_saved;  ///< title in the notice about the saved lesson; empty: no notice
  bool m_isDraft = false;
  /// Names of the picture files to which the last written draft refers.
  std::set<std::string> m_pictures;
  /// The last written draft is too long for others to open it as a lesson.
  bool m_isTooLong = false;
  QPointer<RecordDialog> m_dialog;
  QFrame* m_bar = nullptr;  ///< the window owns it
  QLabel* m_state = nullptr;
  QPushButton *m_step = nullptr, *m_stop = nullptr, *m_discard = nullptr,
              *m_play = nullptr;
};

}  // namespace equipatch
