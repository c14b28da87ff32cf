#pragma once

#include <memory>

#include "core/base/page_cache.h"
#include "core/model/transformer.h"
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

}  // namespace equipatch
