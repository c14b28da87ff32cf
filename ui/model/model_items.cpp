// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_items.h"

#include <QPainter>
#include <QStringList>

#include "core/base/number_format.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"

namespace equipatch::model_items {
namespace {

QString headingOf(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::Bundled:
      return tr("With the program");
    case ModelOrigin::HubCache:
      return tr("Hugging Face cache");
    case ModelOrigin::OtherProgram:
      return tr("LM Studio, text-generation-webui");
    case ModelOrigin::Used:
      return tr("Used before");
    case ModelOrigin::Given:
      break;
  }
  return tr("Folders");
}

QString bytes(std::int64_t count) {
  return QString::fromStdString(bytesText(count));
}

QString factsOf(const ModelEntry& entry) {
  QStringList facts;
  if (!entry.architecture.empty()) facts << QString::fromStdString(entry.architecture);
  if (entry.parameters > 0) facts << QString::fromStdString(metricText(entry.parameters));
  if (entry.dtype) facts << dtypeText(*entry.dtype);
  if (entry.bytes > 0) facts << bytes(std::int64_t(entry.bytes));
  if (entry.loadable() && !entry.hasTokenizer) facts << tr("no tokenizer");
  return facts.join(QStringLiteral(" · "));
}

/// The estimate for the dtype of most stored elements, whatever dtype the user chose;
/// otherwise the first estimate.
const MemoryEstimate* needOf(const ModelEntry& entry) {
  for (const MemoryEstimate& need : entry.needs)
    if (entry.dtype == need.dtype) return &need;
  return entry.needs.empty() ? nullptr : &entry.needs.front();
}

QString badgeOf(const ListedModel& model) {
  if (!model.entry.missing.empty()) return tr("✗ incomplete");
  if (!model.entry.supported) return tr("✗ not supported");
  if (!model.entry.loadable()) return tr("✗ cannot be read");
  if (model.parity.state == ParityState::Unknown) return tr("checking…");
  return messageText(model.parity.text);
}

QString tipOf(const ListedModel& model, std::optional<std::int64_t> freeBytes) {
  const ModelEntry& entry = model.entry;
  const QString folder = QString::fromStdString(entry.folder.string());
  QStringList lines{folder};
  if (!entry.loadable())
    lines << QString::fromStdString(entry.problem)
                 .remove(folder + u'/')
                 .remove(folder + QStringLiteral(": "));
  for (const std::string& name : entry.missing)
    lines << tr("missing: %1").arg(QString::fromStdString(name));
  if (entry.loadable()) lines << memoryText(entry.needs, freeBytes);
  if (!model.parity.problem.empty())
    lines << QString::fromStdString(model.parity.problem);
  if (model.origin == ModelOrigin::Used)
    lines << tr("Press Delete to remove it from this list.");
  return plainToolTip(lines.join(u'\n'));
}

QStandardItem* makeHeading(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setFlags(Qt::NoItemFlags);
  item->setData(int(Kind::Heading), KindRole);
  return item;
}

QStandardItem* makeModel(const ListedModel& model,
                         std::optional<std::int64_t> freeBytes) {
  const ModelEntry& entry = model.entry;
  auto* item = new QStandardItem(QString::fromStdString(entry.name));
  item->setFlags(entry.loadable() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                  : Qt::NoItemFlags);
  item->setData(int(Kind::Model), KindRole);
  item->setData(factsOf(entry), FactsRole);
  item->setData(badgeOf(model), BadgeRole);
  if (const MemoryEstimate* need = needOf(entry)) {
    const bool tooMuch = freeBytes && need->total() > *freeBytes;
    item->setData((tooMuch ? tr("✗ needs %1") : tr("needs %1")).arg(bytes(need->total())),
                  NeedRole);
  }
  if (model.origin == ModelOrigin::Used)
    item->setData(QString::fromStdString(entry.folder.string()), UsedRole);
  item->setToolTip(tipOf(model, freeBytes));
  item->setData(item->text() + QStringLiteral(", ") + factsOf(entry) +
                    QStringLiteral(", ") + item->data(NeedRole).toString() +
                    QStringLiteral(", ") + badgeOf(model),
                Qt::AccessibleTextRole);
  return item;
}

}  // namespace

QString dtypeText(DType dtype) {
  const std::string_view name = torchName(dtype);
  return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

QString memoryText(const std::vector<MemoryEstimate>& needs,
                   std::optional<std::int64_t> freeBytes) {
  QStringList lines;
  for (const MemoryEstimate& need : needs)
    lines << tr("%1: %2%3")
                 .arg(dtypeText(need.dtype), bytes(need.total()),
                      freeBytes && need.total() > *freeBytes ? tr(", more than is free")
                                                             : QString());
  if (freeBytes) lines << tr("%1 of memory is free").arg(bytes(*freeBytes));
  return lines.join(u'\n');
}

void fill(QStandardItemModel& items, const ModelList* list) {
  items.clear();
  const ListedModel* before = nullptr;
  if (list)
    for (const ListedModel& model : list->models) {
      if (!before || before->origin != model.origin)
        items.appendRow(makeHeading(headingOf(model.origin)));
      items.appendRow(makeModel(model, list->freeBytes));
      before = &model;
    }
  auto* browse = new QStandardItem(tr("Browse…"));
  browse->setData(int(Kind::Browse), KindRole);
  browse->setToolTip(tr("Choose a folder in Hugging Face layout"));
  items.appendRow(browse);
}

}  // namespace equipatch::model_items

namespace equipatch {
namespace {

using model_items::Kind;

constexpr int kEntryMargin = 8;
constexpr int kTextGap = 12;  // between left and right texts
constexpr int kEntryPadding = 4;

Kind kindOf(const QModelIndex& index) {
  return Kind(index.data(model_items::KindRole).toInt());
}

/// Elides the left text if the line is too short.
void drawLine(QPainter& painter, const QRect& line, const QString& left,
              const QString& right) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int rightWidth =
      right.isEmpty() ? 0 : metrics.horizontalAdvance(right) + kTextGap;
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(left, Qt::ElideMiddle, line.width() - rightWidth));
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
}

QFont smaller(QFont font) {
  if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.9);
  return font;
}

}  // namespace

QSize ModelDelegate::sizeHint(const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const int line = option.fontMetrics.height();
  switch (kindOf(index)) {
    case Kind::Heading:
      return {0, line + 2 * kEntryPadding};
    case Kind::Browse:
      return {0, line + 3 * kEntryPadding};
    case Kind::Model:
      break;
  }
  return {0, 2 * line + 2 * kEntryPadding + 2};
}

void ModelDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  painter->save();
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
  const QPalette::ColorGroup group = enabled ? QPalette::Active : QPalette::Disabled;
  const QColor text =
      option.palette.color(group, selected ? QPalette::HighlightedText : QPalette::Text);
  const QColor muted =
      selected || !enabled ? text : option.palette.color(QPalette::PlaceholderText);
  painter->fillRect(option.rect,
                    selected ? option.palette.highlight() : option.palette.base());
  QRect inside =
      option.rect.adjusted(kEntryMargin, kEntryPadding, -kEntryMargin, -kEntryPadding);
  const Kind kind = kindOf(index);
  if (kind == Kind::Heading) {
    QFont font = smaller(option.font);
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(option.palette.color(QPalette::Active, QPalette::Text));
    QRect words;
    painter->drawText(inside, Qt::AlignLeft | Qt::AlignBottom, index.data().toString(),
                      &words);
    painter->setPen(option.palette.color(QPalette::Mid));
    painter->drawLine(words.right() + kTextGap, words.center().y(), inside.right(),
                      words.center().y());
  } else if (kind == Kind::Browse) {
    painter->setPen(option.palette.color(QPalette::Mid));
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    painter->setPen(text);
    drawLine(*painter, inside, index.data().toString(), {});
  } else {
    const QRect first(inside.topLeft(), QSize(inside.width(), inside.height() / 2));
    const QRect second = first.translated(0, inside.height() / 2);
    painter->setFont(option.font);
    painter->setPen(text);
    drawLine(*painter, first, index.data().toString(),
             index.data(model_items::NeedRole).toString());
    painter->setFont(smaller(option.font));
    painter->setPen(muted);
    drawLine(*painter, second, index.data(model_items::FactsRole).toString(),
             index.data(model_items::BadgeRole).toString());
  }
  painter->restore();
}

}  // namespace equipatch
