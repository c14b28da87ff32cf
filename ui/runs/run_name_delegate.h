// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QStringList>
#include <QStyledItemDelegate>

namespace equipatch {

/// Shows a run's name on at most three lines. A longer name loses words that other runs'
/// names share; if it is still too long, it is cut.
class RunNameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option,
                       const QModelIndex& index) const override;

 private:
  // Cache: the lines of all names, made for these names, this width and this font.
  mutable QList<QStringList> m_lines;
  mutable QStringList m_names;
  mutable int m_width = 0;
  mutable QFont m_font;
};

}  // namespace equipatch
