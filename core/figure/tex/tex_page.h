// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/tex/figure_tex.h"
#include "core/figure/tex/tex_ticks.h"

namespace equipatch {

// Lengths of text are estimates for a document in 10 pt.

/// The number of columns of a legend that stands above axes of `width` points.
std::size_t texLegendColumns(const std::vector<std::string>& names, double width);
/// How many letters fit into one line of an entry if such a legend has one column.
std::size_t texLegendLetters(double width);
/// The height of a legend in points; 0 without entries.
double texLegendHeight(const std::vector<std::string>& names, double width);
/// How many letters of a row's name fit into one line of `room` points.
std::size_t texNameLetters(double room);

/// The sizes of a figure's panels in pgfplots and the room between them.
class TexPage {
 public:
  /// @param figure with at least one panel; outlives this
  TexPage(const Figure& figure, const TexSize& size);

  int rows() const { return m_rows; }
  double width() const { return m_width; }          ///< of a panel's axes, inches
  double height() const { return m_height; }        ///< of a panel's axes, inches
  double columnGap() const { return m_columnGap; }  ///< between two columns, inches
  double largestRowGap() const;                     ///< between two rows, inches
  double totalHeight() const;                       ///< of the figure, inches, estimated
  bool fitsWidth() const;
  /// True also if no height is given.
  bool fitsHeight() const;

  /// The legend above a panel; empty: none, or the same as in the panel before.
  const std::vector<std::string>& legendOf(std::size_t panel) const {
    return m_legends[panel];
  }
  /// The room in points for a panel's row names; 0 if the panel to its left has the same
  /// names.
  double namesOf(std::size_t panel) const;
  /// The size of a panel's axes in points. For pictures with a caption: the width of the
  /// panel and the maximum height of a row of pictures. Pictures without a caption have
  /// the size of the figure's first map over a picture, if there is such a map.
  TexAxes axesOf(std::size_t panel) const;
  /// Options of pgfplots that shift a panel. groupplots leaves the same gap above every
  /// row, largestRowGap(), and centres each panel below the panel above. The shift
  /// reduces the gap to what the panel's row needs, and aligns the left ends of the axes.
  std::string shiftOf(std::size_t panel) const;

 private:
  double widthInPoints() const;
  double roomOfNames(double width) const;            // inches
  double rowHeight(const FigurePanel& panel) const;  // inches
  void setWidth(double width);
  void setHeight(const TexSize& size);
  void chooseLegends();
  // The largest height among a row's panels, points:
  double heightAboveAxes(int row) const;
  double heightBelowAxes(int row) const;
  double picturesHeight(int row) const;
  bool isIn(std::size_t panel, int row) const {
    return static_cast<int>(panel) / m_figure.columns == row;
  }

  const Figure& m_figure;
  int m_rows = 0;
  bool m_isFixed = false;  // the height was given
  bool m_hasRows = false;  // every panel has boxes or bars
  double m_width = 0.0, m_height = 0.0, m_columnGap = 0.0;
  double m_namesWidth = 0.0;         // of the names of boxes and bars, inches
  double m_maxPicturesHeight = 0.0;  // of a row of pictures with a caption, points
  double m_others = 0.0;             // height of all but the axes, inches
  int m_axesRows = 0;                // rows of panels, except captioned pictures
  std::vector<double> m_rowGaps;     // above each row but the first, points
  std::vector<std::vector<std::string>> m_legends;
};

}  // namespace equipatch
