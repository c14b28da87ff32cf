#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// What GPT and GPT-2 call alike tensors, and which norms their ln_1 and ln_2 are: in GPT
/// they stand behind attention and feed-forward, in GPT-2 before them.
struct Conv1dNames {
  std::string embed;
  std::string positions;
  std::string firstNorm;   ///< canonical name of ln_1
  std::string secondNorm;  ///< of ln_2
  std::string finalNorm;   ///< stored name; empty where there is none
};

/// All tensors of GPT or GPT-2: a layer's matrices are stored [inputs, outputs], queries,
/// keys and values in one, everything with a bias.
std::vector<TensorBinding> conv1dTensors(const ModelSpec& spec, const Conv1dNames& names);

}  // namespace equipatch
