// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSplitter>
#include <QWidget>

#include "ui/chart/chart_view.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The charts of the window's centre, in two rows with movable borders.
class ChartGrid final : public QWidget {
  Q_OBJECT

 public:
  ChartGrid(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  /// Sets the text that charts without data show below a sentence on their purpose.
  void setEmptyText(const QString& text);
  /// Adds a guest: a chart in a splitter elsewhere in the window. The guest is moved into
  /// the grid while it is shown alone.
  void addGuest(ChartView& view);
  /// Sets, and keeps in the settings, whether each chart says in words what it shows.
  void setExplained(bool explained);
  bool isExplained() const;
  void save();  ///< shows all charts, then saves their borders
  void restore();

  /// Shows a chart of the grid, or a guest, alone; if it is alone already, shows all.
  void toggleAlone(ChartView& view);
  /// @param chart number from 0; guests come after the grid's own charts, and larger
  /// numbers are ignored
  void toggleAlone(int chart);
  void showAll();

  /// Null if the grid has no chart of this class.
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
  ChartView* m_alone = nullptr;  ///< null: all charts are visible
  Home m_home;                   ///< of m_alone, if it is a guest
  QSplitter* m_rows;
  QSplitter* m_upper;
  QSplitter* m_lower;
};

}  // namespace equipatch
