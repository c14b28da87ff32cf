// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/lab_result.h"

namespace equipatch::test {

/// A result of two panels: two curves, the first with errors, and a map of 2 rows and 3
/// columns.
inline LabResult someLabResult() {
  LabResult result{.experiment = "theorem", .title = "Context as weights"};
  result.panels.push_back(
      {.title = "Loss",
       .x = {"training step"},
       .y = {"squared error", "", LabScale::Logarithmic},
       .curves = {{"with", {0, 10, 20}, {4.0, 2.0, 1.0}, {0.5, 0.25, 0.125}},
                  {"without", {0, 10, 20}, {4.0, 2.0, 1.0}, {}}}});
  result.panels.push_back({.title = "Difference",
                           .x = {"x₁"},
                           .y = {"x₂", "cm"},
                           .map = LabMap{.label = "|Δ|",
                                         .unit = "nats",
                                         .scale = LabScale::Logarithmic,
                                         .x = {-2.0, -0.5, 1.0},
                                         .y = {0.0, 2.0},
                                         .values = {1e-7, 2e-7, 3e-7, 0.0, 5e-7, 1e-6}}});
  result.scalars = {{"key", 2e-7, "", 1e-7}};
  result.origin.seed = 7;
  result.origin.choices = {{"steps", std::int64_t{20}}};
  return result;
}

/// A result with a map of 2 × 2 cells over a picture 3 pixels wide and 2 high.
inline LabResult resultOverPicture() {
  LabResult result{.experiment = "image-map", .title = "What each part brings"};
  result.panels.push_back({.title = "Kept",
                           .x = {.label = "column"},
                           .y = {.label = "row", .downwards = true},
                           .curves = {},
                           .map = LabMap{.label = "L∞",
                                         .x = {1.0, 2.0},
                                         .y = {1.0, 2.0},
                                         .values = {0.25, 5.0, 2.0, 3.0},
                                         .overPicture = true}});
  std::string bytes = "P6 3 2 255\n";
  for (int value = 0; value < 18; ++value) bytes += static_cast<char>(value * 10);
  result.picture = LabPicture{"flag.ppm", bytes};
  return result;
}

}  // namespace equipatch::test
