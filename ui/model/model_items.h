// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "core/run/model_list.h"

namespace equipatch {

/// The entries of the model picker. The text of a model's item is `ModelEntry::name`;
/// roles hold the rest.
namespace model_items {

enum Role {
  KindRole = Qt::UserRole,  ///< a Kind
  FactsRole,                ///< left of the second line: architecture, size, dtype
  NeedRole,                 ///< right of the first line: memory
  BadgeRole,                ///< right of the second line: parity, or what is wrong
  UsedRole,                 ///< folder of a model of ModelOrigin::Used; otherwise empty
};

enum class Kind { Heading, Model, Browse };

/// Replaces all rows. Without a list, "Browse…" is the only row.
void fill(QStandardItemModel& items, const ModelList* list);

QString dtypeText(DType dtype);  ///< "bfloat16"

/// A line for each dtype ("float32: 4.1 GB"), and a line for the free memory if known.
QString memoryText(const std::vector<MemoryEstimate>& needs,
                   std::optional<std::int64_t> freeBytes);

}  // namespace model_items

/// Paints a model in two lines, as described at Role.
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
