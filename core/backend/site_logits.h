#pragma once

#include <span>

#include "core/run/backend.h"
#include "core/run/session.h"

namespace equipatch {

/// One ordinary forward over `ids` (at least one, all in the vocabulary):
/// "logits" [tokens, vocabulary], and with AllSites for each layer L "resid_pre.L",
/// "attn_out.L", "resid_mid.L", "mlp_out.L", "resid_post.L" [tokens, width].
/// @throws Error{BadInput} for ids outside the vocabulary or more than the model's
/// positions.
std::vector<NamedTensor> computeLogits(const Session& session,
                                       std::span<const TokenId> ids, SiteCapture capture);

}  // namespace equipatch
