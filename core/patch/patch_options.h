// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace equipatch {

/// How the patch is divided among the outer function's parameters if a norm's scale
/// closes the block. Without such a scale, all methods give the same patch, except in a
/// MoE: Direct splits the patch among the experts by Lemma 11 as printed; the other
/// methods choose the split of least norm.
enum class Method {
  Balanced,  ///< ν-split of scale and down projection; an n near 0 does no harm
  Direct,    ///< Theorem 1: Δm = Δv ⊘ n
  Stable,    ///< Appendix B, corrected: n ⊙ m as near as possible to the target
};

/// Which pass's activations a layer's patch is computed from.
enum class Loop {
  Closed,  ///< those of the patched pass
  Half,    ///< v and z of the patched pass, h and n of the contextual one
  Open,    ///< v and z of the open-loop row (docs/glossary.md), h and n of the contextual
           ///< pass (Algorithm 1 as printed)
};

/// How a patched matrix is applied. Materialised also rounds patched scales and biases.
enum class Application {
  Factored,      ///< W x + u (wᵀ x)
  Materialised,  ///< round(W + u wᵀ) x, as a checkpoint would store it
};

std::string_view name(Method method);
std::string_view name(Loop loop);
std::string_view name(Application application);
std::optional<Method> methodFromName(std::string_view name);
std::optional<Loop> loopFromName(std::string_view name);
std::optional<Application> applicationFromName(std::string_view name);

struct PatchOptions {
  Method method = Method::Balanced;
  Loop loop = Loop::Closed;
  Application application = Application::Factored;

  bool operator==(const PatchOptions&) const = default;
};

/// The largest |alpha| that commands accept.
inline constexpr double kLargestAlpha = 10.0;

/// How much of a patch the patched pass gets, and in which layers.
struct PatchStrength {
  double alpha = 1.0;                ///< factor: 0 is no patch, 1 the whole patch
  std::vector<std::int64_t> layers;  ///< ascending; empty: all

  bool whole() const { return alpha == 1.0 && layers.empty(); }
  bool includes(std::int64_t layer) const;
  bool operator==(const PatchStrength&) const = default;
};

}  // namespace equipatch
