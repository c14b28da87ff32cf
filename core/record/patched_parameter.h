#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// A parameter that patches change, and where others find it: all that an export needs to
/// know of the model.
struct PatchedParameter {
  std::string name;    ///< canonical: "layers.3.W_gate", "layers.3.mlp_post_norm"
  std::string tensor;  ///< as the checkpoint's files name it
  std::string module;  ///< as transformers' class names it once the model is loaded
  std::vector<std::int64_t> shape;  ///< canonical: [outputs, inputs] or [width]
  TensorPart part;                  ///< of the stored tensor
  bool storedMinusOne = false;      ///< the checkpoint holds m − 1

  bool operator==(const PatchedParameter&) const = default;
};

}  // namespace equipatch
