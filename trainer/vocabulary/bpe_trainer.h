// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace equipatch {

/// Two pieces that are merged wherever they are adjacent.
using Merge = std::pair<std::string, std::string>;

/// The number of occurrences of each pre-token, by its spelling.
using PieceCounts = std::map<std::string, std::int64_t>;

/// Byte-pair encoding (Sennrich, Haddow and Birch, 2016): starting with characters, the
/// most frequent adjacent pair becomes a piece, up to `count` times. Among equally
/// frequent pairs the alphabetically first is merged, so the result depends on the counts
/// alone. Returns fewer merges if no pair occurs twice.
std::vector<Merge> learnMerges(const PieceCounts& pieces, std::size_t count);

/// The characters of all pieces, in the order of their code points.
std::vector<std::string> charactersOf(const PieceCounts& pieces);

}  // namespace equipatch
