// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/tex/figure_tex.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// Lengths of text are estimates for a document of 10 pt.

/// Columns of a legend above axes of this width, points.
std::size_t texLegendColumns(const std::vector<std::string>& names, double width);
/// The letters of an entry's line.
std::size_t texLegendLetters(double width);
/// Points; 0: no entries.
double texLegendHeight(const std::vector<std::string>& names, double width);
/// The letters of a line of a row's name.
std::size_t texNameLetters(double room);

/// The sizes of a figure's panels in pgfplots and the room between them.
class TexPage {
 public:
  TexPage(const Figure& figure, const TexSize& size);

  int rows() const { return m_rows; }
  double width() const { return m_width; }      ///< of a panel's axes, inches
  double height() const { return m_height; }    ///< likewise
  double between() const { return m_between; }  ///< columns, inches
  double below() const;                         ///< between rows at most, inches
  /// True unless a given height leaves no room for axes with two labels.
  bool fits() const;

  /// The legend above a panel; empty: none, or the same as in the panel before.
  const std::vector<std::string>& legendOf(std::size_t panel) const {
    return m_legends[panel];
  }
  /// The room of a panel's names of rows, points; 0: the panel to the left has them.
  double namesOf(std::size_t panel) const;
  /// The size of a panel's axes, points. Pictures without a caption are as large as the
  /// maps over them.
  TexAxes axesOf(std::size_t panel) const;
  /// Options that move a panel from where groupplots puts it, centred below the panel
  /// above at the largest distance of any rows.
  std::string shiftOf(std::size_t panel) const;

 private:
  double points() const;
  double roomOfNames(double width) const;
  double rowHeight(const FigurePanel& panel) const;
  void setWidth(double width);
  void setHeight(const TexSize& size);
  void chooseLegends();
  double above(int row) const;
  double under(int row) const;
  double pictures(int row) const;
  bool isIn(std::size_t panel, int row) const {
    return static_cast<int>(panel) / m_figure.columns == row;
  }

  const Figure& m_figure;  // outlives this
  int m_rows = 0;
  bool m_isFixed = false;  // the height was given
  double m_width = 0.0, m_height = 0.0, m_between = 0.0;
  double m_names = 0.0;         // of rows, left of the axes, inches
  double m_mostPictures = 0.0;  // height of pictures with a caption, points
  std::vector<double> m_gaps;   // above each row but the first, points
  std::vector<std::vector<std::string>> m_legends;
};

}  // namespace equipatch
