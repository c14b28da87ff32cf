// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/context_effect.h"
#include "core/record/export/export_table.h"
#include "core/record/export/output_file.h"
#include "core/record/quantile.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

struct Sweep {
  fs::path folder;
  SweepPlan plan;
};

double percentOf(std::int64_t part, std::int64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void checkAlike(const Sweep& first, const Sweep& other) {
  const auto differences = differentSettings(first.plan, other.plan);
  if (differences.empty()) return;
  throw badInput(other.folder.string() + " cannot be merged with " +
                 first.folder.string() + ": " + joined(differences));
}

/// Identifies a prompt across folders, where different prompts may have the same name.
std::string contentOf(const SweepPrompt& prompt) {
  std::string content;
  for (const SweepImage& image : prompt.images) content += image.sha256 + ' ';
  return content + (prompt.chat ? "chat " : "text ") + prompt.text;
}

std::string contentOf(const SweepCell& cell) {
  const Sampling& sampling = cell.prompt.sampling;
  return pointText(cell.point) + ' ' + shortText(sampling.temperature, 17) + ' ' +
         std::to_string(sampling.seed) + " absorb " + cell.prompt.absorb + ' ' +
         contentOf(cell.prompt);
}

}  // namespace

double SweepRow::matchPercent() const {
  return steps > 0 ? percentOf(matches, steps) : 0.0;
}

void SweepTable::Agreement::add(const Choices& pass, bool agrees) {
  if (pass.empty()) return;
  ++steps;
  matches += agrees ? 1 : 0;
}

std::optional<double> SweepTable::Agreement::percent() const {
  return steps > 0 ? std::optional(percentOf(matches, steps)) : std::nullopt;
}

SweepTable::Entry& SweepTable::entryOf(const SweepPoint& point, const std::string& absorb,
                                       const std::string& prompt) {
  SweepPoint alike = point;
  alike.strength += 0.0;  // turns -0 into 0
  // Neither a point nor a prompt's name holds a line break.
  const std::string key = pointText(alike, '.') + '\n' + prompt + '\n' + absorb;
  const auto [place, isNew] = m_places.try_emplace(key, m_entries.size());
  if (!isNew) return m_entries[place->second];
  Entry& entry = m_entries.emplace_back();
  entry.totals.point = point;
  entry.totals.absorb = absorb;
  entry.totals.prompt = prompt;
  return entry;
}

void SweepTable::plan(const SweepPoint& point, const std::string& absorb,
                      const std::string& prompt) {
  ++entryOf(point, absorb, prompt).totals.planned;
}

void SweepTable::add(const SweepPoint& point, const StoredRun& run,
                     const std::string& absorb, const std::string& prompt) {
  Entry& entry = entryOf(point, absorb, prompt);
  SweepRow& totals = entry.totals;
  const VerdictKind worst = worstVerdict(run.steps, run.header->request.strength);
  if (const NoiseFloor floor = floorOf(run.steps); floor.measured)
    totals.noiseFloor = std::max(totals.noiseFloor.value_or(0.0), floor.linf);
  totals.worst = totals.cells == 0 ? worst : worse(totals.worst, worst);
  ++totals.cells;
  for (const auto& step : run.steps) {
    ++totals.steps;
    totals.matches += step->match ? 1 : 0;
    entry.bare.add(step->bare, bareAgrees(*step));
    entry.ablated.add(step->ablated, ablatedAgrees(*step));
    entry.tvd.push_back(step->patchedDistance.tvd);
    entry.linf.push_back(step->patchedDistance.linf);
    if (step->ablatedDistance) entry.ablatedKl.push_back(step->ablatedDistance->kl);
    if (!step->bareDistance) continue;
    entry.bareLinf.push_back(step->bareDistance->linf);
    entry.bareKl.push_back(step->bareDistance->kl);
  }
}

std::vector<SweepRow> SweepTable::rows() const {
  std::vector<SweepRow> rows;
  for (const Entry& entry : m_entries) {
    SweepRow row = entry.totals;
    row.linfMedian = quantile(entry.linf, 0.5);
    row.linf95 = quantile(entry.linf, 0.95);
    row.linfMax = quantile(entry.linf, 1.0);
    row.tvdMax = quantile(entry.tvd, 1.0);
    row.bareLinfMedian = quantile(entry.bareLinf, 0.5);
    row.bareKlMedian = quantile(entry.bareKl, 0.5);
    row.bareKlMax = quantile(entry.bareKl, 1.0);
    row.bareMatchPercent = entry.bare.percent();
    row.ablatedMatchPercent = entry.ablated.percent();
    if (!entry.ablatedKl.empty()) {
      row.ablatedKlMedian = quantile(entry.ablatedKl, 0.5);
      row.ablatedKlMax = quantile(entry.ablatedKl, 1.0);
    }
    rows.push_back(row);
  }
  return rows;
}

ExportRow exportRow(const SweepRow& row) {
  ExportRow columns;
  columns("dtype", std::string(torchName(row.point.dtype)));
  columns("method", std::string(name(row.point.patch.method)));
  columns("loop", std::string(name(row.point.patch.loop)));
  columns("application", std::string(name(row.point.patch.application)));
  columns("cells", row.cells);
  columns("cells_planned", row.planned);
  columns("steps", row.steps);
  columns("matches", row.matches);
  const auto measured = [&](const char* name, double value) {
    columns.add(name, CellKind::Real, row.steps > 0 ? toSql(value) : SqlValue(nullptr));
  };
  measured("match_percent", row.matchPercent());
  measured("linf_median", row.linfMedian);
  measured("linf_95", row.linf95);
  measured("linf_max", row.linfMax);
  measured("tvd_max", row.tvdMax);
  measured("bare_linf_median", row.bareLinfMedian);
  columns.add("worst_verdict", CellKind::Text,
              row.steps > 0 ? toSql(std::string(name(row.worst))) : SqlValue(nullptr));
  columns("strength", row.point.strength);
  columns("absorb", row.absorb);
  measured("bare_kl_median", row.bareKlMedian);
  measured("bare_kl_max", row.bareKlMax);
  const auto optional = [&](const char* name, std::optional<double> value) {
    columns.add(name, CellKind::Real, value ? toSql(*value) : SqlValue(nullptr));
  };
  optional("ablated_kl_median", row.ablatedKlMedian);
  optional("ablated_kl_max", row.ablatedKlMax);
  optional("noise_floor", row.noiseFloor);
  columns("prompt", row.prompt);
  optional("bare_match_percent", row.bareMatchPercent);
  optional("ablated_match_percent", row.ablatedMatchPercent);
  return columns;
}

namespace {

/// The texts of prompts that are run with several absorbed parts.
std::set<std::string> textsWithSeveralParts(const std::vector<Sweep>& sweeps) {
  std::map<std::string, std::set<std::string>> partsOf;
  for (const Sweep& sweep : sweeps)
    for (const SweepPrompt& prompt : sweep.plan.prompts)
      partsOf[prompt.text].insert(prompt.absorb);
  std::set<std::string> texts;
  for (const auto& [text, parts] : partsOf)
    if (parts.size() > 1) texts.insert(text);
  return texts;
}

/// Removes the ending that sampledPrompts added.
std::string nameWithoutSeed(const SweepPrompt& prompt) {
  if (prompt.sampling == Sampling{}) return prompt.name;
  const std::string seed = "-seed" + std::to_string(prompt.sampling.seed);
  std::string name = prompt.name;
  if (name.ends_with(seed)) name.resize(name.size() - seed.size());
  return name;
}

/// Names prompts in rows; different prompts get different names.
class RowNames {
 public:
  /// "coin-sentence2", or "coin-sentence2 (2)" for the second prompt of that name.
  std::string of(const SweepPrompt& prompt) {
    const std::string own = nameWithoutSeed(prompt);
    auto& numbers = m_numbers[own];
    const std::size_t next = numbers.size() + 1;
    const std::size_t number = numbers.try_emplace(contentOf(prompt), next).first->second;
    return number == 1 ? own : own + " (" + std::to_string(number) + ")";
  }

 private:
  /// By name and contentOf: the prompt's number among prompts of this name, from 1.
  std::map<std::string, std::map<std::string, std::size_t>> m_numbers;
};

}  // namespace

SweepTable mergeSweeps(const std::vector<fs::path>& folders) {
  std::vector<Sweep> sweeps;
  for (const fs::path& folder : folders) {
    sweeps.push_back({folder, readSweepPlan(folder)});
    checkAlike(sweeps.front(), sweeps.back());
  }
  SweepTable table;
  const std::set<std::string> divided = textsWithSeveralParts(sweeps);
  RowNames rowNames;
  // SweepRow::prompt of each planned cell, by the cell's identity.
  std::map<std::string, std::string> planned;
  std::set<std::string> finished;
  for (const Sweep& sweep : sweeps) {
    // A plan may have several prompts with the same content; each counts.
    std::map<std::string, int> uses;
    for (const SweepCell& cell : cellsOf(sweep.plan)) {
      const std::string content = contentOf(cell);
      const std::string identity = content + '#' + std::to_string(++uses[content]);
      // If folders give the cell different names, the first folder's is used.
      const auto& [known, isNew] = planned.try_emplace(identity);
      if (isNew && divided.contains(cell.prompt.text))
        known->second = rowNames.of(cell.prompt);
      const std::string& name = known->second;
      if (isNew) table.plan(cell.point, cell.prompt.absorb, name);
      if (finished.contains(identity)) continue;
      const auto run = finishedRun(sweep.folder, sweep.plan, cell);
      if (!run) continue;
      table.add(cell.point, *run, cell.prompt.absorb, name);
      finished.insert(identity);
    }
  }
  return table;
}

void requireOwnSweepCsv(const fs::path& path) {
  requireOwnOrAbsent(path, {"dtype,method,loop,application,", "the table of a sweep"});
}

void writeSweepCsv(const SweepTable& table, const fs::path& path) {
  CsvFile file(path);
  for (const SweepRow& row : table.rows()) file.add(exportRow(row));
  file.finish();
}

}  // namespace equipatch
