#include "ui/chart/flow_layout.h"

#include <algorithm>

namespace equipatch {
namespace {
constexpr int kItemGap = 2;
}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
  qDeleteAll(m_items);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

QList<QRect> FlowLayout::arrange(const QList<QSize>& sizes, int width, int gap) {
  QList<QRect> places;
  int x = 0;
  int y = 0;
  int rowHeight = 0;
  for (const QSize& size : sizes) {
    if (x > 0 && x + size.width() > width) {
      x = 0;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    places.append(QRect(QPoint(x, y), size));
    x += size.width() + gap;
    rowHeight = std::max(rowHeight, size.height());
  }
  return places;
}

QList<QLayoutItem*> FlowLayout::shown() const {
  QList<QLayoutItem*> items;
  for (QLayoutItem* item : m_items)
    if (!item->isEmpty()) items.append(item);
  return items;
}

QList<QRect> FlowLayout::places(int width) const {
  QList<QSize> sizes;
  for (const QLayoutItem* item : shown()) sizes.append(item->sizeHint());
  return arrange(sizes, width, kItemGap);
}

int FlowLayout::heightForWidth(int width) const {
  int bottom = 0;
  for (const QRect& place : places(width)) bottom = std::max(bottom, place.bottom() + 1);
  return bottom;
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : shown()) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QList<QLayoutItem*> items = shown();
  const QList<QRect> all = places(rect.width());
  for (qsizetype i = 0; i < items.size(); ++i)
    items[i]->setGeometry(all[i].translated(rect.topLeft()));
}

}  // namespace equipatch
