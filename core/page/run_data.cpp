// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/run_data.h"

#include <algorithm>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/page/panel_data.h"
#include "core/record/context_effect.h"
#include "core/record/export/export_json.h"
#include "core/record/verdict.h"

namespace equipatch {
namespace {

/// "8 steps", "stopped after 3 of 8 steps".
std::string endingText(const PageRun& page) {
  const FigureRun& run = page.run;
  // A damaged file may state a negative number.
  const auto asked =
      static_cast<std::size_t>(std::max<std::int64_t>(run.header->request.steps, 0));
  const std::string ofAll = std::to_string(run.steps.size()) + " of " +
                            countText(std::max(run.steps.size(), asked), "step");
  if (page.isRecording) return ofAll + " so far";
  switch (page.ending) {
    case RunEnding::Complete:
      return countText(run.steps.size(), "step");
    case RunEnding::Stopped:
      return "stopped after " + ofAll;
    case RunEnding::Interrupted:
      break;
  }
  return "interrupted after " + ofAll;
}

/// "By the measured noise floor: 3 rounding, 1 near tie."; empty if the run did not try
/// to measure a noise floor.
std::string verdictsText(const FigureRun& run, const NoiseFloor& floor) {
  if (!floor.measured && !floor.overflowed) return {};
  const VerdictCounts counts =
      countVerdicts(run.steps, floor, run.header->request.strength);
  std::vector<std::string> parts;
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    if (counts[kind] > 0)
      parts.push_back(std::to_string(counts[kind]) + " " +
                      spelled(static_cast<VerdictKind>(kind)));
  return (floor.measured ? "By the measured noise floor: " : "Without a noise floor: ") +
         joined(parts) + ".";
}

/// The first mismatch, else the step whose token needs the context most.
std::size_t firstShown(const Steps& steps) {
  const auto differs =
      std::ranges::find_if(steps, [](const auto& step) { return !step->match; });
  if (differs != steps.end()) return static_cast<std::size_t>(differs - steps.begin());
  return mostContextualStep(steps).value_or(0);
}

/// Pairs [name, value] of texts: the settings, then the hashes of the weight files.
PageObject settingsData(const RunHeader& header) {
  PageObject list = PageObject::array();
  const PageObject settings = runSettings(header);
  for (const auto& [name, value] : settings.items()) {
    if (name == "prompt_text" || name == "model_folder") continue;
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? shortText(value.get<double>(), 6)
                             : value.is_null()         ? std::string()
                                                       : value.dump();
    list.push_back({name, pageText(text)});
  }
  for (const TensorFileHash& tensors : header.provenance.tensorFiles) {
    const std::string name = pageText(tensors.file);
    list.push_back({"header_sha256 of " + name, pageText(tensors.headerSha256)});
    if (!tensors.dataSampleSha256.empty())
      list.push_back(
          {"data_sample_sha256 of " + name, pageText(tensors.dataSampleSha256)});
  }
  return list;
}

PageObject labelsData(const RunLabels& labels) {
  PageObject tags = PageObject::array();
  for (const std::string& tag : labels.tags) tags.push_back(pageText(tag));
  return {
      {"name", pageText(labels.name)}, {"tags", tags}, {"notes", pageText(labels.notes)}};
}

void writeSteps(const FigureRun& run, const NoiseFloor& floor, PageWriter& writer) {
  const auto telling = mostContextualStep(run.steps);
  writer.begin("[");
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    PageObject step = stepData(*run.header, *run.steps[i], floor);
    // The longer sentence adds that the context matters most here.
    if (telling == i)
      step["said"]["step"] =
          pageText(stepSentence(run.steps, i, run.header->request.absorbed));
    writer.value(step);
    writer.stepWritten();
  }
  writer.end("]");
}

void writeCharts(const PageRun& page, int bins, PageWriter& writer) {
  const FigureRun& run = page.run;
  writer.begin("{");
  writer.key("logits");
  writer.value(stepPanelData(run));
  writer.key("patch");
  writePatchSizes(run, PatchMeasure::Absolute, writer);
  writer.key("relative");
  writePatchSizes(run, PatchMeasure::Relative, writer);
  writer.key("map");
  writeScaleMap(page, bins, writer);
  writer.key("error");
  writeHiddenErrors(run, writer);
  writer.end("}");
}

}  // namespace

void writeRun(const PageRun& page, int bins, PageWriter& writer) {
  const FigureRun& run = page.run;
  const RunHeader& header = *run.header;
  const AbsorbedSet& absorbed = header.request.absorbed;
  const std::string worth = agreementSentence(summarise(run.steps), absorbed);
  const NoiseFloor floor = floorOf(run.steps);
  writer.begin("{");
  writer.members({{"name", pageText(run.name)},
                  {"model", pageText(header.modelName)},
                  {"way", precisionName(header)},
                  {"colour", pageText(run.colour)},
                  {"style", run.style ? PageObject(*run.style) : PageObject()},
                  {"begins", run.begins},
                  {"ending", endingText(page)},
                  {"damage", pageText(page.damage)},
                  {"unread", pageText(page.unread)},
                  {"labels", labelsData(page.labels)},
                  {"layers", header.layers},
                  {"scale", header.closesWithScale},
                  {"bias", header.closesWithBias},
                  {"worth", withTypographicExponents(worth)},
                  {"agreement", runSentence(run.steps, absorbed)},
                  {"absorbed", absorbedPart(absorbed)},
                  {"verdicts", verdictsText(run, floor)},
                  {"prompt", promptData(header.request)},
                  {"texts",
                   {{"contextual", pageText(contextualText(run.steps).text)},
                    {"patched", pageText(patchedText(run.steps).text)}}},
                  {"start", firstShown(run.steps)}});
  writer.key("steps");
  writeSteps(run, floor, writer);
  writer.key("charts");
  writeCharts(page, bins, writer);
  writer.key("settings");
  writer.value(settingsData(header));
  writer.end("}");
}

}  // namespace equipatch
