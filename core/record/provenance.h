// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

/// Identifies a tensor file of the checkpoint.
struct TensorFileHash {
  std::string file;          ///< its name in the checkpoint's folder
  std::string headerSha256;  ///< of the JSON header: names, shapes, dtypes, offsets

  bool operator==(const TensorFileHash&) const = default;
};

/// The weights, program and machine that computed a run.
struct Provenance {
  std::string program;       ///< version of Equipatch
  std::string torch;         ///< version of libtorch
  std::string processor;     ///< as the system names it
  std::int64_t threads = 0;  ///< that computed
  std::string startTime;     ///< UTC, "2026-11-21T08:30:00Z"
  std::string configSha256;  ///< of config.json
  std::vector<TensorFileHash> tensorFiles;

  bool operator==(const Provenance&) const = default;
};

/// How the weights differ, one clause per difference: "config.json is another one",
/// "model.safetensors has another header".
std::vector<std::string> differentWeights(const Provenance& then, const Provenance& now);

}  // namespace equipatch
