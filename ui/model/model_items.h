#pragma once

#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include "core/run/model_list.h"

namespace equipatch {

/// The picker's entries: headings, models and, last, "Browse…". What is shown of a model
/// is text; which folder it is and how it is drawn are roles.
namespace model_items {

enum Role {
  KindRole = Qt::UserRole,  ///< a Kind
  FactsRole,                ///< second line: architecture, size
  NeedRole,                 ///< right of the first line: memory
  BadgeRole,                ///< right of the second line: parity
  WarnRole,                 ///< true: the need is more than is free
  UsedRole,  ///< the folder of one that is listed because it was used; else empty
};

enum class Kind { Heading, Model, Browse };

/// Replaces all rows. `list` may be null: nothing but "Browse…" is there then.
void fill(QStandardItemModel& items, const ModelList* list);

QString dtypeText(DType dtype);  ///< "bfloat16"

/// What the model takes in a dtype: "float32: 4.1 GB", a line each, and what is free.
QString memoryText(const std::vector<MemoryEstimate>& needs,
                   std::optional<std::int64_t> freeBytes);

}  // namespace model_items

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
