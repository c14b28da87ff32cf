#pragma once

#include <vector>

#include "core/backend/step_metrics.h"
#include "core/backend/step_passes.h"
#include "core/record/step_record.h"
#include "core/run/session.h"

namespace equipatch {

/// The readable surface of a token, as records show it.
std::string tokenText(const Session& session, TokenId id);
/// What a token adds to the generated text; may be half a character.
std::string tokenBytes(const Session& session, TokenId id);

/// A pass's candidates with their texts and probabilities.
Choices choicesOf(const Session& session, const PassLogits& logits);

/// The layers' part of a record.
std::vector<LayerRecord> layerRecords(const PassResults& results);

}  // namespace equipatch
