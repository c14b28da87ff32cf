// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/record/file/run_schema.h"

namespace equipatch {
namespace {

/// Calls `visit` with name and values of every tensor of a step.
template <typename Visit>
void visitTensors(const StepRecord& step, Visit visit) {
  for (std::size_t index = 0; index < step.factors->size(); ++index) {
    const LayerFactors& layer = (*step.factors)[index];
    const std::string prefix = "step." + std::to_string(step.step.value) + ".layer." +
                               std::to_string(index) + ".";
    for (const MatrixFactors& matrix : layer.matrices) {
      visit(prefix + matrix.weight + ".u", matrix.u);
      visit(prefix + matrix.weight + ".w", matrix.w);
    }
    for (const LayerVector& vector : kLayerVectors)
      if (const auto& numbers = layer.*vector.field; !numbers.empty())
        visit(prefix + vector.kind, numbers);
  }
}

/// Calls `visit` with the step or, without one, with each step from the first.
/// stepWithFactors throws if there is none, and at the first missing one if the file
/// claims more steps than it holds.
template <typename Visit>
void visitSteps(const RunFile& run, std::optional<StepIndex> step, Visit visit) {
  if (step) return visit(*stepWithFactors(run, *step));
  const std::int64_t count = std::max<std::int64_t>(run.stepCount(), 1);
  for (std::int64_t index = 0; index < count; ++index)
    visit(*stepWithFactors(run, StepIndex(index)));
}

}  // namespace

std::shared_ptr<const StepRecord> stepWithFactors(const RunFile& run, StepIndex step) {
  if (!run.header()->request.keepFactors)
    throw badInput(
        "the run recorded no patches, only their norms; run it again with compare --out "
        "FILE --factors");
  const std::int64_t count = run.stepCount();
  if (count == 0)
    throw badInput("the run holds no finished step, so it has no patch to export");
  if (step.value < 0 || step.value >= count)
    throw badInput("the run has no step " + std::to_string(step.value) +
                   "; its steps are 0 to " + std::to_string(count - 1));
  try {
    return run.step(step, FactorDetail::Include);
  } catch (const Error& error) {
    throw error.within(run.path().string());
  }
}

void exportSafetensors(const RunFile& run, std::optional<StepIndex> step,
                       const std::filesystem::path& path) {
  // Two passes over the file keep at most one step in memory.
  std::vector<TensorPlan> plan;
  visitSteps(run, step, [&](const StepRecord& record) {
    visitTensors(record,
                 [&](const std::string& name, const std::vector<double>& numbers) {
                   plan.push_back({name, DType::F64, {std::ssize(numbers)}});
                 });
  });
  SafetensorsWriter writer(path, plan, {{"format", "pt"}});
  visitSteps(run, step, [&](const StepRecord& record) {
    visitTensors(record,
                 [&](const std::string& name, const std::vector<double>& numbers) {
                   writer.append(name, std::span<const double>(numbers));
                 });
  });
  writer.finish();
}

}  // namespace equipatch
