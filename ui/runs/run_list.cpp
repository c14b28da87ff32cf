// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_list.h"

#include <algorithm>

#include "core/figure/statistics.h"
#include "core/record/step_record.h"

namespace equipatch {
namespace {

void summarise(ListedRun& run) {
  run.linf = boxOfSteps(run.steps);
  run.bareEffect = effectBoxOf(run.steps, ControlPass::Bare);
  run.ablatedEffect = effectBoxOf(run.steps, passIn(*run.header, ControlPass::Ablated));
}

}  // namespace

RunList::RunList(const RunModel& model, const Theme& theme, FileOf file, QObject* parent)
    : QAbstractTableModel(parent),
      m_model(model),
      m_theme(theme),
      m_file(std::move(file)) {
  connect(&model, &RunModel::runStarted, this, &RunList::runStarted);
  connect(&model, &RunModel::stepsAppended, this, &RunList::stepsAppended);
  connect(&theme, &Theme::changed, this, [this] {
    if (count() > 0) Q_EMIT dataChanged(index(0, Name), index(count() - 1, Name));
  });
}

std::vector<int> RunList::shownRows() const {
  std::vector<int> rows;
  for (int row = 0; row < count(); ++row)
    if (at(row).shown && !at(row).steps.empty()) rows.push_back(row);
  return rows;
}

void RunList::runStarted() {
  if (const int before = std::exchange(m_current, -1); before >= 0) {
    for (RunModel::Record& step : m_runs[std::size_t(before)].steps)
      step = withoutVectors(*step);
    // The row is no longer bold, and views repaint only rows that changed.
    Q_EMIT dataChanged(index(before, 0), index(before, kColumns - 1));
  }
  if (!m_model.header()) return Q_EMIT changed();
  const auto known = std::ranges::find_if(
      m_runs, [this](const ListedRun& run) { return isDisplayed(run); });
  if (known != m_runs.end()) {
    m_current = int(known - m_runs.begin());
    begin(*known);
    return touch(m_current);
  }
  ListedRun run =
      takeClosed().value_or(ListedRun{.colour = freeColour(), .file = m_file()});
  begin(run);
  insert(std::move(run), count());
}

bool RunList::isDisplayed(const ListedRun& run) const {
  const std::filesystem::path file = m_file();
  return file.empty() ? run.header == m_model.sharedHeader() : run.file == file;
}

void RunList::begin(ListedRun& run) const {
  run.header = m_model.sharedHeader();
  run.steps.clear();
  run.ending.reset();
  summarise(run);
}

/// Removes the run on display from the closed runs, because `reopen` could list it a
/// second time.
std::optional<ListedRun> RunList::takeClosed() {
  std::optional<ListedRun> taken;
  for (auto& [closed, turn] : m_closed)
    for (auto run = closed.begin(); run != closed.end();) {
      if (!isDisplayed(*run)) {
        ++run;
        continue;
      }
      taken = std::move(*run);
      run = closed.erase(run);
    }
  std::erase_if(m_closed, [](const ClosedRuns& closed) { return closed.runs.empty(); });
  return taken;
}

void RunList::stepsAppended(int first) {
  const auto extend = [&](ListedRun& run, bool isListed) {
    if (run.header != m_model.sharedHeader()) return;
    const auto& records = m_model.records();
    for (std::size_t i = std::size_t(first); i < records.size(); ++i)
      run.steps.push_back(isListed ? records[i] : withoutVectors(*records[i]));
    summarise(run);
  };
  // A run that was closed while on display still grows: the user may reopen it when
  // another run is on display.
  for (ClosedRuns& closed : m_closed)
    for (ListedRun& run : closed.runs) extend(run, false);
  if (m_current < 0) return;
  extend(m_runs[std::size_t(m_current)], true);
  Q_EMIT dataChanged(index(m_current, 0), index(m_current, kColumns - 1));
  if (first == 0) Q_EMIT changed();
  Q_EMIT grew();
}

void RunList::insert(ListedRun run, int row) {
  if (const auto name = m_names.extract(run.file)) run.ownName = name.mapped();
  const bool displayed = run.header == m_model.sharedHeader();
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    run.steps[i] = displayed ? m_model.records()[i] : withoutVectors(*run.steps[i]);
  beginInsertRows({}, row, row);
  m_current = displayed ? row : m_current + int(m_current >= row);
  m_runs.insert(m_runs.begin() + row, std::move(run));
  endInsertRows();
  nameAll();
  Q_EMIT changed();
}

std::vector<int> RunList::numbers() const {
  RunHeaders headers;
  for (const ListedRun& run : m_runs) headers.push_back(run.header);
  return numbersOf(headers);
}

void RunList::nameAll() {
  if (m_runs.empty()) return;
  std::vector<FigureRun> named;
  for (const ListedRun& run : m_runs) named.push_back(figureRunOf(run));
  nameRuns(named);
  for (std::size_t i = 0; i < m_runs.size(); ++i)
    m_runs[i].name = QString::fromStdString(named[i].name);
  Q_EMIT dataChanged(index(0, Name), index(count() - 1, Name));
}

/// The first style that no run has, else the first that no ticked run has, else the
/// styles in turn.
int RunList::freeColour() const {
  for (const bool tickedOnly : {false, true})
    for (int colour = 0; colour < kRunStyles; ++colour)
      if (std::ranges::none_of(m_runs, [&](const ListedRun& run) {
            return run.colour == colour && (run.shown || !tickedOnly);
          }))
        return colour;
  return count() % kRunStyles;
}

void RunList::touch(int row) {
  Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
  Q_EMIT changed();
}

void RunList::setEnding(const RunHeader* header, RunEnding ending) {
  const auto set = [&](ListedRun& run) {
    if (run.header.get() == header) run.ending = ending;
  };
  std::ranges::for_each(m_runs, set);
  for (ClosedRuns& closed : m_closed) std::ranges::for_each(closed.runs, set);
}

void RunList::setNameOf(const std::filesystem::path& file, const QString& name) {
  const auto run = std::ranges::find(m_runs, file, &ListedRun::file);
  if (run == m_runs.end()) {
    m_names[file] = name;
    return;
  }
  if (run->ownName == name) return;
  run->ownName = name;
  nameAll();
  touch(int(run - m_runs.begin()));
}

bool RunList::knowsNameOf(const std::filesystem::path& file) const {
  return m_names.contains(file) ||
         std::ranges::find(m_runs, file, &ListedRun::file) != m_runs.end();
}

int RunList::rowOf(const FigureRun& run) const {
  for (int row = 0; row < count(); ++row)
    if (at(row).file == run.file && (!run.file.empty() || at(row).header == run.header))
      return row;
  return -1;
}

void RunList::setColour(int row, int colour) {
  m_runs.at(std::size_t(row)).colour = colour;
  m_runs.at(std::size_t(row)).own = QColor();
  touch(row);
}

void RunList::setOwnColour(int row, const QColor& colour) {
  m_runs.at(std::size_t(row)).own = colour;
  touch(row);
}

RunPlace RunList::placeOf(int row) const {
  std::vector<PlacedRun> runs;
  for (const ListedRun& run : m_runs)
    runs.push_back({run.header.get(), &run.steps, run.file.filename().string()});
  return placesOf(runs).at(std::size_t(row));
}

std::int64_t RunList::earlierTokens(int row) const {
  return placeOf(row).step;
}

std::optional<int> RunList::parentOf(int row) const {
  const std::optional<std::size_t> parent = placeOf(row).parent;
  return parent ? std::optional(int(*parent)) : std::nullopt;
}

std::vector<QStringList> RunList::alike() const {
  std::vector<std::pair<SeriesStyle, QStringList>> groups;  // style of the first run
  for (const int row : shownRows()) {
    const SeriesStyle style = at(row).style();
    auto group = std::ranges::find_if(groups, [&](const auto& each) {
      return looksAlike(style, each.first, m_theme.colours());
    });
    if (group == groups.end()) group = groups.insert(group, {style, {}});
    group->second << at(row).name;
  }
  std::vector<QStringList> alike;
  for (auto& [style, names] : groups)
    if (names.size() > 1) alike.push_back(std::move(names));
  return alike;
}

ListedRun RunList::take(int row) {
  beginRemoveRows({}, row, row);
  const auto place = m_runs.begin() + row;
  ListedRun run = std::move(*place);
  m_runs.erase(place);
  if (row == m_current)
    m_current = -1;
  else if (row < m_current)
    --m_current;
  endRemoveRows();
  for (RunModel::Record& step : run.steps) step = withoutVectors(*step);
  return run;
}

void RunList::close(const std::vector<int>& rows, Reopened turn) {
  if (rows.empty()) return;
  std::vector<ListedRun> closed;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    closed.insert(closed.begin(), take(*row));
  const auto place =
      turn == Reopened::Early
          ? m_closed.end()
          : std::ranges::find(m_closed, Reopened::Early, &ClosedRuns::turn);
  m_closed.insert(place, {std::move(closed), turn});
  nameAll();
  Q_EMIT changed();
}

void RunList::reopen() {
  if (m_closed.empty()) return;
  std::vector<ListedRun> closed = std::move(m_closed.back().runs);
  m_closed.pop_back();
  for (ListedRun& run : closed) insert(std::move(run), count());
}

void RunList::reopenAt(int row, const std::function<bool(const ListedRun&)>& isWanted) {
  for (auto closed = m_closed.begin(); closed != m_closed.end(); ++closed) {
    const auto found = std::ranges::find_if(closed->runs, isWanted);
    if (found == closed->runs.end()) continue;
    ListedRun run = std::move(*found);
    closed->runs.erase(found);
    if (closed->runs.empty()) m_closed.erase(closed);
    return insert(std::move(run), std::min(row, count()));
  }
}

}  // namespace equipatch
