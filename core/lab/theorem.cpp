#include "core/lab/equality.h"
#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/toy/contextual_layer.h"
#include "core/toy/in_context_regression.h"

namespace equipatch {
namespace {

void runTheorem(const LabSettings& settings, Notebook& book) {
  const auto model =
      makeModel(makeAttention(settings, book.seed()), settings, book.seed());
  trainComparing(*model, settings, 0.85, book);
  compareOverGrid(*model, settings, 0.85, 1.0, book);
}

}  // namespace

Experiment theoremExperiment() {
  std::vector<LabSetting> settings = regressionSettings();
  settings.push_back(gridSetting());
  return {.name = "theorem",
          .title = "Context as a change of weights",
          .claim =
              "A block with the context and the block with W + ΔW without it give the "
              "same output (Theorem 2.2, Figure 2).",
          .settings = settings,
          .run = runTheorem};
}

}  // namespace equipatch
