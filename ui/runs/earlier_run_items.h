// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QPixmap>
#include <QTreeWidgetItem>
#include <vector>

#include "core/record/run_catalogue.h"
#include "ui/chart/theme.h"

namespace equipatch {

inline constexpr QSize kOutlineSize(72, 24);  ///< device-independent pixels

/// The user's name for the run, else its settings, else the file's name.
QString nameOf(const CatalogueRun& run);
/// `nameOf` the run, followed by its settings if the user named the run.
QString rowTextOf(const CatalogueRun& run);
/// In local time; invalid if unknown.
QDateTime startOf(const CatalogueRun& run);

/// A row of the tree of earlier runs. Rows sort by the cells' values, or by their texts
/// if a cell has no value.
class EarlierRunItem final : public QTreeWidgetItem {
 public:
  enum Column { Run, Model, Prompt, Steps, Equal, Linf, Started, Tags };

  using QTreeWidgetItem::QTreeWidgetItem;
  bool operator<(const QTreeWidgetItem& other) const override;
};

/// Makes a sort by `column` use the start of `run` instead of the group's text. A run
/// whose start is unknown counts as the earliest.
void sortByStart(EarlierRunItem& group, int column, const CatalogueRun& run);

/// Qt::UserRole of column 0 gets the run's file.
void fillRunItem(QTreeWidgetItem& item, const CatalogueRun& run, const Colours& colours,
                 qreal devicePixelRatio);

/// A line chart of L∞ on a logarithmic axis, with a vertical line in the colour of
/// mismatches at each value that is not finite. @param linf as `linfOutline`
QPixmap outlinePicture(const std::vector<double>& linf, const Colours& colours,
                       const QSize& size, qreal devicePixelRatio);

}  // namespace equipatch
