#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/checkpoint/memory_estimate.h"

namespace equipatch {

/// What can be said of a model's folder without reading a weight.
struct ModelEntry {
  std::string name;  ///< as `--model` takes it: "owner/name", or the folder
  std::filesystem::path folder;
  std::string architecture;  ///< the config's own word; empty when it says none
  /// Empty when the model can be loaded; otherwise the one sentence why not.
  std::string problem;
  bool supported = true;        ///< false: well-formed, but nothing Equipatch can compute
  std::int64_t parameters = 0;  ///< 0: unknown
  std::optional<DType> dtype;   ///< that most numbers are stored in
  std::uintmax_t bytes = 0;     ///< of the files in the folder
  std::vector<std::string> missing;   ///< files that should be there
  bool tokenizer = false;             ///< files of one are there
  std::vector<MemoryEstimate> needs;  ///< by dtype; empty when it cannot be loaded

  bool loadable() const { return problem.empty(); }
};

/// Reads config.json and the headers of the weights. Never throws for what the folder
/// holds: what is wrong with it becomes `problem`.
ModelEntry describeModelFolder(const std::filesystem::path& folder);

}  // namespace equipatch
