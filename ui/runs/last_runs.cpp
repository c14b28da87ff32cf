// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/last_runs.h"

#include <QFileInfo>
#include <QSettings>
#include <algorithm>
#include <utility>

namespace equipatch {
namespace {

const QString kRunsKey = QStringLiteral("runs/last");
const QString kDisplayedKey = QStringLiteral("runs/lastDisplayed");

QString fileOf(const ListedRun& run) {
  return QString::fromStdString(run.file.string());
}

}  // namespace

LastRuns::LastRuns(RunList& runs, QWidget* parent)
    : QPushButton(parent),
      m_runs(runs),
      m_last(read()),
      m_displayed(QSettings().value(kDisplayedKey).toString()) {
  setObjectName(QStringLiteral("openLastRuns"));
  setToolTip(
      tr("Opens the runs that were listed when the program was closed; File ▸ "
         "Earlier runs lists all runs"));
  connect(this, &QPushButton::clicked, this, &LastRuns::request);
  connect(&runs, &RunList::changed, this, &LastRuns::runsChanged);
  offer();
}

/// Parses lines "COLOUR OWN TICKED FILE", as in "3 #ff0000 1 /runs/a.eqrun". COLOUR is
/// the index of a style; OWN is the colour that the user chose, or "-".
QList<LastRuns::Look> LastRuns::read() {
  QList<Look> looks;
  for (const QString& line : QSettings().value(kRunsKey).toStringList()) {
    const QString own = line.section(u' ', 1, 1);
    Look look{line.section(u' ', 3), line.section(u' ', 0, 0).toInt(),
              QColor::isValidColorName(own) ? QColor(own) : QColor(),
              line.section(u' ', 2, 2) != QStringLiteral("0")};
    look.colour = std::clamp(look.colour, 0, kRunStyles - 1);
    if (QFileInfo(look.file).isFile()) looks << look;
  }
  return looks;
}

void LastRuns::request() {
  QStringList files;
  for (const Look& look : std::as_const(m_last)) files << look.file;
  m_wanted = m_last;  // m_last stays: a run is offered until it is listed
  m_toDisplay = m_displayed;
  Q_EMIT openRequested(files);
}

void LastRuns::setPaused(bool isPaused) {
  m_isPaused = isPaused;
  offer();
  runsChanged();
}

void LastRuns::runsChanged() {
  if (m_isPaused) return;
  if (m_runs.count() == 0 && m_listed.isEmpty() && !m_last.isEmpty())
    return;  // no run has been listed yet
  takeListed();
  takeLooks();
  save();
  offer();
  takeDisplayed();
}

/// Moves listed runs from `m_last` to `m_wanted`. The remaining runs stay on offer: the
/// user may first continue an interrupted run. A run that is not of the last session ends
/// the offer.
void LastRuns::takeListed() {
  for (int row = 0; row < m_runs.count(); ++row) {
    const QString file = fileOf(m_runs.at(row));
    const auto isFile = [&file](const Look& look) { return look.file == file; };
    if (const auto found = std::ranges::find_if(m_last, isFile); found != m_last.end()) {
      m_wanted.removeIf(isFile);
      m_wanted << *found;
      m_listed << file;
      m_last.erase(found);
    } else if (!m_listed.contains(file)) {
      m_toDisplay.clear();
      return m_last.clear();
    }
  }
}

/// Restores the look of each reopened run, once per run.
void LastRuns::takeLooks() {
  for (int row = 0; row < m_runs.count(); ++row) {
    const QString file = fileOf(m_runs.at(row));
    const auto found = std::ranges::find(m_wanted, file, &Look::file);
    if (found == m_wanted.end()) continue;
    const Look look = *found;
    m_wanted.erase(found);  // first: each setter leads to another call of this function
    m_runs.setColour(row, look.colour);
    if (look.own.isValid()) m_runs.setOwnColour(row, look.own);
    m_runs.setShown(row, look.shown);
  }
}

/// When the run that was on display in the last session is listed, requests its display,
/// once.
void LastRuns::takeDisplayed() {
  for (int row = 0; row < m_runs.count() && !m_toDisplay.isEmpty(); ++row) {
    if (fileOf(m_runs.at(row)) != m_toDisplay) continue;
    m_toDisplay.clear();
    Q_EMIT displayRequested(row);
  }
}

QString LastRuns::lineOf(const Look& look) {
  return QStringLiteral("%1 %2 %3 ")
             .arg(look.colour)
             .arg(look.own.isValid() ? look.own.name() : QStringLiteral("-"))
             .arg(look.shown ? 1 : 0) +
         look.file;
}

void LastRuns::save() const {
  QStringList lines;
  for (int row = 0; row < m_runs.count(); ++row) {
    const ListedRun& run = m_runs.at(row);
    if (run.file.empty()) continue;
    lines << lineOf({fileOf(run), run.colour, run.own, run.shown});
  }
  for (const Look& look : m_last)  // still offered at the next start
    lines << lineOf(look);
  QSettings settings;
  if (settings.value(kRunsKey).toStringList() != lines)
    settings.setValue(kRunsKey, lines);
  const int current = m_runs.current();
  const QString displayed = current < 0 ? QString() : fileOf(m_runs.at(current));
  if (settings.value(kDisplayedKey).toString() != displayed)
    settings.setValue(kDisplayedKey, displayed);
}

void LastRuns::offer() {
  const auto count = int(m_last.size());
  setText(count == 1 ? tr("Open the last run")
                     : tr("Open the last %n runs", nullptr, count));
  setVisible(!m_last.isEmpty() && !m_isPaused);
}

}  // namespace equipatch
