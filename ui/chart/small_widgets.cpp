// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/small_widgets.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QStyledItemDelegate>
#include <QToolTip>
#include <algorithm>

namespace equipatch {
namespace {

constexpr int kInTheMiddle = int(Qt::AlignCenter) | int(Qt::TextWordWrap);
constexpr int kFromTheTop =
    int(Qt::AlignLeft) | int(Qt::AlignTop) | int(Qt::TextWordWrap);

/// Drops words from the end, with an ellipsis, until the text fits or one word is left.
template <typename Fits>
QString shortened(QString words, const Fits& fits) {
  if (fits(words)) return words;
  while (words.contains(u' ') && !fits(words + u'…'))
    words.truncate(words.lastIndexOf(u' '));
  return words + u'…';
}

class TickBoxRows final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override {
    constexpr int kMargins = 4;
    const int box = option.widget->style()->pixelMetric(QStyle::PM_IndicatorHeight,
                                                        nullptr, option.widget);
    return QStyledItemDelegate::sizeHint(option, index).expandedTo({0, box + kMargins});
  }
};

}  // namespace

QString plainToolTip(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  return QStringLiteral("<qt>") +
         text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")) +
         QStringLiteral("</qt>");
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setBrief(const QString& brief) {
  m_brief = brief;
  reserveWidth();
  update();
}

/// Reserves a pixel more than the brief text's rounded width: if a fraction of a pixel
/// were missing, Qt would elide the text.
void ElidedLabel::reserveWidth() {
  setMinimumWidth(m_brief.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_brief) + 1);
}

QString ElidedLabel::shown() const {
  const int width = contentsRect().width();
  const auto elided = [this, width](const QString& wanted) {
    return fontMetrics().elidedText(wanted, Qt::ElideMiddle, width);
  };
  if (m_brief.isEmpty() || elided(text()) == text()) return elided(text());
  for (const char* end : {", ", " by "}) {  // "Patch size by layer, step 3"
    const QString part = text().section(QLatin1String(end), 0, 0);
    if (elided(part) == part) return part;
  }
  return elided(m_brief);
}

bool ElidedLabel::event(QEvent* event) {
  // The style sheet sets the bold font at the Polish event.
  if (event->type() == QEvent::FontChange || event->type() == QEvent::Polish)
    reserveWidth();
  if (event->type() != QEvent::ToolTip) return QLabel::event(event);
  QStringList lines;
  if (shown() != text()) lines << text();
  if (!toolTip().isEmpty()) lines << toolTip();
  QToolTip::showText(static_cast<const QHelpEvent*>(event)->globalPos(),
                     plainToolTip(lines.join(u'\n')), this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(contentsRect(), int(Qt::AlignLeft | Qt::AlignVCenter), shown());
}

SentenceLabel::SentenceLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
}

void SentenceLabel::setSentence(const QString& sentence) {
  setText(sentence);
  setToolTip(plainToolTip(sentence));
}

QString SentenceLabel::shown() const {
  const QRect room = contentsRect();
  return shortened(text(), [&](const QString& words) {
    return fontMetrics().boundingRect(room, kFromTheTop, words).height() <= room.height();
  });
}

void SentenceLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(contentsRect(), kFromTheTop, shown());
}

QSize SentenceLabel::sizeHint() const {
  return {0, 2 * fontMetrics().lineSpacing()};
}

FittingLabel::FittingLabel(QWidget* parent) : QLabel(parent) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  setTextFormat(Qt::PlainText);
}

QRect FittingLabel::room() const {
  constexpr int kMostMargin = 16, kShare = 24;
  const int margin = std::clamp(std::min(width(), height()) / kShare, 2, kMostMargin);
  return contentsRect().adjusted(margin, margin, -margin, -margin);
}

bool FittingLabel::fits(const QString& words) const {
  return room().contains(fontMetrics().boundingRect(room(), kInTheMiddle, words));
}

QString FittingLabel::shown() const {
  const QString all = text();
  const QStringList paragraphs = all.split(u'\n', Qt::SkipEmptyParts);
  QString last = paragraphs.isEmpty() ? QString() : paragraphs.back();
  for (const QString& words : {all, paragraphs.join(u'\n'), last})
    if (fits(words)) return words;
  return shortened(last, [this](const QString& words) { return fits(words); });
}

bool FittingLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QLabel::event(event);
  QToolTip::showText(static_cast<const QHelpEvent*>(event)->globalPos(),
                     shown() == text() ? QString() : plainToolTip(text()), this);
  return true;
}

void FittingLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(room(), kInTheMiddle, shown());
}

QString ChoiceBox::shown() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option,
                                              QStyle::SC_ComboBoxEditField, this);
  constexpr int kMargin = 2;  // of the text in the edit field of the Fusion style
  const auto elided = [&](const QString& wanted) {
    return fontMetrics().elidedText(wanted, Qt::ElideRight, field.width() - kMargin);
  };
  const QString brief = currentData(kBriefRole).toString();
  const bool fits = elided(currentText()) == currentText();
  return elided(fits || brief.isEmpty() ? currentText() : brief);
}

void ChoiceBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = shown();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

QSize VerticalArea::minimumSizeHint() const {
  QSize least = QScrollArea::minimumSizeHint();
  if (widget() && horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff)
    least.setWidth(widget()->minimumSizeHint().width() + 2 * frameWidth() +
                   verticalScrollBar()->sizeHint().width());
  return least;
}

bool VerticalArea::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
  if (watched == widget() && event->type() == QEvent::Resize)
    countWidthChange(*static_cast<const QResizeEvent*>(event));
  return QScrollArea::eventFilter(watched, event);
}

/// While the area keeps its size, the content's width changes only when the scroll bar
/// appears or disappears. Many changes in a short time are a cycle without end: the bar
/// then stays.
void VerticalArea::countWidthChange(const QResizeEvent& event) {
  constexpr int kMostChanges = 6;
  constexpr int kShort = 300;  // milliseconds
  if (event.size().width() == event.oldSize().width()) return;
  m_changes =
      m_sinceChange.isValid() && m_sinceChange.elapsed() < kShort ? m_changes + 1 : 0;
  m_sinceChange.start();
  if (m_changes < kMostChanges || verticalScrollBarPolicy() == Qt::ScrollBarAlwaysOn)
    return;
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  // QScrollArea is computing a layout without the bar; the event requests another layout.
  QCoreApplication::postEvent(this, new QEvent(QEvent::LayoutRequest));
}

void VerticalArea::resizeEvent(QResizeEvent* event) {
  if (size() != m_size) {
    m_size = size();
    m_changes = 0;
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  }
  QScrollArea::resizeEvent(event);
}

QString withAmpersands(QString name) {
  return name.replace(u'&', QStringLiteral("&&"));
}

QScrollArea* scrollable(QWidget* content) {
  auto* area = new VerticalArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(content);
  return area;
}

void makeRoomForTickBoxes(QAbstractItemView& view) {
  view.setItemDelegate(new TickBoxRows(&view));
}

QPushButton* addButton(QBoxLayout& row, const char* name, const QString& text,
                       const QString& toolTip) {
  auto* button = new QPushButton(text, row.parentWidget());
  button->setObjectName(QString::fromLatin1(name));
  button->setToolTip(toolTip);
  button->setAutoDefault(false);
  row.addWidget(button);
  return button;
}

}  // namespace equipatch
