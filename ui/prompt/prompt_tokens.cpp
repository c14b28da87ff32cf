// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_tokens.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/chart/small_widgets.h"
#include "ui/prompt/picture_in_text.h"
#include "ui/prompt/token_display.h"

namespace equipatch {

PromptTokenModel::PromptTokenModel(const AbsorbedMarks& marks, PictureShelf& shelf,
                                   QObject* parent)
    : QAbstractListModel(parent), m_marks(marks), m_shelf(shelf) {
  connect(&shelf, &PictureShelf::decoded, this, &PromptTokenModel::marksChanged);
}

void PromptTokenModel::tokensChanged(std::string text, std::vector<PromptImage> images) {
  beginResetModel();
  m_text = std::move(text);
  m_images = std::move(images);
  m_rows = int(m_marks.tokens().size());
  endResetModel();
}

void PromptTokenModel::marksChanged() {
  if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
}

const PromptImage* PromptTokenModel::imageOf(int token) const {
  const auto holds = [token](const PromptImage& image) {
    return image.tokens.first <= token && token <= image.tokens.last;
  };
  const auto found = std::ranges::find_if(m_images, holds);
  return found == m_images.end() ? nullptr : &*found;
}

std::shared_ptr<const PictureFile> PromptTokenModel::pictureOf(int token) const {
  const PromptImage* image = imageOf(token);
  return image ? image->picture : nullptr;
}

int PromptTokenModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

QVariant PromptTokenModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_rows) return {};
  const Token& token = m_marks.tokens()[std::size_t(index.row())];
  const bool kept = m_marks.keeps(index.row());
  const PromptImage* image = imageOf(index.row());
  const QString text =
      image ? QString::fromStdString(image->picture->name) : visibleToken(token, m_text);
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case KeptRole:
      return kept;
    case SpecialRole:
      return token.special;
    case PictureRole:
      return image ? QVariant::fromValue(
                         PictureChip{m_shelf.thumbnail(image->picture), text})
                   : QVariant();
    case LastTokenRole:
      return image ? int(image->tokens.last) : index.row();
    case Qt::ToolTipRole:
      return plainToolTip(toolTipOf(index.row(), text));
    case Qt::AccessibleTextRole:
      return tr("token %1: %2, %3")
          .arg(QString::number(index.row()), text, kept ? tr("kept") : tr("absorbed"));
    default:
      return {};
  }
}

QString PromptTokenModel::toolTipOf(int token, const QString& text) const {
  const QString fate = m_marks.keeps(token) ? tr("kept: the patched pass still sees it")
                                            : tr("absorbed: the patch replaces it");
  if (const PromptImage* image = imageOf(token))
    return tr("image %1: %2, tokens %3 to %4\n%5\n%6")
        .arg(QString::number(image - m_images.data() + 1), text,
             QString::number(image->tokens.first), QString::number(image->tokens.last),
             fate,
             image->picture->bytes.empty()
                 ? tr("The run file does not contain this image.")
                 : tr("Double-click or press Enter to see it large."));
  return tr("token %1: %2, id %3\n%4")
      .arg(QString::number(token), text,
           QString::number(m_marks.tokens()[std::size_t(token)].id.value), fate);
}

namespace {

constexpr int kAcross = 4;  // room left and right of a token's text, pixels
constexpr int kBelow = 6;   // room under the text, for the bracket
constexpr int kRows = 3;    // rows visible without scrolling

bool keptAt(const QModelIndex& index) {
  return index.data(PromptTokenModel::KeptRole).toBool();
}

/// The ends of the bracket under a chip. An image's chip stands for all its tokens.
BracketEnds endsAt(const QModelIndex& index) {
  const int last = index.data(PromptTokenModel::LastTokenRole).toInt();
  return bracketEnds(!keptAt(index.siblingAtRow(index.row() - 1)),
                     !keptAt(index.siblingAtRow(last + 1)));
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
  const QVariant picture = index.data(PromptTokenModel::PictureRole);
  if (picture.isValid()) {
    const auto shown = picture.value<PictureChip>();
    drawThumbnail(*painter, chip.adjusted(2, 2, -2, -2), shown.image, shown.name, c);
  } else {
    painter->drawText(chip, Qt::AlignCenter, index.data().toString());
  }
  if (index.data(PromptTokenModel::KeptRole).toBool())
    drawKeptBracket(*painter, option.rect, endsAt(index), c.kept);
  painter->restore();
}

QSize PromptTokenDelegate::sizeHint(const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
  const QVariant picture = index.data(PromptTokenModel::PictureRole);
  if (picture.isValid())
    return thumbnailSize(picture.value<PictureChip>().image,
                         kThumbnailLines * option.fontMetrics.height()) +
           QSize(kAcross, kBelow + 1);
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
  for (const PositionRange& image : m_images)
    if (rows.contains(int(image.first)))
      for (auto token = image.first + 1; token <= image.last; ++token) rows << int(token);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void PromptTokens::hideTokensWithinImages(const std::vector<PromptImage>& images) {
  for (const PositionRange& image : m_images)
    for (auto token = image.first + 1; token <= image.last; ++token)
      setRowHidden(int(token), false);
  m_images = imageTokens(images);
  for (const PositionRange& image : m_images)
    for (auto token = image.first + 1; token <= image.last; ++token)
      setRowHidden(int(token), true);
}

/// The first token of the image that the left mouse button hit; −1 for none.
int PromptTokens::pictureAt(const QMouseEvent& event) const {
  const QModelIndex index = indexAt(event.pos());
  const bool isPicture = index.data(PromptTokenModel::PictureRole).isValid();
  return isPicture && event.button() == Qt::LeftButton ? index.row() : -1;
}

void PromptTokens::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!isEnter || !currentIndex().data(PromptTokenModel::PictureRole).isValid())
    return QListView::keyPressEvent(event);
  Q_EMIT pictureEntered(currentIndex().row());
}

void PromptTokens::mousePressEvent(QMouseEvent* event) {
  m_clicked = -1;
  m_pressed = event->modifiers() == Qt::NoModifier ? pictureAt(*event) : -1;
  QListView::mousePressEvent(event);
}

void PromptTokens::mouseReleaseEvent(QMouseEvent* event) {
  const int pressed = std::exchange(m_pressed, -1);
  QListView::mouseReleaseEvent(event);
  if (pressed < 0 || pictureAt(*event) != pressed) return;
  m_clicked = pressed;
  Q_EMIT pictureClicked(pressed);
}

void PromptTokens::mouseDoubleClickEvent(QMouseEvent* event) {
  const int picture = event->modifiers() == Qt::NoModifier ? pictureAt(*event) : -1;
  if (picture < 0) return QListView::mouseDoubleClickEvent(event);
  // The first click emitted no pictureClicked, for example because Ctrl was held.
  if (picture != m_clicked) return mousePressEvent(event);
  Q_EMIT pictureDoubleClicked(picture);
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
