// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure_axis.h"
#include "core/figure/figure_map.h"
#include "core/figure/figure_marks.h"
#include "core/figure/figure_picture.h"

namespace equipatch {

// A figure as plain values, independent of the screen and of file formats.

/// y over x. NaN is a gap; on a logarithmic axis an exact zero is drawn at `zeroPlace`.
struct FigureCurve {
  /// Numbered: `style` selects colour, mark and line, as for runs and for parts of a
  /// patch. Reference: a grey curve beside numbered ones, such as a noise floor; `style`
  /// selects the dashes. Each other look belongs to one quantity of a run. Looks from
  /// Bare on are references.
  enum class Look {
    Numbered,
    Patched,
    Distribution,
    Probability,
    Bare,
    Ablated,
    Margin,
    Noise,
    Audit,
    Reference
  };

  std::string name;
  Look look = Look::Numbered;
  int style = 0;            ///< of a Numbered, Reference or `besideRuns` curve
  std::string colour = {};  ///< "#rrggbb"; empty: the style's
  bool dense = false;       ///< too many points for a mark on each
  bool onRight = false;     ///< y is on the panel's right axis
  /// True for a quantity of one run in a panel where colours stand for runs. The curve
  /// has the colour of that run's `style`; a reference is grey.
  bool besideRuns = false;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> lower;  ///< of a band around the curve; empty: none
  std::vector<double> upper;
  std::vector<std::int64_t> counts = {};  ///< of the values that each y summarizes

  bool isReference() const { return look >= Look::Bare; }
};

/// A number of steps (`part`) out of a total (`whole`).
struct FigureShare {
  std::int64_t part = 0;
  std::int64_t whole = 0;        ///< 0 (only in a box): not shown
  std::string pass = "patched";  ///< compared with the contextual pass

  double percent() const {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// A distribution along x, drawn in its own row.
struct FigureBox {
  std::string name;
  int style = 0;
  std::string colour = {};  ///< as in FigureCurve
  double low = 0.0;         ///< 5th percentile, the end of a whisker
  double lowerQuartile = 0.0;
  double median = 0.0;
  double upperQuartile = 0.0;
  double high = 0.0;             ///< 95th percentile
  std::vector<double> outliers;  ///< outside the whiskers, ascending
  std::int64_t count = 0;        ///< of values
  FigureShare equal;             ///< steps with equal most likely tokens

  double smallest() const {
    return outliers.empty() ? low : std::min(low, outliers.front());
  }
  double largest() const {
    return outliers.empty() ? high : std::max(high, outliers.back());
  }
};

/// A share in percent along x, drawn in its own row.
struct FigureBar {
  std::string name;
  int style = 0;
  std::string colour = {};  ///< as in FigureCurve
  FigureShare share;
};

struct FigurePanel {
  std::string title;
  FigureAxis x;
  FigureAxis y;
  std::optional<FigureAxis> right;  ///< a second axis for the curves `onRight`
  std::vector<FigureCurve> curves;
  std::vector<FigureMarks> marks;
  std::vector<FigureBox> boxes;
  std::vector<FigureBar> bars;
  std::optional<FigureMap> map;
  /// In a panel by step, a label for each step: its token or, where runs differ, their
  /// different tokens ("sun ≠ snow"). Empty: not known.
  std::vector<std::string> tokens = {};
  std::vector<FigurePicture> pictures = {};  ///< in place of axes, side by side
  std::string caption = {};                  ///< of the pictures; UTF-8
  /// A grey picture under the map; null: none. The map's axes have the picture's
  /// proportions.
  std::shared_ptr<const FigurePicture> under = {};

  /// The caption is to the right of a single picture, and below several.
  bool isCaptionBeside() const { return pictures.size() == 1 && !caption.empty(); }
  bool hasBands() const {
    return std::ranges::any_of(
        curves, [](const FigureCurve& curve) { return !curve.lower.empty(); });
  }
  /// True if each ✗ has the colour of its curve, because there are several runs.
  bool hasColouredMarks() const {
    return !marks.empty() && std::ranges::count(curves, FigureCurve::Look::Numbered,
                                                &FigureCurve::look) > 1;
  }
  /// Rows are boxes and bars, drawn at y = 0, 1, 2, … downwards.
  bool hasRows() const { return !boxes.empty() || !bars.empty(); }
  std::size_t rows() const { return std::max(boxes.size(), bars.size()); }
};

struct Figure {
  std::string kind;   ///< "generation", …
  std::string title;  ///< drawn only on request
  int columns = 1;    ///< of panels, which are placed row by row
  std::vector<FigurePanel> panels;
  std::string provenance;    ///< JSON: where the numbers come from
  std::string caption = {};  ///< for a paper (captionOf); empty: none
};

}  // namespace equipatch
