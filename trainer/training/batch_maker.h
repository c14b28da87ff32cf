// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/text/tokenizer.h"
#include "trainer/documents/generator.h"
#include "trainer/network/network.h"

namespace equipatch {

/// Tokenises documents for the network, with BOS and EOS, and marks the answers' tokens
/// as learned.
class BatchMaker {
 public:
  /// @param generator must outlive this.
  BatchMaker(const Generator& generator, std::shared_ptr<const Tokenizer> tokenizer)
      : m_generator(generator), m_tokenizer(std::move(tokenizer)) {}

  /// Documents from index `next` on that fit into `tokens`, at least one. Sets `next` to
  /// the index after them.
  Batch make(std::uint64_t& next, std::int64_t tokens) const;

  /// One document alone.
  Batch make(const Document& document) const;

 private:
  const Generator& m_generator;
  std::shared_ptr<const Tokenizer> m_tokenizer;
};

}  // namespace equipatch
