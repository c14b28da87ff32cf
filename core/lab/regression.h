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
class ContextualLayer;
class InContextModel;
class Training;
struct LinearTasks;
struct TaskShape;
struct TrainingPlan;
}  // namespace toy

// What the experiments on in-context linear regression have in common: their settings,
// and what follows from them. Seeds of model, training and evaluation are streams of the
// notebook's.

enum class LabStream : std::uint64_t { Layer, Mlp, Training, Evaluation };

/// dimension, pairs, heads, width, mlp_width, steps, batch, rate, tasks, dtype.
std::vector<LabSetting> regressionSettings();

/// `settings` with another value where it is quick and where it is the paper's.
void setDefault(std::vector<LabSetting>& settings, const std::string& name,
                const LabValue& quick, const LabValue& paper);
void drop(std::vector<LabSetting>& settings, const std::string& name);

/// @throws Error{BadInput} when width is no multiple of heads.
void requireHeads(const LabSettings& settings);

/// The attention of the settings, with the weights training begins from.
std::unique_ptr<toy::AttentionLayer> makeAttention(const LabSettings& settings,
                                                   std::uint64_t seed);
/// `layer` with an MLP behind it.
std::unique_ptr<toy::InContextModel> makeModel(
    std::unique_ptr<toy::ContextualLayer> layer, const LabSettings& settings,
    std::uint64_t seed);

/// The random numbers of one place: what is drawn there does not depend on others.
Random randomOf(std::uint64_t seed, LabStream stream);

/// Prompts that training does not see.
toy::LinearTasks evaluationTasks(const LabSettings& settings, std::uint64_t seed);
toy::TaskShape taskShape(const LabSettings& settings, std::int64_t tasks);
toy::TrainingPlan trainingPlan(const LabSettings& settings, std::uint64_t seed);

/// Hears how many steps were taken and the mean training loss since the last look.
using TrainingLook = std::function<void(std::int64_t steps, double loss)>;

/// Trains to the end, which is `share` of the experiment, with some hundred looks on the
/// way; draws the training loss.
void train(toy::Training& training, double share, Notebook& book,
           const TrainingLook& look = {});

/// An attention model, trained to the end.
std::unique_ptr<toy::InContextModel> trainedModel(const LabSettings& settings,
                                                  double share, Notebook& book);

}  // namespace equipatch
