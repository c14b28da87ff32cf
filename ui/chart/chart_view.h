// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QWidget>
#include <functional>
#include <optional>

#include "core/figure/figure.h"
#include "ui/chart/chart_series.h"
#include "ui/chart/chart_table.h"
#include "ui/chart/legend.h"
#include "ui/chart/panel_rows.h"
#include "ui/chart/small_widgets.h"
#include "ui/chart/theme.h"

class QHBoxLayout;

namespace equipatch {

class RowScrollBar;

/// Draws a panel on the screen, with zoom (wheel, +, −), pan (drag, Shift+← →), reset
/// (double click, 0), a marker at the selected key, and the values as a table (T).
class ChartView : public QWidget {
  Q_OBJECT

 public:
  /// @param theme must outlive the chart.
  ChartView(const QString& title, const Theme& theme, QWidget* parent = nullptr);

  QCustomPlot& plot() { return *m_plot; }
  const QCustomPlot& plot() const { return *m_plot; }
  const Theme& theme() const { return m_theme; }

  /// @param brief replaces a title that does not fit
  void setTitle(const QString& title, const QString& brief = {});
  QString title() const { return m_title->text(); }
  void setNote(const QString& note);  ///< under the title; empty hides it
  QString note() const { return m_note->text(); }
  /// The tooltip of the title; if explained, also a line below the title.
  void setSentence(const QString& sentence);
  QString sentence() const { return m_sentence->text(); }
  void setExplained(bool explained);
  void setEmptyText(const QString& text);  ///< shown while no data are visible
  void setDataVisible(bool visible);
  bool isDataVisible() const { return m_pages->currentIndex() != 0; }
  /// Call refresh() to draw the panel. A hidden series stays hidden if its style stays,
  /// even if its name changes.
  void setPanel(FigurePanel panel);
  /// `append` may only append points to the panel. Call refresh() to draw them.
  void appendPoints(const std::function<void(FigurePanel&)>& append);
  const FigurePanel& panel() const { return m_panel; }
  const QCPGraph* series(const QString& name) const;  ///< of a curve or marks, or null
  const QCPGraph* series(int curve) const { return m_series.at(curve).graph; }
  /// The graphs of a curve's exact zeros and of its band's upper edge; null: none.
  const QCPGraph* zeros(int curve) const { return m_series.at(curve).zeros; }
  const QCPGraph* band(int curve) const { return m_series.at(curve).upper; }
  /// The graph of the ✗ that have the colour of this curve, or null.
  const QCPGraph* marksOf(int curve) const;
  const PanelRows& rows() const { return m_rows; }
  const Legend& legend() const { return *m_legend; }
  void addControl(QWidget* control);  ///< to the title line; visible with the data

  void setMarker(int key);  ///< negative hides it
  int marker() const { return m_markerKey; }
  QString describe(double key, double value) const;     ///< the tooltip there, or empty
  const ChartTable& table() const { return *m_table; }  ///< only after showTable(true)
  bool isTable() const { return m_tableSwitch->isChecked(); }
  TableData panelTable() const;
  virtual Figure figure() const;  ///< as it is drawn, with the axes' present ranges
  bool canBeAlone() const;        ///< aloneRequested() has a receiver
  /// Locked axes keep their ranges, whatever the data, until resetZoom().
  void setLocked(bool locked);
  bool isLocked() const { return m_lock->isVisibleTo(this); }

  /// Queues a redraw. Fits the axes unless they are zoomed, moved or locked.
  void refresh();
  /// Fits the axes to the panel: x to all series, y to those that the legend shows.
  void fitPanel();
  bool isFitted() const { return m_fitted; }
 public Q_SLOTS:
  void resetZoom();
  void showTable(bool table) { m_tableSwitch->setChecked(table); }

 Q_SIGNALS:
  void clicked(double key, double value);
  void rowPicked(double key);             ///< in the table
  void keyMoved(int byKey, int byValue);  ///< by the keyboard; Home, End: very far
  void exportRequested();
  void copyRequested();   ///< of the picture
  void aloneRequested();  ///< to show this chart alone, or all charts again
  void restyled();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildPlot();
  void connectPlot();
  void buildSwitches();
  void makeTable();
  void showPage();
  void addSeries(const SeriesStyle& style);
  void drawNewPoints();
  void drawAllPoints();
  void addZeroMarks();
  void addBand(const FigureCurve& curve, ChartSeries& series);
  void addMarks(const FigureMarks& marks, ChartSeries& series);
  void placeZeros();
  void drawRows();
  double enlargement() const;
  FigurePanel shownPart() const;
  void restyle();
  void applyStyle(const ChartSeries& series) const;
  void zoom(double factor);
  void pan(double widths);
  void applyVisibility(int index);
  void replaceAllSeries(const QList<SeriesStyle>& styles);
  void mouseMoved(QMouseEvent* event);
  void mouseReleased(QMouseEvent* event);

  const Theme& m_theme;
  ElidedLabel* m_title;
  SentenceLabel* m_sentence;
  QLabel *m_note, *m_empty;
  QHBoxLayout* m_header;
  QList<QWidget*> m_controls;
  Legend* m_legend;
  LegendArea* m_legendArea;
  QStackedWidget* m_pages;
  QCustomPlot* m_plot;
  ChartTable* m_table = nullptr;
  QToolButton *m_tableSwitch, *m_lock;  ///< m_lock: shown while the axes are locked
  QCPItemStraightLine* m_marker;
  FigurePanel m_panel;
  QList<ChartSeries> m_series;  ///< of the panel's curves, then of its marks
  PanelRows m_rows;
  RowScrollBar* m_rowBar = nullptr;
  double m_zero = 0.0;  ///< where the exact zeros were drawn
  double m_usualType;   ///< the initial font size, points
  bool m_dataVisible = false, m_explained = false, m_fitted = true;
  bool m_drawn = false;             ///< the plot was drawn, or its first replot is queued
  std::optional<QPoint> m_pressed;  ///< where; none after release or double click
  int m_markerKey = -1;
};

}  // namespace equipatch
