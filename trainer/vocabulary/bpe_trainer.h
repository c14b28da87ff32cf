#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace equipatch {

/// Two pieces that are joined wherever they stand side by side.
using Merge = std::pair<std::string, std::string>;

/// How often each piece of cut text occurred, by its spelling.
using PieceCounts = std::map<std::string, std::int64_t>;

/// Byte-pair encoding (Sennrich, Haddow and Birch, 2016): beginning with characters, the
/// most frequent pair of neighbours becomes a piece, up to `count` times. Among equally
/// frequent pairs the alphabetically first wins, so the result depends on the counts
/// alone. Fewer merges come back when no pair occurs twice.
std::vector<Merge> learnMerges(const PieceCounts& pieces, std::size_t count);

/// The characters of all pieces, in the order of their code points.
std::vector<std::string> charactersOf(const PieceCounts& pieces);

}  // namespace equipatch
