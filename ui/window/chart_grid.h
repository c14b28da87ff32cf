// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSplitter>
#include <QWidget>

#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The charts of the window's centre in two rows, with movable borders. The constructor
/// adds each chart.
class ChartGrid final : public QWidget {
  Q_OBJECT

 public:
  ChartGrid(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  /// Sets the text of charts without data; each chart shows it below a sentence on its
  /// own purpose.
  void setEmptyText(const QString& text);
  /// Adds a guest: a chart in a splitter elsewhere in the window, which moves into the
  /// grid while it is shown alone.
  void addGuest(ChartView& view);
  /// Sets whether each chart says in words what it shows. The settings keep the choice;
  /// the default is true.
  void setExplained(bool explained);
  bool isExplained() const;
  void save();  ///< shows all charts, then saves their borders
  void restore();

  /// Shows one chart of the grid or one guest alone. If it is already alone, shows all
  /// charts again.
  void toggleAlone(ChartView& view);
  /// The same for a chart by its number from 0; guests come after the grid's own charts.
  /// Does nothing if no chart has this number.
  void toggleAlone(int chart);
  void showAll();

  /// The chart of this class. Null when there is none.
  template <typename Chart>
  Chart* chart() const {
    return findChild<Chart*>();
  }

 public Q_SLOTS:
  void resetSizes();

 private:
  void add(QSplitter& row, ChartView* view, const QString& purpose);

  struct Cell {
    ChartView* view;
    QString purpose;
  };

  /// The place to which a guest returns from the grid.
  struct Home {
    QSplitter* splitter = nullptr;
    int index = 0;
    QList<int> sizes = {};
  };
  void takeIn(ChartView& guest);
  void sendHome();

  QList<Cell> m_cells;
  QList<ChartView*> m_guests;
  ChartView* m_alone = nullptr;  ///< the others are hidden; null: all are visible
  Home m_home;                   ///< of m_alone, if it is a guest
  QSplitter* m_rows;
  QSplitter* m_upper;
  QSplitter* m_lower;
};

}  // namespace equipatch
