#pragma once

#include <vector>

#include "core/checkpoint/spec.h"
#include "core/model/arithmetic.h"

namespace equipatch {

/// The rows of a batch that use one expert, and how much each takes of it.
struct RoutedExpert {
  std::int64_t expert = 0;
  std::vector<std::int64_t> rows;  ///< ascending
  Tensor gates;                    ///< [rows], wide, in the dtype's precision
};

/// A MoE block's routing: the softmax over all experts, of which the `active` largest are
/// kept (the lower index where two are equal) and, if the spec says so, divided by their
/// sum. Experts in ascending order; those nobody uses are left out.
/// @param scores the router's rounded output [rows, experts]
std::vector<RoutedExpert> route(const Tensor& scores, const MoeSpec& moe,
                                const Arithmetic& arithmetic);

}  // namespace equipatch
