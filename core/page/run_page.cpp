// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/run_page.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/page/page_assets.h"
#include "core/page/page_writer.h"
#include "core/page/panel_data.h"
#include "core/page/run_data.h"
#include "core/record/export/output_file.h"
#include "core/text/glossary.h"

namespace equipatch {
namespace {

/// The hash source of a Content-Security-Policy that allows this inline script or style.
std::string policyHash(std::string_view text) {
  const std::string digits = sha256(text);
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return " 'sha256-" + encodeBase64(bytes) + "'";
}

/// A Content-Security-Policy under which the page loads and sends nothing and uses only
/// its own scripts and styles.
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

/// The runs with their names for legends, see PageRun::run.
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

/// How often writeRun calls PageWriter::stepWritten for these runs: for each step once,
/// and once more for each of the three charts by layer (four if a norm scale closes the
/// blocks).
std::int64_t stepsToWrite(const std::vector<PageRun>& runs) {
  std::int64_t steps = 0;
  for (const PageRun& run : runs)
    steps += (run.run.header->closesWithScale ? 5 : 4) * std::ssize(run.run.steps);
  return steps;
}

void writeData(const std::vector<PageRun>& runs, PageWriter& writer) {
  const std::vector<FigureRun> figures = namedFigures(runs);
  const int bins = mapBins(figures);
  writer.begin("{");
  writer.key("program");
  writer.value("Equipatch " EQUIPATCH_VERSION);
  writer.key("runs");
  writer.begin("[");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    PageRun named = runs[i];
    named.run.name = figures[i].name;
    writeRun(named, bins, writer);
  }
  writer.end("]");
  writer.key("words");
  writer.value(glossaryData());
  writer.end("}");
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

void writePage(const std::vector<PageRun>& runs, const PageWriter::Put& put,
               Progress& progress) {
  std::string_view rest = kPageTemplate;
  const auto putUpTo = [&](std::string_view place) {
    const std::size_t at = rest.find(place);
    put(rest.substr(0, at));
    rest.remove_prefix(at + place.size());
  };
  putUpTo("{{policy}}");
  put(policyOf());
  putUpTo("{{styles}}");
  put(elements("style", kPageStyles));
  putUpTo("{{data}}");
  PageWriter writer(put, progress, stepsToWrite(runs));
  writeData(runs, writer);
  putUpTo("{{licence}}");
  put(kChartLicence);
  putUpTo("{{scripts}}");
  put(elements("script", kPageScripts));
  put(rest);
}

}  // namespace

std::string runPage(const std::vector<PageRun>& runs) {
  requireSteps(runs);
  std::string page;
  SilentProgress silent;
  writePage(
      runs, [&](std::string_view piece) { page += piece; }, silent);
  return page;
}

void exportPage(const std::vector<PageRun>& runs, const std::filesystem::path& path,
                Progress& progress) {
  requireSteps(runs);
  OutputFile file(path);
  writePage(
      runs, [&](std::string_view piece) { file << piece; }, progress);
  file.finish();
}

}  // namespace equipatch
