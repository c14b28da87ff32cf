#pragma once

#include <memory>
#include <span>

#include "core/base/page_cache.h"
#include "core/model/transformer.h"
#include "core/run/backend.h"
#include "core/run/session.h"

namespace equipatch {

/// A session with its weights in libtorch's tensors.
class TorchSession final : public Session {
 public:
  TorchSession(const SessionRequest& request, Progress& progress);

  const Transformer& transformer() const { return *m_transformer; }

 private:
  /// Outlives loading, which does not read everything; ends by itself.
  std::unique_ptr<ReadingAhead> m_ahead;
  std::unique_ptr<Transformer> m_transformer;
};

/// The model of a session that this backend opened.
const Transformer& transformerOf(const Session& session);

/// @throws Error{BadInput} naming the first id outside the vocabulary.
void checkVocabulary(const ModelSpec& spec, const std::vector<Token>& prompt);
std::vector<TokenId> idsOf(const std::vector<Token>& tokens);

/// One ordinary forward over `ids` (at least one, all in the vocabulary):
/// "logits" [tokens, vocabulary], and with AllSites for each layer L "resid_pre.L",
/// "attn_out.L", "resid_mid.L", "mlp_out.L", "resid_post.L" [tokens, width].
/// @throws Error{BadInput} for ids outside the vocabulary or more than the model's
/// positions.
std::vector<NamedTensor> computeLogits(const Session& session,
                                       std::span<const TokenId> ids, SiteCapture capture);

}  // namespace equipatch
