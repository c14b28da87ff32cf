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

// Settings, models and training for the experiments on in-context linear regression.
// Weights, training tasks and evaluation tasks come from separate random streams of one
// seed, so that a change in one of the three does not change the others.

inline constexpr const char* kLinearTask =
    "The model learns linear regression in its context: each prompt has its own linear "
    "function, pairs (x, y) of this function, and a last x, the query, whose y the model "
    "predicts.";

enum class LabStream : std::uint64_t { Layer, Mlp, Training, Evaluation };
Random randomStream(std::uint64_t seed, LabStream stream);

std::vector<LabSetting> regressionSettings();
/// `regressionSettings` with other defaults, and the settings blocks and warmup.
std::vector<LabSetting> stackSettings();

/// Replaces a setting's quick and paper values.
/// @throws std::logic_error if there is no such setting.
void setDefault(std::vector<LabSetting>& settings, const std::string& name,
                const LabValue& quick, const LabValue& paper);
void drop(std::vector<LabSetting>& settings, const std::string& name);

/// @throws Error{BadInput} if heads does not divide width.
std::unique_ptr<toy::AttentionLayer> makeAttention(const LabSettings& settings,
                                                   std::uint64_t seed);
/// A model of `layer` followed by an untrained MLP. The layer's output must have the
/// width that the settings give.
std::unique_ptr<toy::InContextModel> makeModel(
    std::unique_ptr<toy::ContextualLayer> layer, const LabSettings& settings,
    std::uint64_t seed);
/// @throws Error{BadInput} if heads does not divide width.
std::unique_ptr<toy::BlockStack> makeStack(const LabSettings& settings,
                                           std::uint64_t seed);

/// The prompts for the evaluation; the setting tasks gives their number.
toy::LinearTasks evaluationTasks(const LabSettings& settings, std::uint64_t seed);
toy::TaskShape taskShape(const LabSettings& settings, std::int64_t tasks);
toy::TrainingPlan trainingPlan(const LabSettings& settings, std::uint64_t seed);

/// @param steps taken so far
/// @param loss mean training loss since the last call; 0 in the first call
using TrainingCallback = std::function<void(std::int64_t steps, double loss)>;

/// Trains to the end and plots the training loss. The experiment's progress rises from 0
/// to `share`. Calls `onProgress` before the first step, at equal intervals, and after
/// the last step: at most 200 times in all.
/// @throws Error{Numeric} if the loss is not finite, Error{Cancelled}.
void train(toy::Training& training, double share, Notebook& book,
           const TrainingCallback& onProgress = {});
/// Calls `train` for a stack with the plan of `trainingPlan` and the setting warmup.
void trainStack(const toy::BlockStack& stack, const LabSettings& settings, double share,
                Notebook& book, const TrainingCallback& onProgress = {});

/// A trained model with an attention layer. @throws as makeAttention and train.
std::unique_ptr<toy::InContextModel> trainedModel(const LabSettings& settings,
                                                  double share, Notebook& book);

/// Plots ‖(ΔW)_{i+1} − (ΔW)_i‖ by context length i: mean and standard error over the
/// evaluation prompts. Adds the first and the last mean as scalars.
void plotUpdateSteps(const toy::InContextModel& model, const LabSettings& settings,
                     Notebook& book);

}  // namespace equipatch
