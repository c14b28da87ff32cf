#pragma once

#include <string>

#include "core/checkpoint/family/tensor_list.h"

namespace equipatch {

/// Which norms the stored ln_1 and ln_2 are: in GPT they stand behind attention and
/// feed-forward, in GPT-2 before them.
struct Conv1dNorms {
  std::string first;
  std::string second;
};

/// A layer of GPT or GPT-2: matrices are stored [inputs, outputs], queries, keys and
/// values in one, everything with a bias.
void addConv1dLayer(const ModelSpec& spec, const Conv1dNorms& norms, TensorList& tensors);

}  // namespace equipatch
