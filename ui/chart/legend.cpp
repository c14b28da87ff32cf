// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/legend.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "ui/chart/meaning.h"
#include "ui/chart/small_widgets.h"
#include "ui/chart/text_lines.h"

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
  qsizetype first = 0;  // of the current row
  const auto centreRow = [&] {
    for (; first < places.size(); ++first)
      places[first].translate(0, (rowHeight - places[first].height()) / 2);
  };
  for (const QSize& size : sizes) {
    if (x > 0 && x + size.width() > width) {
      centreRow();
      x = 0;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    places.append(QRect(QPoint(x, y), size));
    x += size.width() + gap;
    rowHeight = std::max(rowHeight, size.height());
  }
  centreRow();
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
  for (const QLayoutItem* item : shown()) {
    const QSize wanted = item->sizeHint();
    sizes.append({std::min(width, wanted.width()), wanted.height()});
  }
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
  size.setWidth(0);  // a wide item is cut instead of widening the window
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QList<QLayoutItem*> items = shown();
  const QList<QRect> all = places(rect.width());
  for (qsizetype i = 0; i < items.size(); ++i)
    items[i]->setGeometry(all[i].translated(rect.topLeft()));
}

Legend::Legend(QWidget* parent) : QWidget(parent) {
  new FlowLayout(this);
  // Not Minimum: the size hint assumes a small width, so its height is too large.
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

QToolButton* Legend::makeButton(const SeriesStyle& style, const Colours& colours) {
  auto* button = new QToolButton(this);
  button->setIcon(swatchOf(style, colours));
  button->setIconSize(swatchSize());
  button->setText(withAmpersands(style.name));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  return button;
}

void Legend::setRemark(const std::optional<SeriesStyle>& style, const Colours& colours) {
  if (style.has_value() == (m_remark != nullptr)) return;
  delete std::exchange(m_remark, nullptr);
  if (!style) return;
  m_remarkStyle = *style;
  m_remark = makeButton(*style, colours);
  m_remark->setObjectName(QStringLiteral("legendRemark"));
  m_remark->setToolTip(
      tr("Values that are exactly 0, drawn at the edge because they have no logarithm"));
  m_remark->setFocusPolicy(Qt::NoFocus);
  layout()->addWidget(m_remark);
  fit();
}

int Legend::add(const SeriesStyle& style, const Colours& colours) {
  QToolButton* button = makeButton(style, colours);
  button->setObjectName(QStringLiteral("legendEntry"));
  button->setAccessibleName(tr("Show %1").arg(style.name));
  const QString meaning = style.isRun ? QString() : meaningOf(style.name);
  button->setToolTip(plainToolTip(
      tr("%1\nClick to show or hide it.")
          .arg(meaning.isEmpty() ? style.name
                                 : style.name + QStringLiteral(": ") + meaning)));
  button->setCheckable(true);
  button->setChecked(true);
  button->setFocusPolicy(count() == 0 ? Qt::TabFocus : Qt::NoFocus);
  button->installEventFilter(this);
  layout()->addWidget(button);
  const int index = count();
  connect(button, &QToolButton::toggled, this,
          [this, index](bool on) { Q_EMIT toggled(index, on); });
  m_entries.append({button, style});
  fit();
  return index;
}

QSize Legend::swatchSize() const {
  constexpr double kWidth = 1.25, kHeight = 0.75;  // of a line of text
  return (QSizeF(kWidth, kHeight) * fontMetrics().height()).toSize();
}

/// Elides names so that no button is wider than the legend.
void Legend::fit() {
  constexpr int kBeside = 16;  // pixels of frame and space beside swatch and name
  const double room = width() - swatchSize().width() - kBeside;
  QStringList names;
  for (const Entry& entry : m_entries) names << entry.style.name;
  names = elidedApart(names, fontMetrics(), QList<double>(names.size(), room));
  for (int i = 0; i < count(); ++i)
    m_entries[i].button->setText(withAmpersands(names[i]));
  if (m_remark)
    m_remark->setText(
        fontMetrics().elidedText(m_remarkStyle.name, Qt::ElideMiddle, int(room)));
}

void Legend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) fit();
}

bool Legend::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<const QKeyEvent*>(event)->key();
  const bool back = key == Qt::Key_Left || key == Qt::Key_Up;
  const bool forward = key == Qt::Key_Right || key == Qt::Key_Down;
  const auto at = std::ranges::find(m_entries, watched, &Entry::button);
  if ((!back && !forward) || at == m_entries.end())
    return QWidget::eventFilter(watched, event);
  moveFocusTo(
      std::clamp(int(at - m_entries.begin()) + (forward ? 1 : -1), 0, count() - 1));
  return true;
}

/// Gives an entry the focus and makes it the legend's only tab stop.
void Legend::moveFocusTo(int index) {
  QWidget* const before = tabStop();
  QWidget* const now = m_entries[index].button;
  now->setFocusPolicy(Qt::TabFocus);
  if (before != now) {
    setTabOrder(before, now);  // Tab continues from this entry
    before->setFocusPolicy(Qt::NoFocus);
  }
  now->setFocus(Qt::TabFocusReason);
}

QWidget* Legend::tabStop() const {
  const auto reached = [](const Entry& entry) {
    return entry.button->focusPolicy() != Qt::NoFocus;
  };
  const auto at = std::ranges::find_if(m_entries, reached);
  return at == m_entries.end() ? nullptr : at->button;
}

void Legend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  for (const Entry& entry : m_entries) entry.button->setIconSize(swatchSize());
  if (m_remark) m_remark->setIconSize(swatchSize());
  fit();
}

void Legend::clear() {
  for (const Entry& entry : m_entries) delete entry.button;
  m_entries.clear();
  delete std::exchange(m_remark, nullptr);
}

void Legend::restyle(const Colours& colours) {
  for (const Entry& entry : m_entries)
    entry.button->setIcon(swatchOf(entry.style, colours));
  if (m_remark) m_remark->setIcon(swatchOf(m_remarkStyle, colours));
}

LegendArea::LegendArea(Legend* legend, QWidget* parent)
    : QScrollArea(parent), m_legend(legend) {
  setObjectName(QStringLiteral("legendArea"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  setWidgetResizable(true);
  setWidget(legend);
  legend->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (now && m_legend->isAncestorOf(now)) ensureWidgetVisible(now, 0, 0);
  });
}

QSize LegendArea::sizeHint() const {
  return {0, m_legend->layout()->heightForWidth(width())};
}

QSize LegendArea::minimumSizeHint() const {
  return {0, m_legend->layout()->minimumSize().height()};
}

void LegendArea::setChartHeight(int height) {
  m_chartHeight = height;
  limitHeight();
}

/// Shows whole rows only, because a row cut in half cannot be read.
void LegendArea::limitHeight() {
  constexpr double kShare = 0.24;
  const int row = std::max(1, minimumSizeHint().height()) + kItemGap;
  const int rows = (int(m_chartHeight * kShare) + kItemGap) / row;
  setMaximumHeight(std::max(1, rows) * row - kItemGap);
}

void LegendArea::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

bool LegendArea::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_legend && event->type() == QEvent::LayoutRequest) {
    limitHeight();
    updateGeometry();
  }
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace equipatch
