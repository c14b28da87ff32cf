// SPDX-License-Identifier: GPL-3.0-or-later
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
  /// Reads the weights into the page cache; continues after loading, which reads only
  /// part of them, and ends by itself.
  std::unique_ptr<ReadingAhead> m_ahead;
  std::unique_ptr<Transformer> m_transformer;
};

/// @param session opened by this backend
const Transformer& transformerOf(const Session& session);

/// @throws Error{BadInput} naming the first id outside the vocabulary.
void checkVocabulary(const ModelSpec& spec, const std::vector<Token>& prompt);
std::vector<TokenId> idsOf(const std::vector<Token>& tokens);

/// See Backend::computeLogits.
std::vector<NamedTensor> computeLogits(const Session& session,
                                       std::span<const TokenId> ids, SiteCapture capture);

}  // namespace equipatch
