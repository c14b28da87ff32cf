// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/record_desk.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QMessageBox>
#include <QRegularExpression>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/lesson/lesson_writer.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"

namespace equipatch {
namespace {

/// The lesson's pictures that have a name from `lessonPictureName`.
std::set<std::string> recordedPicturesOf(const Lesson& lesson) {
  std::set<std::string> pictures;
  for (const LessonStep& step : lesson.steps)
    for (const auto& actions :
         {step.actions, step.question.value_or(LessonQuestion{}).solution})
      for (const LessonAction& action : actions)
        if (action.verb == LessonVerb::Picture && action.argument.starts_with("picture-"))
          pictures.insert(action.argument);
  return pictures;
}

}  // namespace

RecordDesk::RecordDesk(const LessonStage::Parts& parts, const LessonStage& stage,
                       QString folder, QObject* parent)
    : QObject(parent),
      m_parts(parts),
      m_recorder(parts, stage),
      m_folder(std::move(folder)) {
  connect(&m_recorder, &LessonRecorder::changed, this, [this] {
    keep(m_recorder.recording());
    showState();
  });
}

QWidget* RecordDesk::makeBar(QWidget* parent) {
  m_bar = new QFrame(parent);
  m_bar->setObjectName(QStringLiteral("recordBar"));
  m_state = new QLabel(m_bar);
  m_state->setObjectName(QStringLiteral("recordState"));
  m_state->setTextFormat(Qt::PlainText);
  m_state->setWordWrap(true);
  auto* layout = new QHBoxLayout(m_bar);
  layout->setContentsMargins(10, 5, 6, 5);
  layout->addWidget(m_state, 1);
  const auto add = [&](const char* name, const QString& text, const QString& tip) {
    return addButton(*layout, name, text, tip);
  };
  m_step = add("recordStep", tr("New page"), tr("What you do next begins a new page"));
  m_stop =
      add("recordStop", tr("Stop…"),
          tr("Ends the recording; next, you write the texts of its pages and save it"));
  m_play = add("recordPlay", tr("Play it"), tr("Plays the lesson that was saved"));
  m_discard = add("recordDiscard", tr("Discard"), {});  // showState sets the tooltip
  connect(m_step, &QPushButton::clicked, this, [this] { m_recorder.addStep(); });
  connect(m_stop, &QPushButton::clicked, this, &RecordDesk::stop);
  connect(m_discard, &QPushButton::clicked, this,
          [this] { isRecording() ? discard() : closeNotice(); });
  connect(m_play, &QPushButton::clicked, this, [this] {
    closeNotice();
    Q_EMIT playRequested(m_file);
  });
  showState();
  return m_bar;
}

void RecordDesk::showState() {
  if (!m_bar) return;
  const bool on = isRecording();
  m_bar->setVisible(on || !m_saved.isEmpty());
  m_step->setVisible(on);
  m_stop->setVisible(on);
  m_play->setVisible(!on);
  m_discard->setText(on ? tr("Discard") : tr("Close"));
  m_discard->setToolTip(on ? tr("Ends the recording and deletes it")
                           : tr("Closes this message; the lesson stays"));
  const auto& steps = m_recorder.recording().lesson.steps;
  m_stop->setEnabled(!steps.empty());
  if (!on)
    m_state->setText(tr("“%1” is saved as %2. Help ▸ Lessons lists it; others play it by "
                        "dropping the file on their window.")
                         .arg(m_saved, QDir::toNativeSeparators(m_file)));
  else if (steps.empty())
    m_state->setText(
        tr("● Recording a lesson. Run a prompt, select steps, move the slider: what you "
           "do becomes the pages of the lesson, and Stop… lets you write their texts."));
  else
    m_state->setText(tr("● Recording a lesson, page %1: %2")
                         .arg(steps.size())
                         .arg(QString::fromStdString(steps.back().title)));
}

void RecordDesk::closeNotice() {
  m_saved.clear();
  showState();
}

void RecordDesk::start() {
  if (isRecording()) return;
  m_saved.clear();
  m_file.clear();
  m_isDraft = true;
  m_isTooLong = false;
  m_pictures.clear();
  m_recorder.begin();
  showState();
  Q_EMIT changed();
}

void RecordDesk::stop() {
  if (!isRecording()) return;
  Recording recording = m_recorder.finish();
  showState();
  Q_EMIT changed();
  if (recording.lesson.steps.empty()) return;
  keep(recording);
  ask(std::move(recording));
}

void RecordDesk::discard() {
  if (!isRecording()) return;
  m_recorder.finish();
  deleteFile();
  showState();
  Q_EMIT changed();
}

void RecordDesk::edit(const QString& file) {
  if (isRecording())
    return Q_EMIT failed(
        tr("A lesson is being recorded; stop that before another one is edited."));
  if (m_dialog) return;
  Recording recording;
  try {
    Lesson lesson = readLessonFile(file.toStdString(), kDraftLimits);
    m_isTooLong = !excessOf(lesson, kLessonLimits).empty();
    for (LessonStep& step : lesson.steps) recording.addStep(std::move(step));
    recording.lesson.title = std::move(lesson.title);
    recording.lesson.summary = std::move(lesson.summary);
  } catch (const Error& error) {
    return Q_EMIT failed(messageText(error.what()));
  }
  closeNotice();  // its button would play the edited file
  m_file = file;
  m_isDraft = QFileInfo(file).fileName().startsWith(QStringLiteral("draft-"));
  m_pictures = m_isDraft ? recordedPicturesOf(recording.lesson) : std::set<std::string>{};
  ask(std::move(recording));
}

void RecordDesk::ask(Recording recording) {
  if (recording.lesson.title.empty())
    recording.lesson.title = tr("My lesson").toStdString();
  m_dialog = new RecordDialog(std::move(recording),
                              m_isDraft ? EditedLesson::Draft : EditedLesson::Saved,
                              m_isDraft ? m_folder : m_file, &m_parts.window);
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(m_dialog, &RecordDialog::edited, this, [this] {
    if (m_isDraft) keep(m_dialog->recording());
  });
  connect(m_dialog, &RecordDialog::saveRequested, this, &RecordDesk::save);
  connect(m_dialog, &RecordDialog::deleteRequested, this, [this] {
    closeDialog();
    deleteFile();
  });
  m_dialog->resize(m_parts.window.size() * 4 / 5);
  m_dialog->open();
}

void RecordDesk::closeDialog() {
  if (RecordDialog* dialog = m_dialog.data()) {
    m_dialog = nullptr;
    dialog->close();
  }
}

void RecordDesk::save() {
  const Recording recording = m_dialog->recording();
  const QString title = QString::fromStdString(recording.lesson.title);
  const QString file = m_isDraft ? freeFile(title) : m_file;
  if (const QString problem = write(file, recording, kLessonLimits); !problem.isEmpty()) {
    if (m_isDraft) QFile::remove(file);  // may lack a picture
    // A box of its own, because the dialog covers the window's messages.
    auto* box = new QMessageBox(QMessageBox::Warning, m_dialog->windowTitle(), problem,
                                QMessageBox::Ok, m_dialog);
    box->setObjectName(QStringLiteral("recordProblem"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    return box->open();
  }
  if (m_isDraft) QFile::remove(m_file);
  m_file = file;
  m_isDraft = false;
  m_pictures.clear();  // they belong to the saved lesson now
  m_saved = title;
  closeDialog();
  showState();
  Q_EMIT changed();
}

/// Deletes the draft with its pictures.
void RecordDesk::deleteFile() {
  if (m_file.isEmpty()) return;
  QFile::remove(std::exchange(m_file, {}));
  notePictures({});
}

/// Deletes the pictures that the draft no longer names, except those that another lesson
/// in the folder names.
void RecordDesk::notePictures(std::set<std::string> named) {
  std::vector<std::string> gone;
  std::ranges::set_difference(m_pictures, named, std::back_inserter(gone));
  m_pictures = std::move(named);
  if (gone.empty()) return;
  const QDir folder(m_folder);
  QByteArray lessons;
  for (const QString& name : folder.entryList({QStringLiteral("*.md")}, QDir::Files)) {
    QFile lesson(folder.filePath(name));
    if (!lesson.open(QIODevice::ReadOnly)) return;
    lessons += lesson.readAll();
  }
  for (const std::string& picture : gone)
    if (!lessons.contains(picture.c_str()))
      QFile::remove(folder.filePath(QString::fromStdString(picture)));
}

/// Writes the draft to disk, so that it survives a crash. A question without an answer is
/// written as a statement, with its hint at the end of the text, because a lesson's file
/// cannot hold such a question.
void RecordDesk::keep(const Recording& recording) {
  if (recording.lesson.steps.empty()) return;
  const QDateTime now = QDateTime::currentDateTime();
  if (m_file.isEmpty())
    m_file = m_folder + now.toString(QStringLiteral("'/draft-'yyyyMMdd-hhmmss-zzz'.md'"));
  Recording draft = recording;
  for (LessonStep& step : draft.lesson.steps) {
    if (!step.question || !step.question->conditions.empty()) continue;
    if (const std::string& hint = step.question->hint; !hint.empty())
      step.text = lessonMarkdown(step.text + "\n\n" + hint);
    makeStatement(step);
  }
  if (draft.lesson.title.empty())
    draft.lesson.title = tr("Draft of %1")
                             .arg(QLocale().toString(now, QLocale::ShortFormat))
                             .toStdString();
  if (const QString problem = write(m_file, draft, kDraftLimits); !problem.isEmpty())
    return Q_EMIT failed(problem);
  notePictures(recordedPicturesOf(draft.lesson));
  noteLength(draft.lesson);
}

/// Warns once when the draft becomes too long for a lesson.
void RecordDesk::noteLength(const Lesson& draft) {
  std::vector<std::string> excess = excessOf(draft, kLessonLimits);
  if (std::exchange(m_isTooLong, !excess.empty()) || excess.empty()) return;
  Q_EMIT failed(
      tr("The draft is too long for a lesson that others can open: %1. It keeps "
         "all that you record or write; shorten it before you save it, or make "
         "two lessons of it.")
          .arg(messageText(excessText(std::move(excess)))));
}

QString RecordDesk::write(const QString& file, const Recording& recording,
                          const LessonLimits& limits) const {
  try {
    const std::string text = writeLesson(recording.lesson, limits);
    bool written = replaceFile(file.toStdString(), text);
    const std::set<std::string> named = recordedPicturesOf(recording.lesson);
    for (const auto& picture : recording.pictures) {
      const QString name = lessonPictureName(*picture);
      if (!named.contains(name.toStdString())) continue;  // no page shows it now
      const QString beside = m_folder + u'/' + name;
      if (!QFileInfo::exists(beside) && !picture->bytes.empty())
        written = replaceFile(beside.toStdString(), picture->bytes) && written;
    }
    return written ? QString() : tr("%1 cannot be written; is the disk full?").arg(file);
  } catch (const Error& error) {
    return messageText(error.what());
  }
}

/// A path in the folder, named after the title, at which no file exists.
QString RecordDesk::freeFile(const QString& title) const {
  static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
  QString name = title.toLower().normalized(QString::NormalizationForm_KD);
  name = name.replace(others, QStringLiteral("-")).left(40);
  while (name.startsWith(u'-')) name.remove(0, 1);
  while (name.endsWith(u'-')) name.chop(1);
  if (name.isEmpty() || name.startsWith(QStringLiteral("draft")))
    name.prepend(QStringLiteral("lesson"));
  QString file = m_folder + u'/' + name + QStringLiteral(".md");
  for (int number = 2; QFileInfo::exists(file); ++number)
    file = QStringLiteral("%1/%2-%3.md").arg(m_folder, name, QString::number(number));
  return file;
}

void RecordDesk::close() {
  if (isRecording()) keep(m_recorder.finish());
  closeDialog();
}

}  // namespace equipatch
