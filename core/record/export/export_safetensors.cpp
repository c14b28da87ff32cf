// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/record/file/run_schema.h"

namespace equipatch {
namespace {

/// Calls `visit(name, numbers)` for each tensor of a step.
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

/// Calls `visit` with up to `count` steps from `first` on. Stops at a step that cannot be
/// read, because the file may claim more steps than it holds.
template <typename Visit>
WrittenPatches visitSteps(const RunFile& run, StepIndex first, std::int64_t count,
                          Visit visit) {
  WrittenPatches visited;
  visit(*stepWithFactors(run, first));
  for (visited.steps = 1; visited.steps < count; ++visited.steps) {
    std::shared_ptr<const StepRecord> record;
    try {
      record = run.step(StepIndex(first.value + visited.steps), FactorDetail::Include);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::BadInput) throw;
      visited.damage = error.what();
      break;
    }
    visit(*record);
  }
  return visited;
}

}  // namespace

std::shared_ptr<const StepRecord> stepWithFactors(const RunFile& run, StepIndex step) {
  const std::string name = run.path().string() + ": ";
  if (!run.header()->request.keepFactors)
    throw badInput(name +
                   "the run recorded no patches, only their norms; run it again with "
                   "compare --out FILE --factors");
  const std::int64_t count = run.stepCount();
  if (count == 0)
    throw badInput(name + "the run holds no finished step, so it has no patch to export");
  if (step.value < 0 || step.value >= count)
    throw badInput(name + "the run has no step " + std::to_string(step.value) +
                   "; its steps are 0 to " + std::to_string(count - 1));
  try {
    return run.step(step, FactorDetail::Include);
  } catch (const Error& error) {
    throw error.within(run.path().string());
  }
}

WrittenPatches exportSafetensors(const RunFile& run, std::optional<StepIndex> step,
                                 const std::filesystem::path& path) {
  const StepIndex first = step.value_or(StepIndex(0));
  // The steps are read twice, so that memory holds only one step at a time.
  std::vector<TensorPlan> plan;
  const auto planStep = [&](const StepRecord& record) {
    visitTensors(record,
                 [&](const std::string& name, const std::vector<double>& numbers) {
                   plan.push_back({name, DType::F64, {std::ssize(numbers)}});
                 });
  };
  WrittenPatches written = visitSteps(run, first, step ? 1 : run.stepCount(), planStep);
  SafetensorsWriter writer(path, plan, {{"format", "pt"}});
  visitSteps(run, first, written.steps, [&](const StepRecord& record) {
    visitTensors(record,
                 [&](const std::string& name, const std::vector<double>& numbers) {
                   writer.append(name, std::span<const double>(numbers));
                 });
  });
  writer.finish();
  return written;
}

}  // namespace equipatch
