// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/run_page.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/figure/run_places.h"
#include "core/page/page_assets.h"
#include "core/page/panel_data.h"
#include "core/page/run_data.h"
#include "core/record/export/output_file.h"
#include "core/record/run_catalogue.h"
#include "core/text/glossary.h"

namespace equipatch {
namespace {

/// The word of a Content-Security-Policy that allows this text as a script or a style.
std::string policyHash(std::string_view text) {
  const std::string digits = sha256(text);
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return " 'sha256-" + encodeBase64(bytes) + "'";
}

/// The page's Content-Security-Policy: nothing may be loaded or sent, and only the page's
/// own scripts and styles may be used.
std::string policyOf() {
  std::string scripts, styles;
  for (const std::string_view script : kPageScripts) scripts += policyHash(script);
  for (const std::string_view style : kPageStyles) styles += policyHash(style);
  return "default-src 'none'; script-src" + scripts + "; style-src" + styles +
         "; img-src data:; base-uri 'none'; form-action 'none'";
}

std::string elements(const char* name, std::span<const std::string_view> texts) {
  std::string result;
  for (const std::string_view text : texts)
    result += "<" + std::string(name) + ">" + std::string(text) + "</" + name + ">\n";
  return result;
}

PageObject glossaryData() {
  PageObject words = PageObject::object();
  for (const auto& [word, sentence] : glossary()) words[std::string(word)] = sentence;
  return words;
}

/// The runs with names for legends: a run's own, else that in its labels, else the
/// settings in which it differs from the others.
std::vector<FigureRun> namedFigures(const std::vector<PageRun>& runs) {
  std::vector<FigureRun> figures;
  for (const PageRun& run : runs) {
    FigureRun figure = run.run;
    if (figure.name.empty()) figure.name = run.labels.name;
    figure.own = figure.name;
    figures.push_back(std::move(figure));
  }
  nameRuns(figures);
  return figures;
}

std::string dataOf(std::vector<PageRun> runs) {
  const std::vector<FigureRun> figures = namedFigures(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run.name = figures[i].name;
  const int bins = mapBins(figures);
  PageObject list = PageObject::array();
  for (const PageRun& run : runs) list.push_back(runData(run, bins));
  return scriptJson({{"program", "Equipatch " EQUIPATCH_VERSION},
                     {"runs", std::move(list)},
                     {"words", glossaryData()}});
}

void requireSteps(const std::vector<PageRun>& runs) {
  if (runs.empty()) throw badInput("a page needs at least one run; choose one");
  for (const PageRun& run : runs)
    if (run.run.steps.empty())
      throw badInput((run.run.file.empty() ? "the run" : run.run.file.string()) +
                     " holds no finished step, so there is nothing to show" +
                     (run.damage.empty() ? "" : " (" + run.damage + ")") +
                     "; choose another run");
}

/// Whether a block of the run closes with a norm scale whose change is no longer in
/// memory.
bool lacksVectors(const FigureRun& run) {
  if (!run.header->closesWithScale) return false;
  for (const auto& step : run.steps)
    for (const LayerRecord& layer : step->layers)
      if (layer.scaleDelta.empty()) return true;
  return false;
}

/// Why the step after the run's last one cannot be read from its file; empty if it can,
/// or if the file has none.
std::string damageOf(const FigureRun& run) {
  try {
    const RunFile file(run.file);
    const std::int64_t next = std::ssize(run.steps);
    if (next < file.stepCount())
      static_cast<void>(file.step(StepIndex(next), FactorDetail::Omit));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void fillFromFile(FigureRun& run) {
  const RunFile file(run.file);
  for (auto& step : run.steps)
    if (step->step.value < file.stepCount())
      step = file.step(step->step, FactorDetail::Omit);
}

}  // namespace

PageRun pageRunOf(StoredRun stored, const std::filesystem::path& file) {
  return {.run = {.name = {},
                  .header = stored.header,
                  .steps = std::move(stored.steps),
                  .file = file},
          .ending = stored.ending,
          .damage = stored.damage,
          .labels = labelsIn(file)};
}

void alignBranches(std::vector<PageRun>& runs) {
  std::vector<FigureRun> figures;
  for (const PageRun& run : runs) figures.push_back(run.run);
  alignBranches(figures);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run.begins = figures[i].begins;
}

PageRun pageRunOf(FigureRun run, RunEnding ending) {
  PageRun page{.run = std::move(run), .ending = ending};
  if (page.run.file.empty() || !isFile(page.run.file)) return page;
  const CatalogueRun recorded = readCatalogueRun(page.run.file);
  if (!recorded.header) {
    page.unread = recorded.problem;
    return page;
  }
  page.ending = recorded.ending;
  page.labels = recorded.labels;
  page.damage = damageOf(page.run);
  if (lacksVectors(page.run)) fillFromFile(page.run);
  return page;
}

std::string runPage(const std::vector<PageRun>& runs) {
  requireSteps(runs);
  std::string page;
  std::string_view rest = kPageTemplate;
  const auto put = [&](std::string_view place, const std::string& text) {
    const std::size_t at = rest.find(place);
    page += std::string(rest.substr(0, at)) + text;
    rest.remove_prefix(at + place.size());
  };
  put("{{policy}}", policyOf());
  put("{{styles}}", elements("style", kPageStyles));
  put("{{data}}", dataOf(runs));
  put("{{licence}}", std::string(kChartLicence));
  put("{{scripts}}", elements("script", kPageScripts));
  return page.append(rest);
}

void exportPage(const std::vector<PageRun>& runs, const std::filesystem::path& path) {
  const std::string page = runPage(runs);
  OutputFile file(path);
  file << page;
  file.finish();
}

}  // namespace equipatch
