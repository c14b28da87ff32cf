// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/spec.h"
#include "core/patch/planner.h"
#include "core/record/run_record.h"
#include "core/run/prepared_prompt.h"
#include "core/run/session.h"
#include "core/text/chat/chat_template.h"
#include "core/text/tokenizer.h"

namespace equipatch {

/// A loaded model as the window sees it; immutable.
struct LoadedModel {
  std::string name;  ///< "owner/name" for a snapshot in a cache, else the folder's name
  std::string folder;
  Provenance origin;  ///< of the weights
  ModelSpec spec;
  DType dtype = DType::F32;
  bool computesFloat32 = false;  ///< although `dtype`, the weights' dtype, is narrower
  std::string device;
  WeightPlace weights = WeightPlace::Resident;
  std::int64_t parameters = 0;
  std::int64_t visionParameters = 0;  ///< of the vision tower, not among `parameters`
  std::vector<std::string> unreadKeys;
  std::vector<std::string> unreadTensors;
  PatchPlan plan;
  std::vector<MemoryEstimate> memory;          ///< by dtype
  std::shared_ptr<const Tokenizer> tokenizer;  ///< null if none could be read
  std::string tokenizerProblem;                ///< why `tokenizer` is null
  std::shared_ptr<const ChatTemplate> chat;    ///< null without a template or a tokenizer
  std::string chatProblem;                     ///< why a template could not be read
  std::shared_ptr<const Session> session;      ///< null with the tests' engine
};

/// Null if the model takes no images.
inline const VisionSpec* visionOf(const LoadedModel& model) {
  return model.spec.vision ? &*model.spec.vision : nullptr;
}

/// The tokens that the model knows, to check given ids.
inline KnownTokens knownTokensOf(const LoadedModel& model) {
  return {.tokenizer = model.tokenizer.get(),
          .beginOfSequence = model.spec.beginOfSequence,
          .vision = visionOf(model)};
}

/// True if the model was loaded from the run's folder. If this machine has no such
/// folder, true if the hash of the model's configuration is known and `differentWeights`
/// finds no difference.
bool isModelOf(const LoadedModel& model, const RunHeader& header);

/// True if the model is the run's (`isModelOf`) and has its dtype, device and
/// `computesFloat32`.
bool computesRun(const LoadedModel& model, const RunHeader& header);

/// As `sessionRequestOf`, but with the folder of `loaded` if `loaded` is the run's model
/// (`isModelOf`).
/// @param loaded may be null
SessionRequest modelRequestOf(const RunHeader& header, const LoadedModel* loaded);

}  // namespace equipatch
