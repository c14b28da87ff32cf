// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "core/record/run_request.h"
#include "core/run/session.h"

namespace equipatch {

/// The ablated pass of a run: original weights on a text that lacks the absorbed part.
/// Unlike the bare pass, the ablated pass computes kept tokens without the absorbed ones,
/// at positions from 0 on, in a KV cache of its own. An Error{Numeric} names this pass,
/// because the numbers of the contextual pass may be finite.
class AblatedPass {
 public:
  /// @param request one for which runsAblated() is true
  /// @param session opened by this backend; outlives the pass
  /// @throws Error{Resource} if memory does not suffice for the cache
  AblatedPass(const Session& session, const RunRequest& request);

  /// Reads the kept part of the prompt, with its images, but without the prompt's last
  /// token, which the first `run` or `feed` takes. Call `prefill` once, before them.
  /// @throws Error{Cancelled}; Error if an image cannot be decoded
  void prefill(Progress& progress);

  /// Computes the cache again if the next token changes the rotary frequencies of all
  /// tokens (LongRope). Call it before each `run` and `feed`.
  /// @throws Error{Cancelled}; the pass can then not be used again
  void renew(Progress& progress);
  /// Computes the logits [vocabulary] after x, the newest token of the run's text. Adds x
  /// to the context unless the run absorbs it. @param progress may be null
  Tensor run(TokenId x, LayerProgress* progress);
  /// Does the same as `run` but computes no logits.
  /// @throws Error{Cancelled}; the pass can then not be used again
  void feed(TokenId x, Progress& progress);

 private:
  /// @param text the run's text without the absorbed part
  AblatedPass(const Session& session, const RunRequest& request, RunRequest text);
  Tensor forward(TokenId x, LayerProgress* progress);
  const Transformer& transformer() const;

  const Session& m_session;
  const AbsorbedSet m_absorbed;
  const std::int64_t m_promptLength;
  const std::vector<PromptImage> m_images;  ///< kept whole; positions in the pass's text
  std::vector<TokenId> m_context;           ///< the tokens in the cache
  KvCache m_cache;
  GivenRows m_imageRows = {};
  std::int64_t m_next;  ///< the next x's position in the run's whole text
};

}  // namespace equipatch
