// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_tokens.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/prompt/token_display.h"

namespace equipatch {

void PromptTokenModel::tokensChanged(std::string text) {
  beginResetModel();
  m_text = std::move(text);
  m_rows = int(m_marks.tokens().size());
  endResetModel();
}

void PromptTokenModel::marksChanged() {
  if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
}

int PromptTokenModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

QVariant PromptTokenModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_rows) return {};
  const Token& token = m_marks.tokens()[std::size_t(index.row())];
  const bool kept = m_marks.keeps(index.row());
  const QString text = visibleToken(token, m_text);
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case KeptRole:
      return kept;
    case SpecialRole:
      return token.special;
    case Qt::ToolTipRole:
      return tr("token %1: %2, id %3\n%4")
          .arg(index.row())
          .arg(text)
          .arg(token.id.value)
          .arg(kept ? tr("kept: the patched pass still sees it")
                    : tr("absorbed: the patch stands for it"));
    case Qt::AccessibleTextRole:
      return tr("token %1: %2, %3")
          .arg(index.row())
          .arg(text, kept ? tr("kept") : tr("absorbed"));
    default:
      return {};
  }
}

namespace {

constexpr int kAcross = 4;  // room left and right of a token's text, pixels
constexpr int kBelow = 6;   // and under it, for the bracket
constexpr int kRows = 3;    // shown without scrolling

bool keptAt(const QModelIndex& index, int offset) {
  return index.siblingAtRow(index.row() + offset)
      .data(PromptTokenModel::KeptRole)
      .toBool();
}

BracketEnds endsAt(const QModelIndex& index) {
  return bracketEnds(!keptAt(index, -1), !keptAt(index, 1));
}

}  // namespace

PromptTokenDelegate::PromptTokenDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme) {}

void PromptTokenDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
  const Colours& c = m_theme.colours();
  const bool selected = option.state & QStyle::State_Selected;
  const bool special = index.data(PromptTokenModel::SpecialRole).toBool();
  const QRect chip = option.rect.adjusted(0, 0, 0, -kBelow + 1);
  painter->save();
  painter->fillRect(chip, selected               ? c.accent
                          : special              ? c.raised
                          : index.row() % 2 != 0 ? c.tokenB
                                                 : c.tokenA);
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(c.text, 1.0));
    painter->drawRect(chip.adjusted(0, 0, -1, -1));
  }
  QFont font = option.font;
  font.setItalic(special);
  painter->setFont(font);
  painter->setPen(selected ? c.accentText : c.text);
  painter->drawText(chip, Qt::AlignCenter, index.data().toString());
  if (index.data(PromptTokenModel::KeptRole).toBool())
    drawKeptBracket(*painter, option.rect, endsAt(index), c.kept);
  painter->restore();
}

QSize PromptTokenDelegate::sizeHint(const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  const int width = option.fontMetrics.horizontalAdvance(index.data().toString());
  return {std::max(width, 6) + 2 * kAcross, option.fontMetrics.height() + kBelow + 1};
}

PromptTokens::PromptTokens(PromptTokenModel& model, const Theme& theme, QWidget* parent)
    : QListView(parent) {
  setObjectName(QStringLiteral("promptTokens"));
  setAccessibleName(tr("Tokens of the prompt, and which of them are kept"));
  setModel(&model);
  setItemDelegate(new PromptTokenDelegate(theme, this));
  setFlow(QListView::LeftToRight);
  setWrapping(true);
  setResizeMode(QListView::Adjust);
  setLayoutMode(QListView::Batched);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setSelectionRectVisible(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setTabKeyNavigation(false);
  connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

QList<int> PromptTokens::chosen() const {
  QList<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedIndexes())
    rows << index.row();
  std::sort(rows.begin(), rows.end());
  return rows;
}

void PromptTokens::choose(int first, int last) {
  if (first > last) return clearSelection();
  const QItemSelection wanted(model()->index(first, 0), model()->index(last, 0));
  selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect);
  scrollTo(model()->index(first, 0));
}

QSize PromptTokens::sizeHint() const {
  return {200, kRows * (fontMetrics().height() + kBelow + 1) + 2 * frameWidth() + 2};
}

void PromptTokens::selectionChanged(const QItemSelection& selected,
                                    const QItemSelection& deselected) {
  QListView::selectionChanged(selected, deselected);
  Q_EMIT chosenChanged();
}

}  // namespace equipatch
