// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/delta_rule.h"

#include "core/kernel/kernel_table.h"
#include "core/kernel/threads.h"

namespace equipatch {
namespace {

template <typename T>
void applyByHead(const DeltaRule<T>& rule, void (*kernel)(const DeltaRule<T>&)) {
  const auto stateOf = [&](auto* states, std::int64_t head) {
    return states ? states + head * rule.keyDim * rule.valueDim : nullptr;
  };
  const auto apply = [&](std::int64_t head) {
    kernel({.tokens = rule.tokens,
            .heads = rule.heads,
            .keyDim = rule.keyDim,
            .valueDim = rule.valueDim,
            .q = rule.q + head * rule.keyDim,
            .k = rule.k + head * rule.keyDim,
            .v = rule.v + head * rule.valueDim,
            .alpha = rule.alpha + head,
            .beta = rule.beta + head,
            .before = stateOf(rule.before, head),
            .after = stateOf(rule.after, head),
            .o = rule.o + head * rule.valueDim,
            .order = rule.order});
  };
  // For each token, the kernel reads the head's state at most twice.
  const std::int64_t bytes =
      rule.tokens * rule.keyDim * rule.valueDim * 2 * std::int64_t{sizeof(T)};
  parallelRanges({rule.heads, bytes}, [&](WorkRange heads) {
    for (std::int64_t head = heads.begin; head < heads.end; ++head) apply(head);
  });
}

}  // namespace

void applyDeltaRule(const DeltaRule<float>& rule) {
  applyByHead(rule, kernelTable().delta.f32);
}

void applyDeltaRule(const DeltaRule<double>& rule) {
  applyByHead(rule, kernelTable().delta.f64);
}

}  // namespace equipatch
