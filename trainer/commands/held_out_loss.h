#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/text/tokenizer.h"
#include "trainer/documents/generator.h"
#include "trainer/training/trainer.h"

namespace equipatch {

/// A fixed set of documents that nothing is learned from, and their losses over time.
class HeldOutLoss {
 public:
  HeldOutLoss(const WordLists& lists, std::shared_ptr<const Tokenizer> tokenizer);

  /// Adds a line to a CSV file: step, tokens, seconds, mean loss of each skill in nats.
  /// @throws Error{Resource} when it cannot be written.
  void measure(const Trainer& trainer, const std::filesystem::path& file) const;

 private:
  std::map<Skill, std::vector<Batch>> m_batches;
};

}  // namespace equipatch
