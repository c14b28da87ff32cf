#pragma once

#include <QStyledItemDelegate>

namespace equipatch {

/// Paints the picker's entries in two lines: name and memory; facts and parity. Headings
/// are small and muted. All colours are the palette's.
class ModelDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit ModelDelegate(QObject* parent = nullptr) : QStyledItemDelegate(parent) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
};

}  // namespace equipatch
