#include "core/toy/contextual_layer.h"

#include "core/lab/equality.h"
#include "core/lab/experiment.h"
#include "core/lab/regression.h"
#include "core/lab/update_steps.h"
#include "core/toy/in_context_regression.h"

namespace equipatch {
namespace {

void runRecurrent(const LabSettings& settings, Notebook& book) {
  Random random = randomOf(book.seed(), LabStream::Layer);
  const auto model =
      makeModel(std::make_unique<toy::RecurrentLayer>(settings.count("dimension") + 1,
                                                      settings.count("width"), random,
                                                      toTorch(dtypeOf(settings))),
                settings, book.seed());
  trainComparing(*model, settings, 0.85, book);
  drawUpdateSteps(*model, settings, book);
  compareOverGrid(*model, settings, 0.85, 1.0, book);
}

std::vector<LabSetting> recurrentSettings() {
  std::vector<LabSetting> settings = regressionSettings();
  drop(settings, "heads");
  setDefault(settings, "width", std::int64_t{64}, std::int64_t{64});
  setDefault(settings, "pairs", std::int64_t{40}, std::int64_t{200});
  setDefault(settings, "steps", std::int64_t{1000}, std::int64_t{10000});
  setDefault(settings, "rate", 5e-3, 5e-3);
  settings.push_back(gridSetting());
  return settings;
}

}  // namespace

Experiment recurrentExperiment() {
  return {.name = "rnn",
          .title = "A recurrent network instead of attention",
          .claim =
              "The equality asks nothing of the contextual layer; the convergence "
              "does: with a recurrent network ΔW goes on changing (Figure 6).",
          .settings = recurrentSettings(),
          .run = runRecurrent};
}

}  // namespace equipatch
