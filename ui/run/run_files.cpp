// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_files.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <utility>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/file/file_claim.h"
#include "core/record/file/run_file.h"
#include "core/run/save_run_job.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString runFilter() {
  return RunFiles::tr("Recorded runs (*.eqrun)");
}

QString pathOf(const RunController& controller) {
  return QString::fromStdString(controller.file().string());
}

}  // namespace

RunFiles::RunFiles(RunController& controller, QWidget& window, RunStore store)
    : QObject(&window),
      m_controller(controller),
      m_window(window),
      m_store(std::move(store)),
      m_saver(window, tr("Save run as")) {
  connect(&controller, &RunController::runBegan, this,
          [this](const RunController::ComputedRun& run) {
            m_own << QString::fromStdString(run.file.string());
            m_store.beginRecording(m_own.back());
            if (!run.file.empty() && m_own.back() == m_continuation.into)
              m_store.endRecording(std::exchange(m_continuation, {}).of);
          });
  connect(&controller, &RunController::runEnded, this,
          [this](const RunController::ComputedRun& run) {
            const QString file = QString::fromStdString(run.file.string());
            m_own.removeAll(file);
            if (m_closed) return;  // keep the entry: the next start offers this run
            m_store.endRecording(file);
          });
  connect(&m_saver, &FileSaver::failed, this, &RunFiles::failed);
}

std::filesystem::path RunFiles::newFile(const QString& model) {
  const QString path = m_store.newFile(model);
  if (path.isEmpty())
    Q_EMIT failed(tr("This run is not recorded, because no file can be made in the "
                     "folder %1; make the folder writable, then run it again.")
                      .arg(m_store.folder()));
  return path.toStdString();
}

/// Checks m_own first, because FileClaim::isHeld would drop SQLite's locks on the files
/// that this window records into.
bool RunFiles::isRecorded(const QString& file) const {
  return m_own.contains(file) || FileClaim::isHeld(file.toStdString());
}

bool RunFiles::canSave() const {
  return m_controller.phase() == RunController::Phase::Idle &&
         QFileInfo(pathOf(m_controller)).isFile();
}

void RunFiles::open(const QString& path) {
  const QString file = QFileInfo(path).absoluteFilePath();  // the store lists such paths
  if (!isRecorded(file)) m_store.endRecording(file);
  m_controller.openRun(file.toStdString());
}

void RunFiles::openToContinue(const QString& path) {
  m_controller.openRun(QFileInfo(path).absoluteFilePath().toStdString());
}

void RunFiles::expectContinuation(const std::filesystem::path& of,
                                  const std::filesystem::path& into) {
  m_continuation = {QString::fromStdString(of.string()),
                    QString::fromStdString(into.string())};
}

void RunFiles::save(const QString& path) {
  const QString source = pathOf(m_controller);
  if (QFileInfo(source) == QFileInfo(path)) return;
  // First, because a save in progress claims the run's file: isRecorded would be true.
  if (const QString obstacle = m_saver.obstacle(); !obstacle.isEmpty())
    return Q_EMIT failed(obstacle);
  // If another window records into the file, a copy could mix parts of different steps.
  if (isRecorded(source))
    return Q_EMIT failed(
        tr("%1 is being recorded right now; save it after its end.").arg(source));
  if (isRecorded(path))
    return Q_EMIT failed(
        tr("%1 is being recorded right now; choose another name.").arg(path));
  m_saver.start(makeSaveRunJob(source.toStdString(), path.toStdString()), path,
                [this, path] { Q_EMIT saved(path); });
}

void RunFiles::chooseRun() {
  const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open run"),
                                                    m_store.folder(), runFilter());
  if (!path.isEmpty()) Q_EMIT openRequested(path);
}

void RunFiles::chooseTarget() {
  QFileDialog dialog(&m_window, tr("Save run as"), {}, runFilter());
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("eqrun"));
  dialog.selectFile(QFileInfo(pathOf(m_controller)).fileName());
  if (dialog.exec() == QDialog::Accepted) save(dialog.selectedFiles().value(0));
}

void RunFiles::close() {
  m_closed = true;
}

void RunFiles::askAboutStoredRuns() {
  if (const QString path = m_store.interrupted(); !path.isEmpty()) offer(path);
  if (const QStringList files = m_store.surplus(); !files.isEmpty()) askToDelete(files);
}

void RunFiles::offer(const QString& path) {
  auto* box = new QMessageBox(QMessageBox::Question, tr("Interrupted run"),
                              tr("The program ended while a run was being recorded. The "
                                 "file has all its finished steps, and the run can "
                                 "continue from there: %1")
                                  .arg(QFileInfo(path).fileName()),
                              QMessageBox::NoButton, &m_window);
  box->setObjectName(QStringLiteral("interruptedQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  auto* continuing = box->addButton(tr("Continue it"), QMessageBox::AcceptRole);
  const QAbstractButton* opening = box->addButton(tr("Open it"), QMessageBox::AcceptRole);
  box->addButton(tr("Leave it"), QMessageBox::RejectRole);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
    // Opening or continuing may fail; the run then stays listed and is offered again.
    if (clicked == opening) return Q_EMIT openRequested(path);
    if (clicked == continuing) return Q_EMIT continueRequested(path);
    m_store.endRecording(path);
  });
  box->setDefaultButton(continuing);
  box->open();
}

void RunFiles::askToDelete(const QStringList& files) {
  const QLocale locale;
  qint64 size = 0;
  for (const QString& file : files) size += QFileInfo(file).size();
  auto* box = new QMessageBox(
      QMessageBox::Question, tr("Recorded runs"),
      tr("Recorded runs take %1, more than the limit of %2. Delete the %n oldest (%3)?",
         nullptr, int(files.size()))
          .arg(locale.formattedDataSize(m_store.bytes()),
               locale.formattedDataSize(m_store.limit()), locale.formattedDataSize(size)),
      QMessageBox::NoButton, &m_window);
  box->setObjectName(QStringLiteral("cleanUpQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setDetailedText(files.join(u'\n'));
  const QAbstractButton* deleting =
      box->addButton(tr("Delete the oldest"), QMessageBox::DestructiveRole);
  auto* keeping = box->addButton(tr("Keep all"), QMessageBox::RejectRole);
  box->setDefaultButton(keeping);
  box->setEscapeButton(keeping);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
    if (clicked != deleting) return;
    removeRuns(files);
  });
  box->open();
}

void RunFiles::removeRuns(const QStringList& files) {
  QStringList problems;
  for (const QString& file : files) {
    QString problem = tr("%1 is being recorded right now; delete it after its end.");
    try {
      if (!m_own.contains(file)) {
        FileClaim::removeUnheld(file.toStdString());
        problem =
            tr("%1 cannot be deleted; make its folder writable, or delete it there.");
        if (!QFileInfo(file).exists()) continue;
      }
    } catch (const Error&) {  // another program began to record into it
    }
    problems << problem.arg(file);
  }
  Q_EMIT removed();
  if (problems.isEmpty()) return;
  const qsizetype others = problems.size() - 1;
  Q_EMIT failed(others == 0
                    ? problems.front()
                    : problems.front() + u' ' +
                          tr("Nor was %1 deleted.")
                              .arg(countText(others, QStringLiteral("other file"))));
}

namespace {

/// Makes a name that file systems accept. They allow 255 bytes, including the date, the
/// suffix and SQLite's "-journal".
QString plain(QString name) {
  constexpr std::size_t kMostBytes = 160;
  static const QRegularExpression kOther(QStringLiteral("[^\\w.-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  const std::string utf8 = name.replace(kOther, QStringLiteral("_")).toStdString();
  return QString::fromStdString(std::string(cutUtf8(utf8, kMostBytes)));
}

const QString kCurrentKey = QStringLiteral("runs/current");
const QString kSuffix = QStringLiteral(".eqrun");

/// The files that are being recorded, or were when a program ended unexpectedly.
QStringList recordedPaths() {
  return QSettings().value(kCurrentKey).toStringList();
}

/// A listed run may be complete: the command line may have continued it to its end.
bool isComplete(const QString& path) {
  try {
    return RunFile(path.toStdString()).ending() == RunEnding::Complete;
  } catch (const Error&) {  // opening the run will report this
    return false;
  }
}

/// Oldest first.
QFileInfoList filesIn(const QString& folder) {
  return QDir(folder).entryInfoList({u'*' + kSuffix}, QDir::Files,
                                    QDir::Time | QDir::Reversed);
}

/// Tries to make a file, because a file system or a quota may refuse what the permissions
/// allow.
bool canHoldFiles(const QDir& folder) {
  return folder.mkpath(QStringLiteral(".")) &&
         QTemporaryFile(folder.filePath(QStringLiteral("trial-XXXXXX"))).open();
}

}  // namespace

QString datedFile(const QString& folder, const DatedName& wanted) {
  const QDir place(folder);
  if (!canHoldFiles(place)) return {};
  const QString now =
      QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_HH-mm-ss"));
  const QString name = now + u'_' + plain(wanted.name);
  QString path = place.filePath(name + wanted.suffix);
  for (int number = 2; QFileInfo::exists(path); ++number)
    path = place.filePath(name + u'_' + QString::number(number) + wanted.suffix);
  return path;
}

// Paths in the store are compared with paths of opened files. cleanPath removes a double
// slash, which occurs if XDG_DATA_HOME ends with a slash.
RunStore::RunStore(const QString& folder, qint64 limit)
    : m_folder(QDir::cleanPath(folder)), m_limit(limit) {}

QString RunStore::defaultFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/runs");
}

QString RunStore::newFile(const QString& model) const {
  return datedFile(m_folder, {model, kSuffix});
}

void RunStore::setRecording(const QStringList& paths) const {
  QSettings settings;
  if (paths.isEmpty())
    settings.remove(kCurrentKey);
  else
    settings.setValue(kCurrentKey, paths);
  settings.sync();  // written now, in case the program is killed
}

void RunStore::beginRecording(const QString& path) const {
  if (path.isEmpty()) return;
  QStringList paths = recordedPaths();
  paths.removeIf(
      [&path](const QString& each) { return each == path || !QFileInfo(each).isFile(); });
  setRecording(paths << path);
}

void RunStore::endRecording(const QString& path) const {
  QStringList paths = recordedPaths();
  if (paths.removeAll(path) > 0) setRecording(paths);
}

QString RunStore::interrupted() const {
  for (const QString& path : recordedPaths()) {
    if (!QFileInfo(path).isFile() || FileClaim::isHeld(path.toStdString())) continue;
    if (!isComplete(path)) return path;
    endRecording(path);
  }
  return {};
}

qint64 RunStore::bytes() const {
  qint64 total = 0;
  for (const QFileInfo& file : filesIn(m_folder)) total += file.size();
  return total;
}

QStringList RunStore::surplus() const {
  QStringList oldest;
  const QStringList recorded = recordedPaths();
  qint64 rest = bytes();
  for (const QFileInfo& file : filesIn(m_folder)) {
    if (rest <= m_limit) break;
    if (recorded.contains(file.filePath()) ||
        FileClaim::isHeld(file.filePath().toStdString()))
      continue;
    rest -= file.size();
    oldest << file.filePath();
  }
  return oldest;
}

}  // namespace equipatch
