// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of LessonStage that measure the quantities of a lesson's conditions.
#include <algorithm>
#include <cmath>

#include "core/lesson/lesson_gap.h"
#include "core/record/context_effect.h"
#include "ui/chart/number_text.h"
#include "ui/inspect/strength_panel.h"
#include "ui/lesson/lesson_stage.h"
#include "ui/run/strength_probe.h"

namespace equipatch {
namespace {

constexpr std::size_t kHandChannels = 4;

/// A token as a lesson's file names it: without surrounding spaces.
std::string bareWord(const std::string& text) {
  return QString::fromStdString(text).trimmed().toStdString();
}

double largestHiddenError(const StepRecord& step) {
  double largest = 0.0;
  for (const LayerRecord& layer : step.layers)
    largest = std::max(largest, layer.hiddenError);
  return largest;
}

double keptTokens(const RunRequest& request) {
  const auto length = static_cast<std::int64_t>(request.prompt.size());
  double kept = 0.0;
  for (std::int64_t at = 0; at < length; ++at)
    kept += request.absorbed.keeps(at, length) ? 1.0 : 0.0;
  return kept;
}

double curveCount(const LabResult& result) {
  double count = 0.0;
  for (const LabPanel& panel : result.panels) count += double(panel.curves.size());
  return count;
}

/// A quantity of an image's map, as docs/lessons.md defines it.
std::optional<double> mapNumber(const ImageMap& map, std::string_view quantity) {
  if (quantity == "map-cells") return double(map.parts.size());
  if (quantity == "map-nothing") return map.nothing.bareTvd;
  const auto nearest = std::ranges::min_element(map.parts, {}, &ImageReading::bareTvd);
  if (quantity == "map-cell") return double(nearest - map.parts.begin() + 1);
  return nearest->bareTvd;
}

std::optional<double> stepNumber(const StepRecord& step, std::string_view quantity) {
  if (quantity == "linf") return step.patchedDistance.linf;
  if (quantity == "margin") return step.margin;
  if (quantity == "hidden-error") return largestHiddenError(step);
  if (quantity == "bare-agrees" && !step.bare.empty() && !step.contextual.empty())
    return bareAgrees(step) ? 1.0 : 0.0;
  if (quantity == "bare-linf" && step.bareDistance) return step.bareDistance->linf;
  if (quantity == "probability" && !step.contextual.empty())
    return step.contextual.front().probability;
  const bool hasMatrix = !step.layers.empty() && !step.layers.front().matrices.empty();
  if (quantity == "first-layer" && hasMatrix)
    return step.layers.front().matrices.front().norm;
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const RunHeader> LessonStage::finishedRun() const {
  const bool isIdle = m_parts.controller.phase() == RunController::Phase::Idle;
  return isIdle && !m_parts.model.empty() ? m_parts.model.sharedHeader() : nullptr;
}

const StepRecord* LessonStage::step() const {
  return m_parts.model.find(m_parts.selection.step());
}

std::optional<double> LessonStage::runNumber(std::string_view quantity) const {
  const RunModel& model = m_parts.model;
  if (model.empty()) return std::nullopt;
  const int steps = model.stepCount();
  if (quantity == "steps") return steps;
  if (quantity == "matches") return steps - model.mismatchCount();
  if (quantity == "mismatches") return model.mismatchCount();
  if (quantity == "worth") return summarise(model.records()).bareLinfMedian;
  if (quantity == "left") return summarise(model.records()).linfMedian;
  if (quantity == "prompt-tokens") return double(model.header()->request.prompt.size());
  if (quantity == "images") return double(model.header()->request.images.size());
  if (quantity == "kept") return keptTokens(model.header()->request);
  return std::nullopt;
}

std::optional<double> LessonStage::number(std::string_view quantity) const {
  const auto* strength = m_parts.window.findChild<StrengthPanel*>();
  if (quantity == "alpha") return strength->alpha();
  if (quantity == "layers-on") return strength->layers().onCount();
  if (quantity == "runs") return double(m_memory.newRows().size());  // only the lesson's
  if (quantity.starts_with("map-"))
    return m_picture && m_picture->mapped() ? mapNumber(*m_picture->mapped(), quantity)
                                            : std::nullopt;
  if (quantity == "lab-curves" && m_parts.lab.result())
    return curveCount(*m_parts.lab.result());
  if (quantity.starts_with("hand-")) {
    const std::optional<HandTable> table = handTableNow();
    if (!table) return std::nullopt;
    return quantity == "hand-error" ? std::abs(table->all.patched - table->all.contextual)
                                    : std::abs(table->all.contextual - table->all.before);
  }
  if (const StrengthReading* tried = strength->shown()) {
    if (quantity == "tried-linf") return tried->distance.linf;
    if (quantity == "tried-match") return tried->match ? 1.0 : 0.0;
  }
  if (quantity == "layer" && m_parts.selection.layer() != Selection::kNone)
    return m_parts.selection.layer();
  if (const auto value = runNumber(quantity)) return value;
  if (!step()) return std::nullopt;
  return quantity == "step" ? std::optional<double>(m_parts.selection.step())
                            : stepNumber(*step(), quantity);
}

std::optional<std::string> LessonStage::text(std::string_view quantity) const {
  if (!isTextQuantity(quantity)) return std::nullopt;
  if (quantity == "prompt") return m_parts.prompt.text().toStdString();
  if (m_parts.model.empty() || !step()) return std::nullopt;
  const RunHeader& header = *m_parts.model.header();
  if (quantity == "method") return std::string(name(header.request.patch.method));
  if (quantity == "loop") return std::string(name(header.request.patch.loop));
  if (quantity == "dtype") return std::string(torchName(header.dtype));
  if (quantity == "answer") return continuedText(m_parts.model.records()).text;
  const Choices& choices = quantity == "token"     ? step()->contextual
                           : quantity == "patched" ? step()->patched
                                                   : step()->bare;
  if (choices.empty()) return std::nullopt;
  return bareWord(choices.front().text);
}

/// Only for messages: conditions compare the quantity "answer", which includes the token
/// that ends the text.
std::string LessonStage::readableAnswer() const {
  return readableText(m_parts.model.records(), m_parts.model.header()->request,
                      m_parts.controller.ending());
}

bool LessonStage::isStepComputable() const {
  const auto loaded = m_parts.controller.loaded();
  return step() && loaded && computesRun(*loaded, *m_parts.model.header());
}

std::optional<HandTable> LessonStage::handTableNow() const {
  const auto loaded = m_parts.controller.loaded();
  if (!isStepComputable() || !loaded->session) return std::nullopt;
  const int layer = std::max(0, m_parts.selection.layer());
  return handTable(*loaded->session, *step(), std::size_t(layer), kHandChannels);
}

bool LessonStage::holds(const LessonCondition& condition) const {
  return equipatch::holds(
      condition, [this](std::string_view quantity) { return number(quantity); },
      [this](std::string_view quantity) { return text(quantity); });
}

QString LessonStage::valueText(std::string_view quantity) const {
  if (const auto value = number(quantity)) return QString::number(*value, 'g', 17);
  const auto words = text(quantity);
  return words ? u'“' + QString::fromStdString(*words) + u'”' : QString();
}

QString LessonStage::gap(const LessonCondition& condition) const {
  return messageText(gapText(
      condition, [this](std::string_view quantity) { return number(quantity); },
      [this](std::string_view quantity) {
        const auto words = text(quantity);
        return words && quantity == "answer" ? readableAnswer() : words;
      }));
}

}  // namespace equipatch
