// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/memory_estimate.h"

namespace equipatch {

/// Description of a model's folder or of a GGUF file, made without reading weights.
struct ModelEntry {
  std::string name;  ///< the folder; in the result of listModels, ModelPlace::name
  std::filesystem::path folder;
  /// The model's class in transformers. If the model cannot be loaded and config.json
  /// states no class: its "model_type", or empty.
  std::string architecture;
  /// Why the model cannot be loaded, in one sentence; empty when it can.
  std::string problem;
  bool supported = true;        ///< false: the model or its format is not implemented
  std::int64_t parameters = 0;  ///< 0: unknown
  std::optional<DType> dtype;   ///< of most elements
  std::uintmax_t bytes = 0;     ///< of the folder's files, or of the GGUF file
  std::vector<std::string> missing;  ///< absent weight files, broken links
  bool hasTokenizer = false;
  /// One for each of kRunDTypes; empty when the model cannot be loaded.
  std::vector<MemoryEstimate> needs;

  bool loadable() const { return problem.empty(); }
};

/// Does not throw if the model cannot be loaded: the error becomes `problem`.
ModelEntry describeModelFolder(const std::filesystem::path& folder);

}  // namespace equipatch
