// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_desk.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTextDocument>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/program_files.h"
#include "core/lesson/lesson_reader.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/lab/lab_window.h"

namespace equipatch {
namespace {

constexpr int kWidth = 300;
constexpr int kStepWidth = 330;  // least width of the dock Step
const QString kOfferedKey = QStringLiteral("lessons/offered");
const QString kDoneKey = QStringLiteral("lessons/done");
const QString kPagesKey = QStringLiteral("lessons/pages");  ///< where the reader left
const QString kOwnLessons = QStringLiteral(":/lessons/");

Lesson lessonOf(const QString& file, const LessonLimits& limits = kLessonLimits) {
  if (!file.startsWith(kOwnLessons)) return readLessonFile(file.toStdString(), limits);
  QFile resource(file);
  if (!resource.open(QIODevice::ReadOnly)) throw badInput("there is no such lesson");
  return readLesson(resource.readAll().toStdString());
}

QStringList lessonsIn(const QString& folder) {
  QStringList files;
  for (const QString& name :
       QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files))
    files << QDir(folder).filePath(name);
  return files;
}

/// False if the lesson uses a bundled model that is not installed.
bool isPlayable(const Lesson& lesson) {
  const auto has = [](const std::vector<LessonAction>& actions, const char* model) {
    const LessonAction choice{LessonVerb::Model, model};
    return std::ranges::find(actions, choice) != actions.end();
  };
  const auto uses = [&](const char* model) {
    return std::ranges::any_of(lesson.steps, [&](const LessonStep& step) {
      return has(step.actions, model) ||
             (step.question && has(step.question->solution, model));
    });
  };
  return (!uses("vision") || findResource(Resource::BundledVisionModel)) &&
         (!uses("bundled") || findResource(Resource::BundledModel));
}

/// A file that cannot be read is listed, so that the reader learns why.
bool isListed(const QString& file) {
  try {
    return isPlayable(lessonOf(file));
  } catch (const Error&) {
    return true;
  }
}

/// The lesson's key in the settings: the file's path or, for the program's own lessons,
/// the file's name without the leading number, which may change.
QString lessonKey(const QString& file) {
  static const QRegularExpression place(QStringLiteral("^[0-9]+-"));
  return file.startsWith(kOwnLessons) ? QFileInfo(file).baseName().remove(place) : file;
}

struct MenuEntry {
  QString title, toolTip;
};

/// Applies the limits of drafts, because the user can edit a lesson that is too long to
/// be played.
MenuEntry entryOf(const QString& file) {
  MenuEntry entry;
  try {
    const Lesson lesson = lessonOf(file, kDraftLimits);
    QTextDocument summary;
    summary.setMarkdown(QString::fromStdString(lesson.summary),
                        QTextDocument::MarkdownNoHTML);
    entry = {QString::fromStdString(lesson.title), summary.toPlainText()};
  } catch (const Error& error) {
    entry = {LessonDesk::tr("%1 (cannot be read)").arg(QFileInfo(file).fileName()),
             messageText(error.what())};
  }
  entry.title = withAmpersands(entry.title);
  return entry;
}

}  // namespace

LessonDesk::LessonDesk(const LessonStage::Parts& parts)
    : m_parts(parts), m_stage(parts), m_record(parts, m_stage, folder()) {
  connectRecord();
}

void LessonDesk::connectRecord() {
  connect(&m_record, &RecordDesk::failed, this, &LessonDesk::failed);
  connect(&m_record, &RecordDesk::changed, this, &LessonDesk::changed);
  connect(&m_record, &RecordDesk::playRequested, this, &LessonDesk::open);
}

QStringList LessonDesk::ownLessons() {
  QStringList files = lessonsIn(kOwnLessons);
  files.removeIf([](const QString& file) { return !isListed(file); });
  return files;
}

QString LessonDesk::folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/lessons");
}

void LessonDesk::attach(QMenu& menu) {
  connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
  fill(menu);
}

void LessonDesk::fill(QMenu& menu) {
  for (QMenu* earlier : menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
    earlier->deleteLater();  // `clear` does not delete submenus
  menu.clear();
  menu.setToolTipsVisible(true);
  auto* edit = new QMenu(tr("&Edit"), &menu);
  const QStringList done = QSettings().value(kDoneKey).toStringList();
  for (const QString& file : ownLessons() + lessonsIn(folder())) {
    const MenuEntry entry = entryOf(file);
    if (!file.startsWith(kOwnLessons))
      edit->addAction(entry.title, &m_record, [this, file] { m_record.edit(file); });
    if (!isListed(file)) continue;
    QAction* lesson = menu.addAction(entry.title, this, [this, file] { open(file); });
    lesson->setToolTip(plainToolTip(entry.toolTip));
    lesson->setCheckable(true);
    lesson->setChecked(done.contains(lessonKey(file)));
  }
  menu.addSeparator();
  menu.addAction(tr("&Open…"), this, &LessonDesk::chooseFile);
  edit->setEnabled(!edit->isEmpty());
  menu.addMenu(edit);
}

void LessonDesk::chooseFile() {
  auto* dialog = new QFileDialog(&m_parts.window, tr("Open a lesson"), folder(),
                                 tr("Lessons (*.md)"));
  dialog->setObjectName(QStringLiteral("lessonDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, &LessonDesk::open);
  dialog->open();
}

/// Saves the last page as 0, so that a finished lesson does not offer to continue. The
/// first page makes this offer, and keeps the saved page for it.
void LessonDesk::notePage() {
  if (m_player->isFirst()) return;
  QVariantMap pages = QSettings().value(kPagesKey).toMap();
  const int page = m_player->isLast() ? 0 : m_player->index();
  if (pages.value(lessonKey(m_file)).toInt() == page) return;
  pages.insert(lessonKey(m_file), page);
  QSettings().setValue(kPagesKey, pages);
}

void LessonDesk::noteDone() {
  if (!m_player->isLast()) return;
  QStringList done = QSettings().value(kDoneKey).toStringList();
  if (done.contains(lessonKey(m_file))) return;
  QSettings().setValue(kDoneKey, done << lessonKey(m_file));
}

QWidget* LessonDesk::makeOffer(QWidget* parent) {
  auto* offer = new QFrame(parent);
  offer->setObjectName(QStringLiteral("lessonOffer"));
  auto* text = new QLabel(
      tr("New here? A lesson of five minutes shows what a prompt does to a model. Or try "
         "by yourself first: Help ▸ Lessons has it later."),
      offer);
  text->setWordWrap(true);
  const auto add = [offer](const char* name, const QString& words, const QString& tip) {
    auto* button = new QPushButton(words, offer);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    return button;
  };
  auto* show = add("lessonShowMe", tr("Start the lesson"),
                   tr("Show me: the lesson explains the window while it uses it"));
  auto* skip = add("lessonLetMeTry", tr("Not now"),
                   tr("Let me try: the window is yours, and this line does not return"));
  auto* layout = new QHBoxLayout(offer);
  layout->setContentsMargins(10, 5, 6, 5);
  layout->addWidget(text, 1);
  layout->addWidget(show);
  layout->addWidget(skip);
  m_offer = offer;
  connect(skip, &QPushButton::clicked, this, &LessonDesk::closeOffer);
  connect(show, &QPushButton::clicked, this, [this] { open(ownLessons().value(0)); });
  offer->setVisible(!QSettings().value(kOfferedKey, false).toBool() &&
                    !ownLessons().isEmpty());
  return offer;
}

void LessonDesk::closeOffer() {
  QSettings().setValue(kOfferedKey, true);
  m_offer->hide();
}

void LessonDesk::open(const QString& file) {
  Lesson lesson;
  try {
    lesson = lessonOf(file);
  } catch (const Error& error) {
    return Q_EMIT failed(messageText(error.what()));
  }
  if (!m_stage.isFree())
    return Q_EMIT failed(
        tr("A run or a load is in progress; stop it before a lesson begins."));
  if (m_record.isRecording())
    return Q_EMIT failed(
        tr("A lesson is being recorded; stop that before another one is played."));
  Q_EMIT beginning();
  if (m_player) {
    closePanel();
    m_stage.leave();
  }
  closeOffer();
  m_record.closeNotice();
  m_file = file;
  m_stage.setFolder(QFileInfo(file).path());
  m_stage.remember(lesson.title);
  m_player = new LessonPlayer(std::move(lesson), m_stage, this);
  makeRoom();
  offerNext(file);
  const int left = QSettings().value(kPagesKey).toMap().value(lessonKey(file)).toInt();
  if (left < int(m_player->lesson().steps.size())) m_panel->setLeftAt(left);
  connect(m_player, &LessonPlayer::changed, this, &LessonDesk::showState);
  m_player->begin();
  m_panel->setFocus();  // the panel passes the focus to Next
  Q_EMIT changed();
}

void LessonDesk::offerNext(const QString& file) {
  const QStringList own = ownLessons();
  const qsizetype at = own.indexOf(file);
  if (at < 0 || at + 1 >= own.size()) return;
  const QString next = own[at + 1];
  m_panel->setFollowing(QString::fromStdString(lessonOf(next).title));
  connect(
      m_panel, &LessonPanel::followRequested, this, [this, next] { open(next); },
      Qt::QueuedConnection);
}

/// Puts the lesson at the top left, and model and prompt as tabs below it.
void LessonDesk::makeRoom() {
  QMainWindow& window = m_parts.window;
  const QString title = QString::fromStdString(m_player->lesson().title);
  m_dock = new QDockWidget(withAmpersands(title), &window);
  m_dock->setObjectName(QStringLiteral("lessonDock"));
  m_dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
  m_dock->installEventFilter(this);
  m_panel = new LessonPanel(*m_player, m_dock);
  m_dock->setWidget(m_panel);
  connect(m_panel, &LessonPanel::endRequested, this, &LessonDesk::end,
          Qt::QueuedConnection);
  connect(m_panel, &LessonPanel::keyMoved, this, [this](int steps, int layers) {
    if (steps != 0) m_parts.selection.moveStep(steps);
    if (layers != 0) m_parts.selection.moveLayer(layers);
  });
  auto* model = window.findChild<QDockWidget*>(QStringLiteral("modelDock"));
  auto* prompt = window.findChild<QDockWidget*>(QStringLiteral("promptDock"));
  for (QDockWidget* dock : {model, prompt}) {
    dock->setFloating(false);
    dock->show();
  }
  m_parts.prompt.setBrief(true);
  window.addDockWidget(Qt::LeftDockWidgetArea, m_dock);
  window.splitDockWidget(m_dock, model, Qt::Vertical);
  window.tabifyDockWidget(model, prompt);
  // The tables of a narrower step dock would be cut.
  auto* step = window.findChild<QDockWidget*>(QStringLiteral("stepDock"));
  window.resizeDocks({m_dock, step}, {kWidth, std::max(kStepWidth, step->width())},
                     Qt::Horizontal);
  m_room = new LessonRoom(window, *m_dock, *m_panel);
  connect(m_panel, &LessonPanel::stateHeightChanged, m_room, &LessonRoom::refresh);
  m_spotlight = new Spotlight(window, m_parts.theme);
  m_spotlight->spare({window.findChild<QWidget*>(QStringLiteral("messageBar")),
                      window.findChild<QWidget*>(QStringLiteral("recordBar")),
                      window.statusBar()});  // shows a presentation's keys
  m_lit = -1;
}

/// Keeps the lab's window beside the lesson's dock.
bool LessonDesk::eventFilter(QObject* watched, QEvent* event) {
  const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move;
  if (moves && m_player && isInLab()) m_stage.placeLab();
  return QObject::eventFilter(watched, event);
}

/// Whether the step starts an experiment in the lab's window.
bool LessonDesk::isInLab() const {
  if (m_player->index() < 0) return false;  // the lesson has not begun
  const auto& actions = m_player->step().actions;
  return std::ranges::find(actions, LessonVerb::Lab, &LessonAction::verb) !=
         actions.end();
}

void LessonDesk::showState() {
  noteDone();
  notePage();
  if (m_player->isTrying()) {
    m_lit = -1;
    return m_spotlight->light({});
  }
  if (m_lit == m_player->index()) return;
  m_lit = m_player->index();
  QList<QWidget*> lit = m_stage.show(partsOf(m_player->step()));
  if (!lit.isEmpty() || isInLab()) lit << m_dock;
  auto* lab = m_parts.window.findChild<LabWindow*>();
  if (lab && !isInLab()) lab->hide();
  m_spotlight->light(lit);
  m_room->share(m_player->step().lit, m_stage.isFocused());
  if (isInLab()) m_stage.placeLab();
}

void LessonDesk::setPresented(bool presented) {
  m_stage.setFocused(presented);
  m_record.closeNotice();
  // Presentation::leave also shows an offer that was answered during the presentation.
  if (QSettings().value(kOfferedKey).toBool()) m_offer->hide();
  if (!m_player) return;
  m_dock->show();
  m_lit = -1;
  if (!presented) m_stage.show({});
  m_parts.prompt.setBrief(true);  // again: Presentation::leave showed the whole prompt
  showState();
}

void LessonDesk::spare(QWidget* dock) {
  if (m_spotlight) m_spotlight->spareUntilNext(dock);
}

bool LessonDesk::turnPage(int by) {
  if (!m_player) return false;
  if (by < 0) m_player->back();
  if (by > 0 && !m_player->isActing() && !m_player->isTrying()) m_player->next();
  return true;
}

void LessonDesk::end() {
  if (!m_player) return;
  closePanel();
  m_stage.restore();
  Q_EMIT changed();
}

void LessonDesk::closePanel() {
  delete std::exchange(m_player, nullptr);
  delete std::exchange(m_spotlight, nullptr);
  m_parts.window.removeDockWidget(m_dock);
  delete std::exchange(m_dock, nullptr);
  m_panel = nullptr;
  m_room = nullptr;
  m_parts.prompt.setBrief(false);
}

}  // namespace equipatch
