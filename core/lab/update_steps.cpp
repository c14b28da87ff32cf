#include "core/lab/update_steps.h"

#include "core/lab/regression.h"
#include "core/toy/implicit_update.h"
#include "core/toy/in_context_regression.h"
#include "core/toy/statistics.h"

namespace equipatch {

void drawUpdateSteps(const toy::InContextModel& model, const LabSettings& settings,
                     Notebook& book) {
  const at::NoGradGuard noGradients;
  const toy::LinearTasks tasks = evaluationTasks(settings, book.seed());
  const at::Tensor prefixes = model.layer().withPrefixes(tasks.columns);
  const toy::MeanCurve steps =
      toy::meanCurve(toy::updateSteps(model.mlp().W_in, prefixes));
  book.draw(
      {.title = "Change of ΔW with each further pair",
       .x = {"pairs in the context, i"},
       .y = {"‖(ΔW)ᵢ₊₁ − (ΔW)ᵢ‖", "", LabScale::Logarithmic},
       .curves = {{"mean of " + std::to_string(tasks.columns.size(0)) + " prompts",
                   toy::integersFrom(0, steps.mean.size()), steps.mean, steps.error}}});
  book.tell({"change of ΔW by the first pair", steps.mean.front(), "", {}});
  book.tell({"change of ΔW by the last pair", steps.mean.back(), "", {}});
}

}  // namespace equipatch
