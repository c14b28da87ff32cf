#pragma once

#include <QFontMetrics>
#include <QRectF>
#include <QStyledItemDelegate>

#include "ui/chart/theme.h"

namespace equipatch {

/// Draws a candidate: its token, its probability in percent and as a bar under them; in
/// italics where the contextual pass has another at that rank, with ✗ at a mismatch.
class ChoiceDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ChoiceDelegate(const Theme& theme, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;

  static int rowHeight(const QFontMetrics& metrics);
  /// The bar of a probability in a cell.
  static QRectF bar(const QRectF& cell, double probability);

 private:
  const Theme& m_theme;
};

}  // namespace equipatch
