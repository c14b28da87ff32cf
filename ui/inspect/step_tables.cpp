// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/step_tables.h"

#include <QGridLayout>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/chart/meaning.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/prompt/token_display.h"

namespace equipatch {
namespace {

constexpr int kChoiceMargin = 4;
constexpr int kBarHeight = 3;
constexpr int kMostSmaller = 2;    // pixels by which numbers may be smaller
constexpr int kFewestLetters = 6;  // of a token beside its number

/// True for a sampled token that is not among the pass's most likely ones.
bool isUnlikely(const Choice& choice) {
  return std::isnan(choice.logit);
}

QString numbersOf(const Choice& choice) {
  if (isUnlikely(choice))
    return ChoiceModel::tr("sampled; less likely than the tokens above");
  const QString more = ChoiceModel::tr(
      "Enter or double click: a new run continues from here with this token");
  if (std::isnan(choice.probability))
    return ChoiceModel::tr(
               "no probability, because the pass has logits that are not finite") +
           QStringLiteral("\n\n") + more;
  return ChoiceModel::tr("logit %1\nprobability %2, at temperature 1\n\n%3")
      .arg(QString::number(choice.logit, 'f', 5), percentText(choice.probability), more);
}

QColor colourOf(int column, const Colours& colours) {
  if (column == ChoiceModel::Bare || column == ChoiceModel::Ablated) return colours.bare;
  if (column == ChoiceModel::AtStrength) return colours.accent;
  return column == ChoiceModel::Patched ? colours.patched : colours.distribution;
}

}  // namespace

QFont smallerFont(const QFont& font, int byPixels) {
  QFont small = font;
  if (byPixels > 0) small.setPixelSize(QFontInfo(small).pixelSize() - byPixels);
  return small;
}

void ChoiceModel::setStep(const StepRecord* record) {
  beginResetModel();
  m_choices[Contextual] = record ? record->contextual : Choices{};
  m_choices[Patched] = record ? record->patched : Choices{};
  m_choices[Bare] = record ? record->bare : Choices{};
  m_choices[Ablated] = record ? record->ablated : Choices{};
  for (auto& sampled : m_sampled) sampled.reset();
  if (record && record->sampledMatch) {
    addSampled(Contextual, record->token, record->tokenText);
    addSampled(Patched, record->patchedToken, record->patchedText);
  }
  endResetModel();
}

void ChoiceModel::addSampled(Column pass, TokenId id, const std::string& text) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  m_sampled[pass] = id;
  if (std::ranges::find(m_choices[pass], id, &Choice::id) == m_choices[pass].end())
    m_choices[pass].push_back({id, text, kUnknown, kUnknown});
}

void ChoiceModel::setAtStrength(const Choices& choices, const QString& heading) {
  // A reset loses the current cell. While the slider moves, only the texts change, so no
  // reset is needed.
  const bool sameShape = m_choices[AtStrength].size() == choices.size();
  if (!sameShape) beginResetModel();
  m_choices[AtStrength] = choices;
  m_strengthHeading = heading;
  if (!sameShape) return endResetModel();
  if (choices.empty()) return;
  const int column = columnCount() - 1;
  Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column));
  Q_EMIT headerDataChanged(Qt::Horizontal, column, column);
}

void ChoiceModel::setBrief(bool brief) {
  if (brief == m_brief) return;
  m_brief = brief;
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

QString ChoiceModel::headingOf(Column column) const {
  switch (column) {
    case Contextual:
      return tr("contextual");
    case Patched:
      return tr("patched");
    case Bare:
      return tr("bare");
    case Ablated:
      return tr("ablated");
    case AtStrength:
      break;
  }
  return m_strengthHeading;
}

int ChoiceModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  std::size_t rows = 0;
  for (const Choices& choices : m_choices) rows = std::max(rows, choices.size());
  return int(rows);
}

int ChoiceModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  int count = 0;
  for (int column = 0; column < kColumns; ++column) count += isShown(Column(column));
  return count;
}

ChoiceModel::Column ChoiceModel::columnAt(int section) const {
  int column = 0;
  for (int shown = -1; column < kColumns; ++column) {
    shown += isShown(Column(column));
    if (shown == section) break;
  }
  return Column(column);
}

const Choice* ChoiceModel::choice(int row, Column column) const {
  const Choices& choices = m_choices[column];
  return std::size_t(row) < choices.size() ? &choices[std::size_t(row)] : nullptr;
}

const Choice* ChoiceModel::choice(const QModelIndex& index) const {
  return index.isValid() ? choice(index.row(), columnAt(index.column())) : nullptr;
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const {
  const Choice* found = choice(index);
  if (!found) return {};
  const QString token = visibleToken(*found);
  switch (role) {
    case Qt::DisplayRole:
      return token;
    case ProbabilityRole:
      return found->probability;
    case PassRole:
      return columnAt(index.column());
    case DiffersRole: {
      const Choice* reference = choice(index.row(), Contextual);
      return !reference || reference->id != found->id;
    }
    case SampledRole:
      return m_sampled[columnAt(index.column())] == found->id;
    case Qt::ToolTipRole:
      return plainToolTip(
          tr("%1, id %2\n%3")
              .arg(token, QString::number(found->id.value), numbersOf(*found)));
    case Qt::AccessibleTextRole:
      if (isUnlikely(*found)) return tr("%1, sampled").arg(token);
      return tr("%1, %2").arg(token, percentText(found->probability));
    default:
      return {};
  }
}

QVariant ChoiceModel::headerData(int section, Qt::Orientation orientation,
                                 int role) const {
  if (role == Qt::ToolTipRole && orientation == Qt::Horizontal)
    return tr("%1\n\nProbabilities are at temperature 1, also in a run that "
              "samples.\nItalics: the contextual pass has another token at this "
              "rank.\nBold: "
              "the sampled token.\n✗: the most likely tokens differ.")
        .arg(meaningOf(headerData(section, orientation, Qt::DisplayRole).toString()))
        .trimmed();
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  const QString heading = headingOf(columnAt(section));
  return m_brief ? heading : tr("%1, %").arg(heading);
}

ChoiceDelegate::ChoiceDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme) {}

int ChoiceDelegate::rowHeight(const QFontMetrics& metrics) {
  return metrics.height() + kBarHeight + 5;
}

int ChoiceDelegate::leastWidth(const QFontMetrics& metrics) {
  const int number = metrics.horizontalAdvance(shortPercentText(0.9999));
  return number + kFewestLetters * metrics.averageCharWidth() + 3 * kChoiceMargin;
}

QRectF ChoiceDelegate::bar(const QRectF& cell, double probability) {
  const double full = cell.width() - 2 * kChoiceMargin;
  return {cell.left() + kChoiceMargin, cell.bottom() - kBarHeight - 1,
          full * std::clamp(probability, 0.0, 1.0), kBarHeight};
}

void ChoiceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  const QVariant probability = index.data(ChoiceModel::ProbabilityRole);
  if (!probability.isValid()) return;
  const Colours& c = m_theme.colours();
  painter->save();
  if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, c.raised);
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(c.accent, 1.0));
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
  }
  painter->setFont(option.font);
  const int pass = index.data(ChoiceModel::PassRole).toInt();
  const bool known = !std::isnan(probability.toDouble());
  if (known)
    painter->fillRect(bar(option.rect, probability.toDouble()), colourOf(pass, c));
  const QRect text = option.rect.adjusted(kChoiceMargin, 0, -kChoiceMargin, -kBarHeight);
  const bool differs = index.data(ChoiceModel::DiffersRole).toBool();
  const bool isPatched = pass == ChoiceModel::Patched || pass == ChoiceModel::AtStrength;
  const bool mismatch = differs && index.row() == 0 && isPatched;
  QString token = index.data(Qt::DisplayRole).toString();
  if (mismatch) token.prepend(QStringLiteral("✗ "));
  QFont font = option.font;
  font.setItalic(differs);
  const bool sampled = index.data(ChoiceModel::SampledRole).toBool();
  font.setBold(sampled);
  const QFontMetrics metrics(font);
  QString percent =
      !known && sampled ? tr("sampled") : shortPercentText(probability.toDouble());
  const auto room = [&] {
    return text.width() - option.fontMetrics.horizontalAdvance(percent) - kChoiceMargin;
  };
  // The token is shortened, not the number: a cell without a number would look as if the
  // pass had no probability. Bold type makes the word "sampled" dispensable.
  if (!known && metrics.horizontalAdvance(token) > room()) percent.clear();
  painter->setPen(c.muted);
  painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, percent);
  painter->setPen(mismatch ? c.mismatch : c.text);
  painter->setFont(font);
  painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                    metrics.elidedText(token, Qt::ElideRight, room()));
  painter->restore();
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex&) const {
  return {80, rowHeight(option.fontMetrics)};
}

NumberGrid::NumberGrid(QWidget* parent)
    : QWidget(parent), m_layout(new QGridLayout(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setHorizontalSpacing(4);
  m_layout->setVerticalSpacing(2);
}

QLabel* NumberGrid::label(int row, int column) {
  if (QLayoutItem* item = m_layout->itemAtPosition(row, column))
    return static_cast<QLabel*>(item->widget());
  auto* made = new QLabel(this);
  made->setTextFormat(Qt::PlainText);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  made->setFocusPolicy(Qt::ClickFocus);
  if (column == 0) made->setObjectName(QStringLiteral("muted"));
  made->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  m_layout->addWidget(made, row, column);
  return made;
}

void NumberGrid::setRows(const QList<QStringList>& rows) {
  m_rows = int(rows.size());
  for (int row = 0; row < std::max(m_rows, m_layout->rowCount()); ++row) {
    const QStringList texts = rows.value(row);
    for (int column = 0; column < std::max(int(texts.size()), m_layout->columnCount());
         ++column) {
      if (column >= texts.size() && !m_layout->itemAtPosition(row, column)) continue;
      QLabel* cell = label(row, column);
      cell->setText(texts.value(column));
      cell->setWordWrap(column > 0 &&
                        texts.value(column).contains(u','));  // words or a list
      if (column == 0 || row == 0) cell->setToolTip(meaningOf(texts.value(column)));
      cell->setVisible(column < texts.size());
    }
  }
  updateGeometry();
  fit();
}

/// The width that all texts except wrapped ones need.
int NumberGrid::widthIn(const QFont& font) const {
  const QFontMetrics metrics(font);
  int width = 0;
  for (int column = 0; column < m_layout->columnCount(); ++column) {
    int widest = 0;
    for (int row = 0; row < m_rows; ++row) {
      QLayoutItem* item = m_layout->itemAtPosition(row, column);
      const auto* cell = item ? static_cast<QLabel*>(item->widget()) : nullptr;
      if (cell && !cell->wordWrap())
        widest = std::max(widest, metrics.size(0, cell->text()).width());
    }
    width += widest + (column > 0 ? m_layout->horizontalSpacing() : 0);
  }
  return width;
}

QSize NumberGrid::minimumSizeHint() const {
  return {widthIn(smallerFont(font(), kMostSmaller)),
          QWidget::minimumSizeHint().height()};
}

void NumberGrid::fit() {
  int by = 0;
  while (by < kMostSmaller && widthIn(smallerFont(font(), by)) > width()) ++by;
  const QFont fitting = smallerFont(font(), by);
  for (auto* cell : findChildren<QLabel*>())
    if (cell->font() != fitting) cell->setFont(fitting);
}

void NumberGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void NumberGrid::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit();
}

QString NumberGrid::text(int row, int column) const {
  QLayoutItem* item = m_layout->itemAtPosition(row, column);
  return item ? static_cast<QLabel*>(item->widget())->text() : QString();
}

}  // namespace equipatch
