#include "core/checkpoint/prompt_rows.h"

#include <algorithm>

namespace equipatch {

std::int64_t promptRows(const ModelSpec& spec, std::int64_t positions,
                        std::int64_t most) {
  constexpr std::int64_t kMostScores = std::int64_t{1} << 26, kFewest = 16;
  // Divided twice: a product of sizes from a file may be beyond 64 bits.
  const std::int64_t rows = kMostScores / std::max<std::int64_t>(1, positions) /
                            std::max<std::int64_t>(1, spec.heads);
  return std::clamp(rows, std::min(kFewest, most), most);
}

}  // namespace equipatch
