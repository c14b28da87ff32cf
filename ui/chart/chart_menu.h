// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QObject>

namespace equipatch {

class ChartView;

/// The context menu of a chart, by right click or the menu key: copies its picture or
/// numbers, exports it, shows it alone or as a table, locks and resets the axes.
class ChartMenu final : public QObject {
  Q_OBJECT

 public:
  /// @param view owns this.
  explicit ChartMenu(ChartView& view);

  /// Adds the entries; none while the chart has no data.
  void fill(QMenu& menu);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void copyNumbers() const;

  ChartView& m_view;
};

}  // namespace equipatch
