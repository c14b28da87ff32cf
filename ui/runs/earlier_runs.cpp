// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/earlier_runs.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QSet>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "ui/chart/number_text.h"
#include "ui/runs/earlier_run_items.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

constexpr QSize kFirstSize(1120, 640);
constexpr int kTypingPause = 800;  // milliseconds
constexpr int kNoteLines = 3;
using Item = EarlierRunItem;

}  // namespace

/// Sends results to the dialog's thread. Used on the worker's thread only, which ends
/// before the dialog is destroyed.
class EarlierRunsDialog::Sink final : public CatalogueSink {
 public:
  explicit Sink(EarlierRunsDialog& owner) : m_owner(owner) {}

  void catalogueRead(std::shared_ptr<const std::vector<CatalogueRun>> runs) override {
    post([runs = std::move(runs)](EarlierRunsDialog& owner) { owner.take(runs); });
  }
  void labelsSaved(std::shared_ptr<const CatalogueRun> run) override {
    post([run = std::move(run)](EarlierRunsDialog& owner) { owner.take(*run); });
  }
  void labelsRefused(const std::filesystem::path& file, const Error& error) override {
    post([file, sentence = QString::fromUtf8(error.what())](EarlierRunsDialog& owner) {
      owner.refuse(file, sentence);
    });
  }

 private:
  template <typename Event>
  void post(Event event) {
    QMetaObject::invokeMethod(
        &m_owner, [owner = &m_owner, event = std::move(event)] { event(*owner); },
        Qt::QueuedConnection);
  }

  EarlierRunsDialog& m_owner;
};

EarlierRunsDialog::EarlierRunsDialog(std::filesystem::path folder, const Theme& theme,
                                     Recording recording, QWidget* parent)
    : QDialog(parent),
      m_folder(std::move(folder)),
      m_theme(theme),
      m_recording(std::move(recording)),
      m_sink(std::make_shared<Sink>(*this)),
      m_worker(std::make_unique<Worker>(m_bridge)) {
  setObjectName(QStringLiteral("earlierRuns"));
  setWindowTitle(tr("Earlier runs"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(makeSearchRow());
  column->addWidget(m_tree = makeTree(), 1);
  m_message = new QLabel(this);
  m_message->setObjectName(QStringLiteral("earlierMessage"));
  m_message->setWordWrap(true);
  m_message->setTextFormat(Qt::PlainText);
  column->addWidget(m_message);
  column->addWidget(makeLabelForm());
  column->addWidget(makeButtons());
  resizeWithinScreen(*this, kFirstSize);
  m_pause.setSingleShot(true);
  m_pause.setInterval(kTypingPause);
  connectAll();
  showChosen();
}

EarlierRunsDialog::~EarlierRunsDialog() {
  saveTyped();
  m_worker.reset();  // drops the jobs that still wait
  for (const auto& [file, change] : m_unsaved) try {
      changeLabels(file, change);
    } catch (const Error&) {  // the dialog that would show the error is gone
    }
}

QWidget* EarlierRunsDialog::makeSearchRow() {
  auto* box = new QWidget(this);
  m_search = new QLineEdit(box);
  m_search->setObjectName(QStringLiteral("earlierSearch"));
  m_search->setAccessibleName(tr("Search"));
  m_search->setPlaceholderText(
      tr("Search names, models, prompts, tags, notes, settings, dates"));
  m_search->setClearButtonEnabled(true);
  m_grouping = new QComboBox(box);
  m_grouping->setObjectName(QStringLiteral("earlierGrouping"));
  m_grouping->addItems({tr("No groups"), tr("Grouped by model"), tr("Grouped by day"),
                        tr("Grouped by tag")});
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_search, 1);
  row->addWidget(m_grouping);
  return box;
}

QTreeWidget* EarlierRunsDialog::makeTree() {
  auto* tree = new QTreeWidget(this);
  tree->setObjectName(QStringLiteral("earlierTree"));
  tree->setAccessibleName(tr("Earlier runs"));
  tree->setHeaderLabels({tr("Run"), tr("Model"), tr("Prompt"), tr("Steps"), tr("Equal"),
                         tr("Median L∞"), tr("Started"), tr("Tags")});
  for (const int column : {int(Item::Steps), int(Item::Equal), int(Item::Linf)})
    tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree->setAlternatingRowColors(true);
  tree->setTextElideMode(Qt::ElideMiddle);  // prompts of branches differ at their ends
  tree->setIconSize(kOutlineSize);
  tree->setSortingEnabled(true);
  tree->sortByColumn(Item::Started, Qt::DescendingOrder);
  tree->header()->setStretchLastSection(false);
  tree->header()->setSectionResizeMode(QHeaderView::Interactive);
  tree->header()->setSectionResizeMode(Item::Prompt, QHeaderView::Stretch);
  return tree;
}

QWidget* EarlierRunsDialog::makeLabelForm() {
  auto* box = new QWidget(this);
  m_name = new QLineEdit(box);
  m_name->setObjectName(QStringLiteral("earlierName"));
  m_name->setMaxLength(120);
  m_tags = new QLineEdit(box);
  m_tags->setObjectName(QStringLiteral("earlierTags"));
  for (QLineEdit* field : {m_name, m_tags}) field->installEventFilter(this);
  m_tags->setMaxLength(400);
  m_tags->setPlaceholderText(tr("separated by commas"));
  m_notes = new QPlainTextEdit(box);
  m_notes->setObjectName(QStringLiteral("earlierNotes"));
  m_notes->setTabChangesFocus(true);
  m_notes->setFixedHeight(kNoteLines * fontMetrics().lineSpacing() + 14);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->addRow(tr("&Name"), m_name);
  // Not "&Tags": an underlined T is not kerned, so that the label would be cut off.
  form->addRow(tr("Ta&gs"), m_tags);
  form->addRow(tr("N&otes"), m_notes);
  return box;
}

QWidget* EarlierRunsDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_open = buttons->addButton(tr("Open &run"), QDialogButtonBox::ActionRole);
  m_open->setObjectName(QStringLiteral("earlierOpen"));
  m_open->setDefault(true);
  m_continue = buttons->addButton(tr("Con&tinue run"), QDialogButtonBox::ActionRole);
  m_continue->setObjectName(QStringLiteral("earlierContinue"));
  m_continue->setAutoDefault(false);
  m_continue->setToolTip(
      tr("Computes the steps that a stopped or interrupted run lacks and adds them to "
         "its file"));
  m_trash = buttons->addButton(tr("&Move to the trash…"), QDialogButtonBox::ActionRole);
  m_trash->setObjectName(QStringLiteral("earlierTrash"));
  m_trash->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_open, &QPushButton::clicked, this, &EarlierRunsDialog::openChosen);
  connect(m_continue, &QPushButton::clicked, this, &EarlierRunsDialog::continueChosen);
  connect(m_trash, &QPushButton::clicked, this, [this] { moveToTrash(); });
  return buttons;
}

void EarlierRunsDialog::connectAll() {
  connect(m_search, &QLineEdit::textChanged, this, &EarlierRunsDialog::showRuns);
  connect(m_grouping, &QComboBox::currentIndexChanged, this,
          &EarlierRunsDialog::showRuns);
  connect(&m_theme, &Theme::changed, this, &EarlierRunsDialog::showRuns);
  connect(m_tree, &QTreeWidget::itemSelectionChanged, this,
          &EarlierRunsDialog::showChosen);
  connect(m_tree, &QTreeWidget::itemActivated, this, &EarlierRunsDialog::openChosen);
  for (QLineEdit* line : {m_name, m_tags}) {
    connect(line, &QLineEdit::textEdited, &m_pause, qOverload<>(&QTimer::start));
    connect(line, &QLineEdit::editingFinished, this, &EarlierRunsDialog::saveTyped);
  }
  // Queued, because regrouping deletes all rows, and the click that ends the editing may
  // be on a row.
  connect(m_tags, &QLineEdit::editingFinished, this, &EarlierRunsDialog::regroup,
          Qt::QueuedConnection);
  connect(m_notes, &QPlainTextEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
  connect(&m_pause, &QTimer::timeout, this, &EarlierRunsDialog::saveTyped);
  connect(&m_bridge, &WorkerBridge::failed, m_message, &QLabel::setText);
  connect(&m_bridge, &WorkerBridge::finished, this, [this] { m_problem.clear(); });
  m_tree->installEventFilter(this);
  auto* find = new QShortcut(QKeySequence::Find, this);
  connect(find, &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
}

void EarlierRunsDialog::open() {
  refresh();
  show();
  raise();
  m_search->setFocus();
}

void EarlierRunsDialog::hideEvent(QHideEvent* event) {
  saveTyped();
  QDialog::hideEvent(event);
}

/// Return in the form must not press the default button, which opens a run.
bool EarlierRunsDialog::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  const bool isReturn = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (watched == m_tree && key.matches(QKeySequence::Delete))
    moveToTrash();
  else if (watched == m_tree || !isReturn)
    return QDialog::eventFilter(watched, event);
  else {
    saveTyped();
    regroup();
  }
  return true;
}

void EarlierRunsDialog::refreshShown() {
  if (isVisible()) refresh();
}

void EarlierRunsDialog::refresh() {
  m_bridge.follow(m_worker->start(makeCatalogueJob(m_folder, m_sink)));
}

void EarlierRunsDialog::take(
    const std::shared_ptr<const std::vector<CatalogueRun>>& runs) {
  m_runs = *runs;
  m_isRead = true;
  for (CatalogueRun& run : m_runs)  // apply what the user typed meanwhile
    if (const auto typed = m_unsaved.find(run.file); typed != m_unsaved.end())
      run.labels = typed->second.appliedTo(run.labels);
  showRuns();
  if (!m_problem.isEmpty()) m_message->setText(m_problem);
}

void EarlierRunsDialog::take(const CatalogueRun& run) {
  const auto typed = m_unsaved.find(run.file);
  if (typed != m_unsaved.end() && typed->second.appliedTo(run.labels) == run.labels)
    m_unsaved.erase(typed);
  Q_EMIT labelled(QString::fromStdString(run.file.string()),
                  QString::fromStdString(run.labels.name));
}

/// What the user typed stays in `m_unsaved`; the next `saveTyped` for this file tries
/// again.
void EarlierRunsDialog::refuse(const std::filesystem::path& file,
                               const QString& sentence) {
  m_refused.insert(file);
  m_message->setText(sentenceText(sentence));
}

QStringList EarlierRunsDialog::groupsOf(const CatalogueRun& run) const {
  switch (Grouping(m_grouping->currentIndex())) {
    case Grouping::None:
      return {QString()};
    case Grouping::Model:
      return {run.header ? QString::fromStdString(run.header->modelName)
                         : tr("cannot be read")};
    case Grouping::Day:
      return {run.header ? QLocale().toString(startOf(run).date(), QLocale::LongFormat)
                         : tr("cannot be read")};
    case Grouping::Tag:
      break;
  }
  QStringList tags;
  for (const std::string& tag : run.labels.tags) tags << QString::fromStdString(tag);
  return tags.isEmpty() ? QStringList{tr("no tag")} : tags;
}

/// The text that a search covers besides the run's header and labels.
std::string EarlierRunsDialog::searchedText(const CatalogueRun& run) const {
  const QDateTime start = startOf(run);
  QStringList texts{QString::fromStdString(listedSettings(run))};
  if (start.isValid())
    texts << QLocale().toString(start, QLocale::ShortFormat)
          << start.date().toString(Qt::ISODate);
  if (Grouping(m_grouping->currentIndex()) == Grouping::Day) texts << groupsOf(run);
  return texts.join(u'\n').toStdString();
}

void EarlierRunsDialog::regroup() {
  if (m_isRegroupDue) showRuns();
}

/// Finds or makes the group. A new group sorts by the start of `first`, its newest run.
QTreeWidgetItem* EarlierRunsDialog::groupFor(const QString& title,
                                             const CatalogueRun& first) {
  if (title.isEmpty()) return m_tree->invisibleRootItem();
  for (int row = 0; row < m_tree->topLevelItemCount(); ++row)
    if (QTreeWidgetItem* group = m_tree->topLevelItem(row);
        group->text(Item::Run) == title)
      return group;
  auto* group = new EarlierRunItem(m_tree);
  group->setText(Item::Run, title);
  sortByStart(*group, Item::Started, first);
  if (Grouping(m_grouping->currentIndex()) == Grouping::Day)
    sortByStart(*group, Item::Run, first);
  group->setFlags(Qt::ItemIsEnabled);
  group->setFirstColumnSpanned(true);
  QFont bold = m_tree->font();
  bold.setBold(true);
  group->setFont(Item::Run, bold);
  group->setExpanded(true);
  return group;
}

void EarlierRunsDialog::addRun(QTreeWidgetItem& group, const CatalogueRun& run) {
  fillRunItem(*new EarlierRunItem(&group), run, m_theme.colours(), devicePixelRatioF());
}

void EarlierRunsDialog::showRuns() {
  QSet<QString> selected{QString::fromStdString(m_shown.string())};
  for (const QTreeWidgetItem* item : m_tree->selectedItems())
    selected << item->data(0, Qt::UserRole).toString();
  selected.remove(QString());  // groups have no file
  const QSignalBlocker quiet(m_tree);
  m_isRegroupDue = false;
  m_tree->setSortingEnabled(false);
  m_tree->clear();
  m_tree->setRootIsDecorated(Grouping(m_grouping->currentIndex()) != Grouping::None);
  std::size_t count = 0;
  for (const CatalogueRun& run : m_runs) {
    if (!matchesSearch(run, searchedText(run), m_search->text().toStdString())) continue;
    for (const QString& group : groupsOf(run)) addRun(*groupFor(group, run), run);
    ++count;
  }
  m_tree->setSortingEnabled(true);
  for (const int column :
       {int(Item::Run), int(Item::Model), int(Item::Steps), int(Item::Equal),
        int(Item::Linf), int(Item::Started), int(Item::Tags)})
    m_tree->resizeColumnToContents(column);
  constexpr int kWidestColumn = 320, kLargestShare = 4;  // prompts need room
  const int widest = std::min(kWidestColumn, width() / kLargestShare);
  for (const int column : {int(Item::Run), int(Item::Model), int(Item::Tags)})
    m_tree->setColumnWidth(column, std::min(m_tree->columnWidth(column), widest));
  bool isFirst = true;
  for (QTreeWidgetItemIterator item(m_tree); *item; ++item)
    if (selected.contains((*item)->data(0, Qt::UserRole).toString())) {
      if (std::exchange(isFirst, false)) m_tree->setCurrentItem(*item);
      (*item)->setSelected(true);
    }
  if (m_isRead) showCount(count);
  showChosen();
}

/// @param shown the number of runs that match the search
void EarlierRunsDialog::showCount(std::size_t shown) {
  const QString all = countText(qint64(m_runs.size()), QStringLiteral("run"));
  if (m_runs.empty())
    m_message->setText(
        tr("No run is recorded yet; every run of the window will be here."));
  else
    m_message->setText(shown < m_runs.size() ? tr("%1 of %2").arg(shown).arg(all) : all);
}

}  // namespace equipatch
