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

// A figure as plain values. The window draws its panels; figures are written as PDF, SVG,
// PNG and pgfplots, and their values as JSON.

/// y over x. NaN is a gap; on a logarithmic axis an exact zero is drawn at `zeroPlace`.
struct FigureCurve {
  /// Numbered curves (runs, matrices) differ by their `style`. A Reference is a grey
  /// curve among them, a control or a noise floor, and its `style` selects the dashes.
  /// Each other look belongs to one quantity of a run.
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
  std::string colour = {};  ///< "#rrggbb", instead of the style's; empty: the style's
  bool dense = false;       ///< too many points for a mark on each
  bool onRight = false;     ///< measured by the panel's right axis
  /// A quantity of one run in a panel where colours stand for runs: it has the colour of
  /// that run's `style`, or grey if it is a reference.
  bool besideRuns = false;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> lower;  ///< of a band around the curve; empty: none
  std::vector<double> upper;
  std::vector<std::int64_t> counts = {};  ///< of values behind each y; empty: one each

  /// True if the curve does not show the patched pass itself, but a control, a margin, a
  /// noise floor or an audit. These have the look Bare or one declared after it.
  bool isReference() const { return look >= Look::Bare; }
};

/// A number of steps out of a total.
struct FigureShare {
  std::int64_t part = 0;
  std::int64_t whole = 0;        ///< 0 only in a box that shows no share
  std::string pass = "patched";  ///< compared with the contextual pass

  double percent() const {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// A distribution along x, drawn in its own row: five quantiles, and the values outside
/// the whiskers.
struct FigureBox {
  std::string name;
  int style = 0;
  std::string colour = {};  ///< as in FigureCurve
  double low = 0.0;         ///< 5 %
  double lowerQuartile = 0.0;
  double median = 0.0;
  double upperQuartile = 0.0;
  double high = 0.0;             ///< 95 %
  std::vector<double> outliers;  ///< ascending
  std::int64_t count = 0;        ///< of values
  FigureShare equal;             ///< steps with equal tokens; of 0 steps: not shown

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
  std::vector<FigureBox> boxes;  ///< the first one at the top
  std::vector<FigureBar> bars;   ///< likewise
  std::optional<FigureMap> map;
  /// In a panel by step, a label for each step: its token or, where runs differ, the
  /// tokens of all ("sun ≠ snow"). Empty: not known.
  std::vector<std::string> tokens = {};
  std::vector<FigurePicture> pictures = {};  ///< in place of axes, side by side
  std::string caption = {};  ///< words beside or below the pictures; UTF-8
  /// A picture under the map, whose axes have the picture's proportions; null: none. It
  /// is grey, so that its colours do not mix with the map's.
  std::shared_ptr<const FigurePicture> under = {};

  /// The caption is to the right of a single picture, and below several.
  bool isCaptionBeside() const { return pictures.size() == 1 && !caption.empty(); }
  /// True if curves have bands.
  bool hasBands() const {
    return std::ranges::any_of(
        curves, [](const FigureCurve& curve) { return !curve.lower.empty(); });
  }
  /// True if each ✗ has the colour of its curve, because the curves are of several runs.
  bool hasColouredMarks() const {
    return !marks.empty() && std::ranges::count(curves, FigureCurve::Look::Numbered,
                                                &FigureCurve::look) > 1;
  }
  /// Boxes and bars are drawn in rows at y = 0, 1, 2, … downwards, each with its name.
  bool hasRows() const { return !boxes.empty() || !bars.empty(); }
  std::size_t rows() const { return std::max(boxes.size(), bars.size()); }
};

struct Figure {
  std::string kind;   ///< "generation", …
  std::string title;  ///< in words; drawn only on request
  int columns = 1;    ///< of panels; rows are filled first
  std::vector<FigurePanel> panels;
  std::string provenance;    ///< JSON: where the numbers come from
  std::string caption = {};  ///< for a paper (captionOf); empty: none
};

}  // namespace equipatch
