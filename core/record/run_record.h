// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/record/patch_factors.h"
#include "core/record/run_request.h"
#include "core/record/step_record.h"

namespace equipatch {

/// A fingerprint of a tensor file.
struct TensorFileHash {
  std::string file;          ///< its name in the checkpoint's folder
  std::string headerSha256;  ///< of the JSON header: names, shapes, dtypes, offsets
  /// See SafetensorsFile::dataSampleSha256; empty in files of earlier versions.
  std::string dataSampleSha256 = {};

  bool operator==(const TensorFileHash&) const = default;
};

/// The weights, program and machine that computed a run.
struct Provenance {
  std::string program;       ///< version of Equipatch
  std::string torch;         ///< version of libtorch
  std::string processor;     ///< as the system names it
  std::int64_t threads = 0;  ///< threads that computed
  std::string startTime;     ///< UTC, "2026-11-21T08:30:00Z"
  std::string configSha256;  ///< of config.json
  std::vector<TensorFileHash> tensorFiles;

  bool operator==(const Provenance&) const = default;
};

/// Program and machine that continued a run that had ended early.
struct Continuation {
  std::int64_t firstStep = 0;
  /// False if the step before `firstStep`, computed again as a check, differs from its
  /// record (see `sameResults`).
  bool repeats = true;
  std::string program, torch, processor;  ///< from here on as in Provenance
  std::int64_t threads = 0;
  std::string startTime;

  bool operator==(const Continuation&) const = default;
};

/// How config.json and the tensor files differ, one clause per difference, such as
/// "model.safetensors has other values". Pairs the tensor files by their order, not by
/// name; if their numbers differ, one clause says so and none is compared. Ignores a data
/// sample that only one side recorded.
std::vector<std::string> differentWeights(const Provenance& then, const Provenance& now);

/// A run's settings and origin, and its continuations. Self-contained and immutable.
struct RunHeader {
  std::string modelName;    ///< "owner/name", or the last part of the folder
  std::string modelFolder;  ///< needed to run again; exports hide it
  std::string architecture;
  DType dtype = DType::F32;
  bool computesFloat32 = false;  ///< computes in float32, though weights are narrower
  std::string device;
  /// Mapped also where an older run file does not record it.
  WeightPlace weights = WeightPlace::Mapped;
  std::int64_t layers = 0;
  std::int64_t width = 0;
  std::int64_t vocabulary = 0;
  bool closesWithScale = false;  ///< the block has a norm scale that Δm changes
  bool closesWithBias = false;   ///< the block ends in a bias that Δb changes
  std::vector<std::string> patchedMatrices;  ///< as records list them: "gate", "up", …
  /// Layers whose token mixer is a recurrence instead of attention.
  std::vector<std::int64_t> recurrentLayers = {};
  std::vector<PatchedParameter> parameters;  ///< that patches change, layer by layer
  Provenance provenance;                     ///< of the first steps
  std::vector<Continuation> continuations;   ///< in order; usually empty
  RunRequest request;

  bool operator==(const RunHeader&) const = default;
};

/// The value of StepRecord::sampledMatch that follows from the rest of the step.
std::optional<bool> sampledMatchOf(const StepRecord& step, const RunRequest& request);

/// Statistics over steps. A statistic of a distance covers only the steps that measured
/// the distance, and is 0 without such a step. `linf…` and `tvdMax` summarise
/// StepRecord::patchedDistance.
struct RunSummary {
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  std::optional<std::int64_t> sampledMatches;  ///< empty where no step was sampled
  double linfMedian = 0.0;
  double linfMax = 0.0;
  double tvdMax = 0.0;
  double bareLinfMedian = 0.0;
  double bareKlMedian = 0.0;  ///< KL divergences are in nats
  double bareKlMax = 0.0;
  double ablatedKlMedian = 0.0;
  double ablatedKlMax = 0.0;
  double auditLinfMedian = 0.0;
  double auditLinfMax = 0.0;
  double noiseLinfMedian = 0.0;
  double noiseLinfMax = 0.0;
  bool hasRounding = false;  ///< a step has `rounding`
  double roundingLinfMedian = 0.0;
  double roundingLinfMax = 0.0;
  double millisecondsPerStep = 0.0;  ///< mean
  std::string text;                  ///< the generated text in UTF-8, without the prompt
};

using Steps = std::vector<std::shared_ptr<const StepRecord>>;

RunSummary summarise(const Steps& steps);

enum class RunEnding {
  Interrupted,  ///< no end is recorded: the program was killed or still runs
  Complete,     ///< all steps were taken, or a token ended the sequence
  Stopped,      ///< on request, or by an error
};

/// Receives a run's results on the thread that computes them: a slow sink delays the run.
class RunSink {
 public:
  virtual ~RunSink() = default;

  virtual void runStarted(std::shared_ptr<const RunHeader> header) = 0;
  virtual void stepTaken(std::shared_ptr<const StepRecord> record) = 0;
};

/// True if the steps' results are equal, without any tolerance; NaN equals NaN. Ignores
/// times, factors and the bytes of choices.
bool sameResults(const StepRecord& a, const StepRecord& b);

}  // namespace equipatch
