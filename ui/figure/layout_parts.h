// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/qcp.h"

namespace equipatch {

inline constexpr double kPanelGap = 8.0;    ///< points between panels
inline constexpr double kPageMargin = 2.0;  ///< points around everything
/// The stretch factor of a row or column that is no larger than its content needs.
inline constexpr double kNoStretch = 1e-3;

/// Rows of the grid above a panel's axes.
enum UpperRow { kHeading, kLegend, kRest };
/// Rows of a panel's cell.
enum CellRow { kUpper, kAxes, kLegendBelow };
/// Columns of a panel's cell, in its row kAxes.
enum CellColumn { kAxesColumn, kScaleColumn, kScaleLabelColumn, kLegendColumn };

/// Has no maximum size, even if its parts have one, so that the grid fills its cell.
class PanelGrid final : public QCPLayoutGrid {
 public:
  QSize maximumOuterSizeHint() const override {
    return {QWIDGETSIZE_MAX, QWIDGETSIZE_MAX};
  }
};

/// A place beside the axes, empty or with a legend. Adopts the margins of its margin
/// group without contributing to them.
class SideRoom final : public QCPLayoutGrid {
 public:
  QSize maximumOuterSizeHint() const override {
    return {QWIDGETSIZE_MAX, QWIDGETSIZE_MAX};
  }

 protected:
  int calculateAutoMargin(QCP::MarginSide) override { return 0; }
};

/// Adopts the margins of its margin group without contributing to them.
class ColourScale final : public QCPColorScale {
 public:
  using QCPColorScale::QCPColorScale;

 protected:
  int calculateAutoMargin(QCP::MarginSide) override { return 0; }
};

}  // namespace equipatch
