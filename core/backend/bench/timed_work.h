#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/step_passes.h"
#include "core/base/temporary_folder.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

// What a benchmark times: each makes everything beforehand that one would keep from step
// to step. Needs an inference mode around it, but for comparisons.

/// Tokens of a text that means nothing, the same every time.
std::vector<TokenId> randomTokens(std::int64_t count, std::int64_t vocabulary);

/// Generates greedily with the model as it is: what a step costs when nothing is
/// compared.
class PlainDecoder {
 public:
  PlainDecoder(const Transformer& transformer, const std::vector<TokenId>& prompt,
               std::int64_t steps);
  TokenId step();

 private:
  const Transformer& m_transformer;
  KvCache m_cache;
  TokenId m_token;  ///< the newest
};

/// A comparison of so many steps with all that it records, its context read.
std::unique_ptr<Comparison> preparedComparison(
    const std::shared_ptr<const Session>& session, const std::vector<TokenId>& prompt,
    std::int64_t steps, Application application);

/// The passes of one step far into a text. Its keys and values are zero: what they cost
/// to read does not depend on what they are.
class StepAt {
 public:
  StepAt(const Transformer& transformer, std::int64_t position);
  PassResults run();

 private:
  const Transformer& m_transformer;
  std::int64_t m_position;
  KvCache m_cache;
};

/// The same prompt read again and again.
class PromptReading {
 public:
  PromptReading(const Transformer& transformer, std::vector<TokenId> prompt);
  Tensor run();

 private:
  const Transformer& m_transformer;
  std::vector<TokenId> m_prompt;
  KvCache m_cache;
};

/// A product of two square matrices, large enough that the library shows its best.
class LargeProduct {
 public:
  explicit LargeProduct(const Arithmetic& arithmetic);
  void run();
  double operations() const;  ///< floating-point, in one run

 private:
  Tensor m_a, m_b, m_product;
};

/// The memory of all matrices that a token's step reads: of the experts of a MoE block as
/// many as are in use, of the embedding only what the head reads.
std::vector<std::span<const std::byte>> stepWeights(const Transformer& transformer);
std::int64_t bytesOf(const std::vector<std::span<const std::byte>>& weights);

/// How long a model's first step takes when nothing of its file is in memory yet.
class ColdStart {
 public:
  /// Writes a copy of the model's files into a temporary folder.
  /// @param place where that is made; it must lie on a disk (`folderOnDisk`), because in
  ///        memory no file is ever cold
  /// @throws Error{Resource} when the disk refuses.
  ColdStart(const Session& session, const std::filesystem::path& place);

  /// Forgets what is in memory of the copy.
  void cool() const;
  /// Reads the copy once from its beginning to its end.
  void readFile() const;
  /// Opens the copy and generates one token.
  void firstStep() const;

 private:
  std::filesystem::path weights() const { return m_folder.path() / "model.safetensors"; }

  TemporaryFolder m_folder;
  SessionRequest m_request;
};

}  // namespace equipatch
