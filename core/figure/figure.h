#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/heat_grid.h"

namespace equipatch {

// A figure as plain values: what is drawn, not how. The same figure is drawn in the
// window, written as PDF, SVG, PNG and pgfplots, and its numbers stand in a JSON file.

enum class FigureScale { Linear, Logarithmic };

struct FigureAxis {
  std::string label;  ///< with its unit
  FigureScale scale = FigureScale::Linear;
  bool counts = false;  ///< steps, layers, channels: ticks at whole numbers only
  std::vector<std::string> names;  ///< of 0, 1, 2, …; empty: the numbers themselves

  bool operator==(const FigureAxis&) const = default;
};

/// y over x. NaN is a gap; on a logarithmic axis zero is below everything.
struct FigureCurve {
  /// Numbered curves (runs, matrices) are told apart by `style`. Where a panel shows one
  /// run, its quantities have looks of their own, the same in every panel. Reference is
  /// the grey of a control or a noise floor among numbered curves.
  enum class Look {
    Numbered,
    Patched,
    Distribution,
    Probability,
    Bare,
    Margin,
    Noise,
    Reference
  };

  std::string name;
  Look look = Look::Numbered;
  int style = 0;         ///< of a numbered curve
  bool dense = false;    ///< too many points for a mark each
  bool onRight = false;  ///< measured by the panel's right axis
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> lower;  ///< of a band around the curve; empty: none
  std::vector<double> upper;

  /// Whether other curves are compared with it: a control, a margin, a noise floor.
  bool isReference() const { return look >= Look::Bare; }
};

/// Points told apart by a red ✗.
struct FigureMarks {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

/// A distribution at place `x`: five numbers, and what lies outside the outer two.
struct FigureBox {
  std::string name;
  int style = 0;
  double x = 0.0;
  double low = 0.0;  ///< 5 %
  double lowerQuartile = 0.0;
  double median = 0.0;
  double upperQuartile = 0.0;
  double high = 0.0;             ///< 95 %
  std::vector<double> outliers;  ///< ascending
  std::int64_t count = 0;        ///< of values

  double smallest() const {
    return outliers.empty() ? low : std::min(low, outliers.front());
  }
  double largest() const {
    return outliers.empty() ? high : std::max(high, outliers.back());
  }
};

struct FigureBar {
  std::string name;
  int style = 0;
  double x = 0.0;
  double value = 0.0;
  std::string text;  ///< written at its end
};

/// Where the rows or columns of a map lie along an axis: number i at first + i · step.
struct FigurePlaces {
  double first = 0.0;
  double step = 1.0;  ///< above 0

  double at(double index) const { return first + index * step; }
};

/// Rows along y, columns along x.
struct FigureMap {
  /// AroundZero: blue to orange, symmetric-logarithmic or even. FromZero: sizes, rising
  /// from zero, likewise. Rising: from the smallest value to the largest, evenly or by
  /// powers of ten (what is not positive then looks like the smallest that is).
  enum class Colours {
    AroundZero,
    AroundZeroEvenly,
    FromZero,
    FromZeroEvenly,
    Rising,
    RisingLogarithmic
  };

  bool isAroundZero() const { return colours <= Colours::AroundZeroEvenly; }

  std::string label;  ///< of the colour scale, with its unit
  HeatGrid grid;
  Colours colours = Colours::AroundZero;
  FigurePlaces x = {};
  FigurePlaces y = {};
};

struct FigurePanel {
  std::string title;
  FigureAxis x;
  FigureAxis y;
  std::optional<FigureAxis> right;  ///< a second axis; drawn on the screen only
  std::vector<FigureCurve> curves;
  std::vector<FigureMarks> marks;
  std::vector<FigureBox> boxes;
  std::vector<FigureBar> bars;
  std::optional<FigureMap> map;
};

struct Figure {
  std::string kind;   ///< "generation", …
  std::string title;  ///< in words; drawn only when asked for
  int columns = 1;    ///< of panels; rows are filled first
  std::vector<FigurePanel> panels;
  std::string provenance;  ///< JSON: where the numbers come from
};

}  // namespace equipatch
