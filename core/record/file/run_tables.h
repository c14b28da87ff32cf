// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/file/header_lists.h"
#include "core/record/file/sql_fields.h"
#include "core/record/run_record.h"

namespace equipatch {

// Each function calls `at(name, field)` for every field of a record that is one cell of a
// run file; fields that the first version lacked are `added`. `--rerun` repeats what
// `requestFields` lists.
template <typename At, typename Request>
void requestFields(At& at, Request& request) {
  at("prompt_text", request.promptText);
  at("steps", request.steps);
  at("kept_prompt", request.absorbed.keptPrompt);
  at("keeps_generated", request.absorbed.keepsGenerated);
  at("method", request.patch.method);
  at("loop", request.patch.loop);
  at("application", request.patch.application);
  at("strength", request.strength.alpha);
  at("strength_layers", request.strength.layers);
  at("execution", request.execution);
  at("temperature", request.sampling.temperature);
  at("top_k", request.sampling.topK);
  at("top_p", request.sampling.topP);
  at("seed", request.sampling.seed);
  at("bare", request.bare);
  at("audit", request.audit);
  at("measure_noise", request.measureNoise);
  at("free_run", request.freeRun);
  at("round_logits", request.roundLogits);
  at("ignore_end_of_sequence", request.ignoreEndOfSequence);
  at("keep_factors", request.keepFactors);
  at("top_choices", request.topChoices);
  at(added("keep_pictures"), request.keepPictures);
  at(added("branch_of"), request.branch.file);
  at(added("branch_tokens"), request.branch.tokens);
  at(added("ablated"), request.ablated);
  at(added("special_tokens"), request.specials);
}

template <typename At, typename Header>
void headerFields(At& at, Header& header) {
  at("model_name", header.modelName);
  at("model_folder", header.modelFolder);
  at("architecture", header.architecture);
  at("dtype", header.dtype);
  at("computes_float32", header.computesFloat32);
  at("device", header.device);
  at(added("weights"), header.weights);
  at("layers", header.layers);
  at("width", header.width);
  at("vocabulary", header.vocabulary);
  at("closes_with_scale", header.closesWithScale);
  at("closes_with_bias", header.closesWithBias);
  at("patched_matrices", header.patchedMatrices);
  at(added("recurrent_layers"), header.recurrentLayers);
  at("program_version", header.provenance.program);
  at("libtorch_version", header.provenance.torch);
  at("processor", header.provenance.processor);
  at("threads", header.provenance.threads);
  at("start_time", header.provenance.startTime);
  at("config_sha256", header.provenance.configSha256);
  requestFields(at, header.request);
}

template <typename At, typename Step>
void stepColumns(At& at, Step& step) {
  at("position", step.position);
  at("x", step.x);
  at("token", step.token);
  at("patched_token", step.patchedToken);
  at("continued", step.continued);
  at("token_text", step.tokenText);
  at("patched_text", step.patchedText);
  at("continued_bytes", step.continuedBytes);
  at("match", step.match);
  at("margin", step.margin);
  at("linf", step.patchedDistance.linf);
  at("tvd", step.patchedDistance.tvd);
  at("kl", step.patchedDistance.kl);
  const auto distance = [&](const FieldName& prefix, auto& part) {
    const auto name = [&](const char* suffix) {
      return prefix.isAdded ? added(prefix.text + suffix)
                            : FieldName(prefix.text + suffix);
    };
    at(name("_linf"), DistancePart{part, &LogitDistance::linf});
    at(name("_tvd"), DistancePart{part, &LogitDistance::tvd});
    at(name("_kl"), DistancePart{part, &LogitDistance::kl});
  };
  distance("bare", step.bareDistance);
  distance("audit", step.auditDistance);
  distance("noise", step.noise);
  distance("rounding", step.rounding);
  at("milliseconds", step.milliseconds);
  at(added("sampled_match"), step.sampledMatch);
  distance(added("ablated"), step.ablatedDistance);
}

template <typename At, typename OneChoice>
void choiceColumns(At& at, OneChoice& choice) {
  at("id", choice.id);
  at("text", choice.text);
  at("logit", choice.logit);
  at("probability", choice.probability);
  at(added("bytes"), choice.bytes);
}

template <typename At, typename Layer>
void layerColumns(At& at, Layer& layer) {
  at("scale_norm", layer.scaleNorm);
  at("scale_max", layer.scaleMax);
  at("bias_norm", layer.biasNorm);
  at("experts", layer.experts);
  at("gate_sum", layer.gateSum);
  at("effect", layer.effect);
  at("z_norm", layer.zNorm);
  at("z_cosine", layer.zCosine);
  at("hidden_error", layer.hiddenError);
  at("smallest_divisor", layer.smallestDivisor);
  at("hard_case", layer.hardCase);
  at("guarded", layer.guarded);
  at("note", layer.note);
}

template <typename At, typename Matrix>
void matrixColumns(At& at, Matrix& matrix) {
  at("matrix", matrix.matrix);
  at("norm", matrix.norm);
  at("relative", matrix.relative);
}

}  // namespace equipatch
