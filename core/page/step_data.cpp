// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/number_format.h"
#include "core/figure/panel_sentence.h"
#include "core/figure/step_panels.h"
#include "core/page/run_data.h"
#include "core/record/context_effect.h"
#include "core/record/verdict.h"

namespace equipatch {
namespace {

/// [id, text, logit, probability], best first.
PageObject choicesData(const Choices& choices) {
  PageObject list = PageObject::array();
  for (const Choice& choice : choices)
    list.push_back({choice.id.value, pageToken(choice.text, choice.id),
                    pageNumber(choice.logit), pageNumber(choice.probability)});
  return list;
}

/// [L∞, TVD, KL] of every distance that the step measured.
PageObject distancesData(const StepRecord& step) {
  PageObject object = PageObject::object();
  const auto add = [&](const char* pass, const LogitDistance& distance) {
    object[pass] = {pageNumber(distance.linf), pageNumber(distance.tvd),
                    pageNumber(distance.kl)};
  };
  add("patched", step.patchedDistance);
  if (step.bareDistance) add("bare", *step.bareDistance);
  if (step.ablatedDistance) add("ablated", *step.ablatedDistance);
  if (step.auditDistance) add("audit", *step.auditDistance);
  if (step.noise) add("noise", *step.noise);
  if (step.rounding) add("rounding", *step.rounding);
  return object;
}

/// "verdict" is empty if judging the step needs a noise floor that the run did not try to
/// measure.
PageObject sentencesData(const RunHeader& header, const StepRecord& step,
                         const NoiseFloor& floor) {
  const Verdict verdict = judge(step, floor, header.request.strength);
  const bool judged = verdict.kind != VerdictKind::Unmeasured || floor.overflowed;
  PageObject object{
      {"step", pageText(stepSentence(step, header.request.absorbed))},
      {"logits", pageText(logitSentence(step))},
      {"margin", marginSentence(step)},
      {"verdict", judged ? withTypographicExponents(verdict.sentence) : ""}};
  if (verdict.layer) object["layer"] = *verdict.layer;
  return object;
}

template <typename Value>
PageObject columnOf(const std::vector<LayerRecord>& layers, Value LayerRecord::*field) {
  PageObject list = PageObject::array();
  for (const LayerRecord& layer : layers)
    if constexpr (std::is_same_v<Value, double>)
      list.push_back(pageNumber(layer.*field));
    else if constexpr (std::is_same_v<Value, std::string>)
      list.push_back(pageText(layer.*field));
    else
      list.push_back(layer.*field);
  return list;
}

/// The quantities by layer that have no chart: lists with one value per layer. A list of
/// default values only is left out.
PageObject layersData(const std::vector<LayerRecord>& layers) {
  PageObject object = PageObject::object();
  const auto add = [&]<typename Value>(const char* name, Value LayerRecord::*field) {
    const bool any = std::ranges::any_of(layers, [&](const LayerRecord& layer) {
      return layer.*field != LayerRecord().*field;
    });
    if (any) object[name] = columnOf(layers, field);
  };
  add("scaleMax", &LayerRecord::scaleMax);
  add("effect", &LayerRecord::effect);
  add("z", &LayerRecord::zNorm);
  add("cosine", &LayerRecord::zCosine);
  add("divisor", &LayerRecord::smallestDivisor);
  add("experts", &LayerRecord::experts);
  add("gates", &LayerRecord::gateSum);
  add("guarded", &LayerRecord::guarded);
  add("hardCase", &LayerRecord::hardCase);
  add("note", &LayerRecord::note);
  return object;
}

}  // namespace

PageObject stepData(const RunHeader& header, const StepRecord& step,
                    const NoiseFloor& floor) {
  PageObject object{
      {"step", step.step.value},
      {"position", step.position.value},
      {"text", pageToken(step)},
      {"label", pageText(tokenLabel(step))},
      {"token", {step.token.value, pageToken(step.tokenText, step.token)}},
      {"patched",
       {step.patchedToken.value, pageToken(step.patchedText, step.patchedToken)}},
      {"match", step.match},
      {"margin", pageNumber(step.margin)},
      {"ms", pageNumber(step.milliseconds)},
      {"distances", distancesData(step)},
      {"said", sentencesData(header, step, floor)},
      {"choices",
       {{"contextual", choicesData(step.contextual)},
        {"patched", choicesData(step.patched)},
        {"bare", choicesData(step.bare)},
        {"ablated", choicesData(step.ablated)}}},
      {"layers", layersData(step.layers)}};
  if (step.sampledMatch) object["sampled"] = *step.sampledMatch;
  return object;
}

}  // namespace equipatch
