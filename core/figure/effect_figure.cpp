// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/figure/run_figures.h"
#include "core/figure/run_groups.h"
#include "core/figure/statistics.h"
#include "core/record/context_effect.h"

namespace equipatch {

namespace {

constexpr const char* kEffect = "effect";

/// The ablated pass if some runs absorb only a part of their context and all steps of
/// those runs have an ablated pass; otherwise the bare pass.
ControlPass controlPassOf(const std::vector<FigureRun>& runs) {
  bool isOfPart = false;
  for (const FigureRun& run : runs) {
    if (run.header->request.absorbed.whole()) continue;
    isOfPart = true;
    for (const auto& step : run.steps)
      if (!step->ablatedDistance) return ControlPass::Bare;
  }
  return isOfPart ? ControlPass::Ablated : ControlPass::Bare;
}

}  // namespace

ControlPass passIn(const RunHeader& header, ControlPass pass) {
  return header.request.absorbed.whole() ? ControlPass::Bare : pass;
}

const char* name(ControlPass pass) {
  return pass == ControlPass::Bare ? "bare" : "ablated";
}

FigureBox effectBoxOf(const std::vector<std::shared_ptr<const StepRecord>>& steps,
                      ControlPass pass) {
  std::vector<double> divergences;
  FigureShare equal{.pass = name(pass)};
  for (const auto& step : steps) {
    const bool isBare = pass == ControlPass::Bare;
    const auto& distance = isBare ? step->bareDistance : step->ablatedDistance;
    if (!distance) continue;
    if (std::isfinite(distance->kl)) divergences.push_back(distance->kl);
    ++equal.whole;
    equal.part += isBare ? bareAgrees(*step) : ablatedAgrees(*step);
  }
  FigureBox box = boxOf(std::move(divergences));
  box.equal = equal;
  return box;
}

FigurePanel effectPanel(std::vector<FigureBox> boxes, ControlPass pass) {
  FigurePanel panel = distancePanel(std::move(boxes));
  panel.x.label = std::string("KL of the ") + name(pass) + " pass, nats";
  return panel;
}

std::vector<std::size_t> effectOrder(const std::vector<FigureBox>& boxes) {
  std::vector<std::size_t> order;
  for (std::size_t box = 0; box < boxes.size(); ++box)
    if (boxes[box].count > 0) order.push_back(box);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t box) { return boxes[box].largest(); });
  return order;
}

std::vector<FigureRun> runsIn(const Figure& figure, std::vector<FigureRun> runs) {
  if (figure.kind != kEffect) return runs;
  const std::vector<FigureBox>& rows = figure.panels.front().boxes;
  std::erase_if(runs, [&](const FigureRun& run) {
    return std::ranges::find(rows, run.name, &FigureBox::name) == rows.end();
  });
  return runs;
}

Figure effectFigure(const std::vector<FigureRun>& runs) {
  const ControlPass pass = controlPassOf(runs);
  std::vector<FigureBox> all, boxes;
  for (const RunGroup& run : groupsOf(runs, RunGrouping::Each)) {
    const FigureRun& own = *run.runs.front();
    FigureBox box = effectBoxOf(own.steps, passIn(*own.header, pass));
    box.name = run.name;
    box.style = run.style;
    box.colour = run.colour;
    all.push_back(std::move(box));
  }
  for (const std::size_t box : effectOrder(all)) boxes.push_back(all[box]);
  if (boxes.empty()) {
    const bool isBare = pass == ControlPass::Bare;
    throw badInput(std::string("none of these runs has ") +
                   (isBare ? "a bare" : "an ablated") +
                   " pass with finite logits, whose distance from the contextual pass "
                   "this figure shows; run them again " +
                   (isBare ? "with the bare pass, or " : "") + "in a wider dtype");
  }
  FigurePanel shares = sharePanel(boxes);
  shares.x.label = "equal tokens without the patch, %";
  for (FigureBox& box : boxes) box.equal = {};  // sharePanel shows it
  return {.kind = kEffect,
          .title = "What the absorbed parts are worth, by the largest KL of a step",
          .columns = 2,
          .panels = {effectPanel(std::move(boxes), pass), std::move(shares)}};
}

}  // namespace equipatch
