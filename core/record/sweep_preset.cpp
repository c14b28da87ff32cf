#include "core/record/sweep/sweep_prompts.h"

#include "core/base/error.h"
#include "paper_prompts.h"

namespace equipatch {

SweepPreset sweepPreset(std::string_view name) {
  if (name != "paper")
    throw badInput("there is no preset " + inQuotes(name) + "; expected paper");
  return {.prompts = parseSweepPrompts(kPaperPrompts, "the paper's prompts"),
          .grids = {"dtype=float32,bfloat16,method=direct,stable,loop=open,"
                    "apply=materialised",
                    "dtype=float32,bfloat16,method=balanced,loop=closed,"
                    "apply=materialised"},
          .steps = 20,
          .measureNoise = true};
}

}  // namespace equipatch
