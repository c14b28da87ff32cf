// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/step_passes.h"
#include "core/run/bench/shape_bench.h"
#include "core/run/comparison.h"
#include "core/run/session.h"

namespace equipatch {

// Work that a benchmark times. Run it in an InferenceMode; only comparisons and loads
// enter one themselves. A Transformer must outlive the objects that refer to it.

/// Pseudo-random tokens, the same at every call.
std::vector<TokenId> randomTokens(std::int64_t count, std::int64_t vocabulary);

/// Greedy generation with the plain model, without comparison.
class PlainDecoder {
 public:
  PlainDecoder(const Transformer& transformer, const std::vector<TokenId>& prompt,
               std::int64_t steps);
  TokenId step();

 private:
  const Transformer& m_transformer;
  KvCache m_cache;
  TokenId m_token;
};

/// A comparison after its prefill.
std::unique_ptr<Comparison> preparedComparison(
    const std::shared_ptr<const Session>& session, const std::vector<TokenId>& prompt,
    std::int64_t steps, Application application);

/// The passes of one step at a position of a text. The cache of the earlier positions is
/// zero, because the time of a step does not depend on the values in it.
class StepAtPosition {
 public:
  StepAtPosition(const Transformer& transformer, std::int64_t position);
  PassResults run();

 private:
  const Transformer& m_transformer;
  std::int64_t m_position;
  KvCache m_cache;
};

class PromptPrefill {
 public:
  PromptPrefill(const Transformer& transformer, std::vector<TokenId> prompt);
  Tensor run();

 private:
  const Transformer& m_transformer;
  std::vector<TokenId> m_prompt;
  KvCache m_cache;
};

/// A product of two square matrices, large enough for libtorch's best rate.
class LargeProduct {
 public:
  explicit LargeProduct(const Arithmetic& arithmetic);
  void run();
  double operations() const;  ///< floating-point operations of one run

 private:
  Tensor m_a, m_b, m_product;
};

/// The memory of the matrices that a token's step reads. A MoE block contributes its
/// router, its shared expert and as many experts as are active. The embedding is included
/// only when it is the head.
std::vector<std::span<const std::byte>> stepWeights(const Transformer& transformer);
std::int64_t bytesOf(const std::vector<std::span<const std::byte>>& weights);

/// Loads a session's model a second time, beside the session.
class RepeatedLoad {
 public:
  /// @param session outlives this; its folder has one file of weights, model.safetensors
  explicit RepeatedLoad(const Session& session);

  /// Frees the loaded model and drops the file's pages from memory, including those that
  /// the session maps.
  void cool();
  /// Frees the loaded model and reads all of the file's pages into memory.
  void warm();
  void readFile() const;
  void load();

 private:
  const Session& m_session;
  SessionRequest m_request;
  std::shared_ptr<const Session> m_loaded;
};

/// Copies `bytes` bytes from a step's weights to a pre-faulted buffer, on
/// readingThreads() threads. If the weights have fewer bytes, they are copied repeatedly.
class MemoryCopy {
 public:
  explicit MemoryCopy(const Transformer& transformer, std::int64_t bytes);
  void run();

 private:
  std::vector<std::span<const std::byte>> m_weights;
  std::int64_t m_bytes;
  std::vector<std::byte> m_to;
};

/// A model's first step when nothing of its file is in memory yet.
class ColdStart {
 public:
  /// Writes a copy of the model, without tokenizer and vision tower, into a temporary
  /// folder.
  /// @param place the parent of the temporary folder; must be on a disk (`folderOnDisk`),
  ///        because a file in a tmpfs is never cold
  /// @throws Error{Resource} when writing fails.
  ColdStart(const Session& session, const std::filesystem::path& place);

  /// Drops the copy's pages from memory.
  void cool() const;
  void readFile() const;
  /// Opens the copy and generates one token.
  void firstStep() const;

 private:
  std::filesystem::path weights() const { return m_request.folder / "model.safetensors"; }

  std::unique_ptr<WrittenCheckpoint> m_copy;
  SessionRequest m_request;
};

}  // namespace equipatch
