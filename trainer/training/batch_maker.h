#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/text/tokenizer.h"
#include "trainer/documents/generator.h"
#include "trainer/network/network.h"

namespace equipatch {

/// A document as the network sees it: with BOS and EOS, and which tokens are answers.
class BatchMaker {
 public:
  /// @param generator must outlive this.
  BatchMaker(const Generator& generator, std::shared_ptr<const Tokenizer> tokenizer)
      : m_generator(generator), m_tokenizer(std::move(tokenizer)) {}

  /// Documents from `next` on while they fit into `tokens`, at least one; `next` becomes
  /// the first that is left.
  Batch make(std::uint64_t& next, std::int64_t tokens) const;

  /// One document alone.
  Batch make(const Document& document) const;

 private:
  void append(const Document& document, Batch& batch) const;

  const Generator& m_generator;
  std::shared_ptr<const Tokenizer> m_tokenizer;
};

}  // namespace equipatch
