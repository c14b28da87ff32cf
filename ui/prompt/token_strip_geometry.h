// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <vector>

namespace equipatch {

/// Places the token strip's chips in a row and their marks in a row below the chips, in
/// content coordinates (before scrolling).
class TokenStripGeometry {
 public:
  static constexpr int kMargin = 6;     ///< pixels around the row of chips
  static constexpr int kGap = 3;        ///< between chips
  static constexpr int kPadding = 6;    ///< inside a chip, left and right
  static constexpr int kMinWidth = 18;  ///< of a chip

  /// @param lineHeight of the font, pixels.
  explicit TokenStripGeometry(int lineHeight) : m_lineHeight(lineHeight) {}

  void clear() { m_lefts = {kMargin}; }
  /// @param textWidth pixels; of the token's text or its marks, whichever is wider
  void append(int textWidth);
  /// Appends a token without a chip of its own, such as an image's second token. The
  /// token's column has no width.
  void appendHidden() { m_lefts.push_back(m_lefts.back()); }

  int count() const { return static_cast<int>(m_lefts.size()) - 1; }
  int contentWidth() const { return m_lefts.back() - kGap + kMargin; }
  int contentHeight() const {
    return 2 * (m_lineHeight + kChipPadding) + kRowGap + 2 * kMargin;
  }

  QRect chip(int index) const;
  QRect below(int index) const;  ///< the place of the marks under the chip
  /// The index of the chip at x or, in a gap, of the chip before it; -1 if there is none.
  int indexAt(int x) const;

  struct Range {
    int first = 0;
    int last = 0;  ///< one after the last
  };
  /// Chips that touch [left, right), each with the gap after it.
  Range visible(int left, int right) const;
  /// The scroll position nearest to `scroll` at which the view shows the whole chip and
  /// its margins; the chip's left end, if the view is too narrow.
  int scrollToShow(int index, int scroll, int viewWidth) const;

 private:
  static constexpr int kChipPadding = 6;  // above and below the text, together
  static constexpr int kRowGap = 2;

  int m_lineHeight;
  std::vector<int> m_lefts = {kMargin};  // left edges; the last is for the next `append`
};

}  // namespace equipatch
