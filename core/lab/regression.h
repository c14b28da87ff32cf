// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/random.h"
#include "core/lab/notebook.h"
#include "core/lab/settings.h"

namespace equipatch {

namespace toy {
class AttentionLayer;
class BlockStack;
class ContextualLayer;
class InContextModel;
class Training;
struct LinearTasks;
struct TaskShape;
struct TrainingPlan;
}  // namespace toy

// Common to the experiments on in-context linear regression: settings, models, training.
// Weights, training tasks and evaluation tasks come from separate random streams of one
// seed, so that changing one of the three does not change the others.

/// What the models learn.
inline constexpr const char* kLinearTask =
    "The model learns linear regression in its context: each prompt has its own linear "
    "function, pairs (x, y) of this function, and a last x, the query, whose y the model "
    "predicts.";

enum class LabStream : std::uint64_t { Layer, Mlp, Training, Evaluation };
Random randomStream(std::uint64_t seed, LabStream stream);

/// The settings dimension, pairs, heads, width, mlp_width, steps, batch, rate, tasks,
/// dtype.
std::vector<LabSetting> regressionSettings();
/// The same settings with other defaults, and `blocks` and `warmup`.
std::vector<LabSetting> stackSettings();

/// Replaces a setting's quick and paper values.
/// @throws std::logic_error for a setting that is missing.
void setDefault(std::vector<LabSetting>& settings, const std::string& name,
                const LabValue& quick, const LabValue& paper);
/// Removes the setting, if it is there.
void drop(std::vector<LabSetting>& settings, const std::string& name);

/// An attention layer with initial weights. @throws Error{BadInput} when heads does not
/// divide width.
std::unique_ptr<toy::AttentionLayer> makeAttention(const LabSettings& settings,
                                                   std::uint64_t seed);
/// A model of `layer` followed by an MLP with initial weights. The layer must have the
/// width that the settings say.
std::unique_ptr<toy::InContextModel> makeModel(
    std::unique_ptr<toy::ContextualLayer> layer, const LabSettings& settings,
    std::uint64_t seed);
/// A stack of blocks with initial weights. @throws Error{BadInput} when heads does not
/// divide width.
std::unique_ptr<toy::BlockStack> makeStack(const LabSettings& settings,
                                           std::uint64_t seed);

/// The prompts for the evaluation, as many as the setting `tasks` says. Training does not
/// use them.
toy::LinearTasks evaluationTasks(const LabSettings& settings, std::uint64_t seed);
toy::TaskShape taskShape(const LabSettings& settings, std::int64_t tasks);
toy::TrainingPlan trainingPlan(const LabSettings& settings, std::uint64_t seed);

/// @param steps taken so far
/// @param loss mean training loss since the last call; 0 in the first call
using TrainingCallback = std::function<void(std::int64_t steps, double loss)>;

/// Trains to the end and plots the training loss. The training makes up the first `share`
/// of the experiment's progress. Calls `onProgress` before the first step, then at equal
/// intervals, and after the last step: at most 200 times in all.
/// @throws Error{Numeric} when the loss is not finite, Error{Cancelled}.
void train(toy::Training& training, double share, Notebook& book,
           const TrainingCallback& onProgress = {});
/// The same for a stack, by `trainingPlan` with the setting `warmup`.
void trainStack(const toy::BlockStack& stack, const LabSettings& settings, double share,
                Notebook& book, const TrainingCallback& onProgress = {});

/// A trained attention model. @throws as makeAttention and train.
std::unique_ptr<toy::InContextModel> trainedModel(const LabSettings& settings,
                                                  double share, Notebook& book);

/// Plots ‖(ΔW)_{i+1} − (ΔW)_i‖ by context length: mean and standard error over the
/// evaluation prompts. Adds the first and the last mean as scalars.
void plotUpdateSteps(const toy::InContextModel& model, const LabSettings& settings,
                     Notebook& book);

}  // namespace equipatch
