// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <QStyledItemDelegate>

namespace equipatch {

/// Shows the name of a run on at most three lines, so that a list of long names shows
/// several runs. A longer name loses words that other names have, too, and is then cut.
class RunNameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option,
                       const QModelIndex& index) const override;

 private:
  // A cache: the lines of all names, and the names, width and font they were made for.
  mutable QList<QStringList> m_lines;
  mutable QStringList m_names;
  mutable int m_width = 0;
  mutable QFont m_font;
};

}  // namespace equipatch
