#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/token.h"

namespace equipatch {

/// What becomes of the matches of a pattern when a text is cut at them.
enum class SplitBehavior {
  Removed,             ///< the pieces between the matches remain
  Isolated,            ///< matches become pieces of their own
  MergedWithPrevious,  ///< a match belongs to the piece that it ends
  MergedWithNext,      ///< a match belongs to the piece that it begins
  Contiguous,          ///< neighbouring matches become one piece
};

/// Whether the pattern describes where to cut, or what is between the cuts.
enum class MatchSense { Delimiters, Content };

/// @throws Error{BadInput} naming `place` when there is no behaviour of that name.
SplitBehavior parseSplitBehavior(const std::string& name, const std::string& place);

/// A text and the pieces it has been cut into: ascending, disjoint, none empty. Bytes in
/// no piece have been removed.
struct CutText {
  AlignedText text;
  std::vector<ByteSpan> pieces;

  /// The whole of `whole` as one piece.
  explicit CutText(AlignedText whole);

  std::string_view piece(ByteSpan range) const {
    return std::string_view(text.text()).substr(range.begin, range.end - range.begin);
  }

  /// Cuts every piece by itself.
  void split(
      const std::function<std::vector<ByteSpan>(std::string_view piece)>& matchesOf,
      SplitBehavior behavior, MatchSense sense);

  /// Rewrites piece after piece; `rewritePiece` must consume the piece it is given,
  /// starting at the rewriter's position. Bytes in no piece are dropped.
  void rewrite(const std::function<void(TextRewriter&, ByteSpan piece)>& rewritePiece);
};

}  // namespace equipatch
