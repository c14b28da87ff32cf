#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// How the outer function absorbs Δv where the block closes with a norm scale.
enum class Method {
  Balanced,  ///< ν-split of scale and last matrix; never divides by an activation
  Direct,    ///< Theorem 1: Δm = Δv ⊘ n
};

/// From whose activations a layer's patch is computed.
enum class Loop {
  Closed,  ///< the patched pass's own, rounded ones
  Half,    ///< v and z of the patched pass, h and n of the contextual one
  Open,    ///< the contextual pass's own input to that layer (Algorithm 1 as printed)
};

/// How a patched matrix is applied.
enum class Application {
  Factored,      ///< W z + u (wᵀ z)
  Materialised,  ///< round(W + u wᵀ) z, as one would store it
};

/// How a step is computed.
enum class Execution {
  Lockstep,  ///< all passes layer by layer, each weight read once
  Separate,  ///< record, build the patch, then run the patched model alone: the slow witness
};

std::string_view name(Method method);
std::string_view name(Loop loop);
std::string_view name(Application application);
std::optional<Method> methodFromName(std::string_view name);
std::optional<Loop> loopFromName(std::string_view name);
std::optional<Application> applicationFromName(std::string_view name);

/// Greedy when temperature is 0. Both passes are given the same noise, so that they differ
/// only where their logits do.
struct Sampling {
  double temperature = 0.0;
  std::int64_t topK = 0;  ///< 0: all
  double topP = 1.0;
  std::uint64_t seed = 0;
};

/// Everything that decides a comparison run besides the session (model, dtype, device).
struct RunRequest {
  std::string promptText;      ///< empty when only ids were given
  std::vector<Token> prompt;   ///< at least one token; the last one is x of step 0
  std::int64_t steps = 64;
  Method method = Method::Balanced;
  Loop loop = Loop::Closed;
  Application application = Application::Factored;
  Execution execution = Execution::Lockstep;
  Sampling sampling;
  bool bare = true;            ///< run the control pass too
  bool measureNoise = false;   ///< contextual pass a second time, other summation order
  bool freeRun = false;        ///< go on with the patched pass's token after a mismatch
  bool roundLogits = false;    ///< round logits to the dtype, as frameworks do
  bool ignoreEndOfSequence = false;
  std::int64_t topChoices = 10;  ///< how many candidates a record keeps per pass
};

}  // namespace equipatch
