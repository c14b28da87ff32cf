// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "core/run/model_list.h"

namespace equipatch {

/// The picker's entries: headings, models and, last, "Browse…". The text of an item is
/// the model's name, or the folder of a model without a name; roles hold the rest.
namespace model_items {

enum Role {
  KindRole = Qt::UserRole,  ///< a Kind
  FactsRole,                ///< left of the second line: architecture, size, dtype
  NeedRole,                 ///< right of the first line: memory
  BadgeRole,                ///< right of the second line: parity, or what is wrong
  UsedRole,  ///< folder of a model that is listed because it was used before; else empty
};

enum class Kind { Heading, Model, Browse };

/// Replaces all rows. Without a list, "Browse…" is the only one.
void fill(QStandardItemModel& items, const ModelList* list);

QString dtypeText(DType dtype);  ///< "bfloat16"

/// Memory that the model needs, a line for each dtype ("float32: 4.1 GB"), and free
/// memory.
QString memoryText(const std::vector<MemoryEstimate>& needs,
                   std::optional<std::int64_t> freeBytes);

}  // namespace model_items

/// Paints a model in two lines: name and memory; facts and parity. Headings are small and
/// bold. All colours are the palette's.
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
