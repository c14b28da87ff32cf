// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QLocale>
#include <QMessageBox>
#include <algorithm>
#include <ranges>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/record/file/file_claim.h"
#include "ui/chart/number_text.h"
#include "ui/runs/earlier_run_items.h"
#include "ui/runs/earlier_runs.h"

namespace equipatch {
namespace {

/// @param recorded the file that this window is recording; empty: none
/// @returns why `file` was not moved; empty if it was moved
QString moveFileToTrash(const QString& file, const std::filesystem::path& recorded) {
  // Checked before isHeld, which must not open a file that this process records.
  if (file.toStdString() == recorded)
    return EarlierRunsDialog::tr(
               "%1 is being recorded in this window; stop the run before you move it to "
               "the trash.")
        .arg(file);
  if (FileClaim::isHeld(file.toStdString()))
    return EarlierRunsDialog::tr(
               "%1 is being recorded by another window or command; stop that run before "
               "you move it to the trash.")
        .arg(file);
  if (QFile::moveToTrash(file)) return {};
  return EarlierRunsDialog::tr(
             "%1 cannot be moved to the trash; delete it in its folder.")
      .arg(file);
}

}  // namespace

const CatalogueRun* EarlierRunsDialog::chosen() const {
  const std::vector<const CatalogueRun*> runs = allChosen();
  return runs.size() == 1 ? runs.front() : nullptr;
}

/// In the order of the list. A run that is in several groups counts once.
std::vector<const CatalogueRun*> EarlierRunsDialog::allChosen() const {
  std::unordered_map<std::string, const CatalogueRun*> notTaken;
  for (const CatalogueRun& run : m_runs) notTaken.emplace(run.file.string(), &run);
  std::vector<const CatalogueRun*> runs;
  using Iterator = QTreeWidgetItemIterator;
  for (Iterator item(m_tree, Iterator::Selected); *item; ++item) {
    const QString file = (*item)->data(0, Qt::UserRole).toString();
    if (const auto found = notTaken.extract(file.toStdString()))
      runs.push_back(found.mapped());
  }
  return runs;
}

std::vector<const CatalogueRun*> EarlierRunsDialog::removable() const {
  std::vector<const CatalogueRun*> runs = allChosen();
  std::erase_if(runs, [recorded = m_recording()](const CatalogueRun* run) {
    return run->file == recorded;
  });
  return runs;
}

void EarlierRunsDialog::showChosen() {
  const CatalogueRun* run = chosen();
  if (run && run->file == m_shown && m_pause.isActive()) return;  // the user is typing
  saveTyped();
  // Filling a field again would move the user's cursor.
  const RunLabels labels = run ? run->labels : RunLabels();
  if (!run || run->file != m_shown || typed() != labels) fillForm(labels);
  m_name->setPlaceholderText(run ? QString::fromStdString(listedSettings(*run))
                                 : QString());
  m_shown = run ? run->file : std::filesystem::path();
  const bool isRecording = run && !run->file.empty() && run->file == m_recording();
  const bool mayLabel = run && run->header && !isRecording;
  for (QWidget* field : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_tags),
                         static_cast<QWidget*>(m_notes)})
    field->setEnabled(mayLabel);
  const auto readable = int(std::ranges::count_if(
      allChosen(), [](const CatalogueRun* each) { return each->header != nullptr; }));
  m_open->setEnabled(readable > 0);
  m_open->setText(readable > 1 ? tr("Open %n &runs", nullptr, readable)
                               : tr("Open &run"));
  m_continue->setEnabled(run && run->header && !isRecording &&
                         run->ending != RunEnding::Complete);
  const auto count = int(removable().size());
  m_trash->setEnabled(count > 0);
  m_trash->setText(count > 1 ? tr("&Move %n runs to the trash…", nullptr, count)
                             : tr("&Move to the trash…"));
}

void EarlierRunsDialog::fillForm(const RunLabels& labels) {
  const QSignalBlocker quiet(m_notes);
  m_name->setText(QString::fromStdString(labels.name));
  m_tags->setText(QString::fromStdString(joined(labels.tags)));
  m_notes->setPlainText(QString::fromStdString(labels.notes));
  m_filled = typed();  // not `labels`: the fields shorten long labels
}

RunLabels EarlierRunsDialog::typed() const {
  return {.name = m_name->text().trimmed().toStdString(),
          .notes = m_notes->toPlainText().toStdString(),
          .tags = parseTags(m_tags->text().toStdString())};
}

/// Saves only the labels that the user changed: another program may have changed other
/// labels in the file.
void EarlierRunsDialog::saveTyped() {
  m_pause.stop();
  const auto run = std::ranges::find(m_runs, m_shown, &CatalogueRun::file);
  if (m_shown.empty() || run == m_runs.end() || !run->header) return;
  const RunLabels before = std::exchange(m_filled, typed());
  LabelChange change;
  if (const auto unsaved = m_unsaved.find(run->file); unsaved != m_unsaved.end())
    change = unsaved->second;
  if (m_filled.name != before.name) change.name = m_filled.name;
  if (m_filled.notes != before.notes) change.notes = m_filled.notes;
  if (m_filled.tags != before.tags) change.tags = m_filled.tags;
  const RunLabels labels = change.appliedTo(run->labels);
  const bool wasRefused = m_refused.erase(run->file) > 0;
  if (labels == run->labels && !wasRefused) return;
  m_isRegroupDue |= Grouping(m_grouping->currentIndex()) == Grouping::Tag &&
                    labels.tags != run->labels.tags;
  run->labels = labels;
  m_unsaved[run->file] = change;
  for (QTreeWidgetItemIterator item(m_tree); *item; ++item)
    if ((*item)->data(0, Qt::UserRole).toString().toStdString() == m_shown.string()) {
      (*item)->setText(EarlierRunItem::Run, rowTextOf(*run));
      (*item)->setText(EarlierRunItem::Tags, QString::fromStdString(joined(labels.tags)));
    }
  m_worker->start(makeLabelJob(run->file, std::move(change), m_sink));
}

/// Opens the topmost run last, so that it stays on display.
void EarlierRunsDialog::openChosen() {
  std::vector<std::pair<QString, QString>> runs;
  for (const CatalogueRun* run : allChosen())
    if (run->header)
      runs.emplace_back(QString::fromStdString(run->file.string()),
                        QString::fromStdString(run->labels.name));
  if (runs.empty()) return;
  hide();  // the dialog covers the charts that show the runs
  for (const auto& [file, name] : std::views::reverse(runs))
    Q_EMIT openRequested(file, name);
}

void EarlierRunsDialog::continueChosen() {
  const CatalogueRun* run = chosen();
  if (!run || !run->header) return;
  const QString file = QString::fromStdString(run->file.string());
  const QString name = QString::fromStdString(run->labels.name);
  hide();
  Q_EMIT continueRequested(file, name);
}

void EarlierRunsDialog::moveToTrash() {
  const std::vector<const CatalogueRun*> runs = removable();
  if (runs.empty()) return;
  QStringList files;
  for (const CatalogueRun* run : runs)
    files << QString::fromStdString(run->file.string());
  const QString name = nameOf(*runs.front());
  const QDateTime start = startOf(*runs.front());
  auto* box = new QMessageBox(
      QMessageBox::Question, tr("Move to the trash"),
      runs.size() > 1   ? tr("Move %n runs to the trash?", nullptr, int(runs.size()))
      : start.isValid() ? tr("Move the run “%1” of %2 to the trash?")
                              .arg(name, QLocale().toString(start, QLocale::ShortFormat))
                        : tr("Move the run “%1” to the trash?").arg(name),
      QMessageBox::NoButton, this);
  box->setObjectName(QStringLiteral("trashQuestion"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setTextFormat(Qt::PlainText);
  const QAbstractButton* moving = box->addButton(
      runs.size() == 1 ? tr("Move it") : tr("Move them"), QMessageBox::AcceptRole);
  box->setDefaultButton(box->addButton(runs.size() == 1 ? tr("Keep it") : tr("Keep them"),
                                       QMessageBox::RejectRole));
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
    if (clicked == moving) moveToTrash(files);
  });
  box->open();
}

void EarlierRunsDialog::moveToTrash(const QStringList& files) {
  m_shown.clear();
  QStringList problems;
  for (const QString& file : files)
    if (const QString problem = moveFileToTrash(file, m_recording()); !problem.isEmpty())
      problems << problem;
  constexpr qsizetype kMostNamed = 3;
  if (const qsizetype others = problems.size() - 1; others >= kMostNamed) {
    const QString count = countText(others, QStringLiteral("other run"));
    problems = {problems.front(), tr("Nor can %1 be moved.").arg(count)};
  }
  m_problem = problems.join(u' ');
  refresh();
  Q_EMIT removed();
}

}  // namespace equipatch
