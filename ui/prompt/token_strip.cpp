// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/token_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/chart/small_widgets.h"
#include "ui/prompt/token_display.h"

namespace equipatch {
namespace {

constexpr int kBracketGap = 4;  // from a chip to the lower edge of its bracket

int signSize(const QFontMetrics& metrics) {
  return metrics.height() / 2;
}

/// The gap between a sign and its token, and between two marks.
int signGap(const QFontMetrics& metrics) {
  return metrics.height() / 3;
}

}  // namespace

TokenStrip::TokenStrip(const RunModel& model, Selection& selection, const Theme& theme,
                       PictureShelf& shelf, QWidget* parent)
    : QAbstractScrollArea(parent),
      m_model(model),
      m_selection(selection),
      m_theme(theme),
      m_shelf(shelf),
      m_geometry(fontMetrics().height()) {
  setObjectName(QStringLiteral("tokenStrip"));
  setAccessibleName(tr("Generated tokens"));
  setFocusPolicy(Qt::StrongFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  viewport()->setMouseTracking(true);
  addCopyAction();
  viewport()->setBackgroundRole(QPalette::Base);
  connect(&model, &RunModel::runStarted, this, &TokenStrip::begin);
  connect(&model, &RunModel::stepsAppended, this, &TokenStrip::append);
  connect(&selection, &Selection::stepChanged, this, &TokenStrip::showStep);
  connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
  connect(&shelf, &PictureShelf::decoded, this, &TokenStrip::showDecoded);
}

void TokenStrip::addCopyAction() {
  auto* copy = new QAction(tr("&Copy generated text"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(summarise(m_model.records()).text));
  });
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

QSize TokenStrip::sizeHint() const {
  return {600, m_geometry.contentHeight() + horizontalScrollBar()->sizeHint().height() +
                   2 * frameWidth()};
}

QRect TokenStrip::chipOf(int step) const {
  return step >= 0 && step < stepCount() ? inView(m_geometry.chip(m_before + step))
                                         : QRect();
}

void TokenStrip::begin() {
  m_geometry.clear();
  m_chips.clear();
  m_before = 0;
  setAccessibleDescription({});
  readPictures();
  if (m_model.header()) addPrompt();
  updateScrollRange();
  horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
  viewport()->update();
}

void TokenStrip::addPrompt() {
  for (const Token& token : request().prompt) {
    if (const ShownPicture* picture = pictureAt(int(m_chips.size())))
      addPictureToken(*picture, int(m_chips.size()));
    else
      add({visibleToken(token, request().promptText), {}});
  }
  if (!m_chips.empty()) add({});
  m_before = int(m_chips.size());
}

void TokenStrip::append(int first) {
  for (int i = first; i < m_model.stepCount(); ++i) {
    const StepRecord& record = m_model.step(i);
    add({visibleToken(record), marksOf(record)});
  }
  updateScrollRange();
  if (m_selection.isFollowing()) showStep(m_model.stepCount() - 1);
  viewport()->update();
}

void TokenStrip::add(Chip chip) {
  m_geometry.append(
      std::max(fontMetrics().horizontalAdvance(chip.token), marksWidth(chip)));
  m_chips.push_back(std::move(chip));
}

std::vector<TokenStrip::Mark> TokenStrip::marksOf(const StepRecord& record) {
  std::vector<Mark> marks;
  if (!record.match) {
    Mark mark{Mark::Kind::Mismatch, {}};
    if (!record.patched.empty()) mark.token = visibleToken(record.patched.front());
    // In a run that samples, the chip's token need not be the most likely one.
    if (record.sampledMatch && !record.contextual.empty())
      mark.token = tr("%1 ≠ %2").arg(visibleToken(record.contextual.front()), mark.token);
    marks.push_back(mark);
  }
  if (record.sampledMatch == false)
    marks.push_back({Mark::Kind::SampledDifference, visiblePatchedToken(record)});
  return marks;
}

int TokenStrip::markWidth(const Mark& mark) const {
  const QFontMetrics metrics = fontMetrics();
  return signSize(metrics) + signGap(metrics) + metrics.horizontalAdvance(mark.token);
}

int TokenStrip::marksWidth(const Chip& chip) const {
  int width = 0;
  for (const Mark& mark : chip.marks)
    width += markWidth(mark) + (width > 0 ? signGap(fontMetrics()) : 0);
  return width;
}

/// Scrolls to the step; at step 0, only so far that the end of the prompt stays visible.
void TokenStrip::showStep(int step) {
  if (step >= 0 && step < stepCount()) {
    const int index = m_before + step;
    QScrollBar* bar = horizontalScrollBar();
    const int scroll = m_geometry.scrollToShow(index, bar->value(), viewport()->width());
    bar->setValue(step == 0 ? std::min(scroll, scrollForBothSides(index)) : scroll);
    setAccessibleDescription(
        tr("Step %1: %2").arg(step).arg(m_chips[std::size_t(index)].token));
  }
  viewport()->update();
}

void TokenStrip::updateScrollRange() {
  const int beyond = m_geometry.contentWidth() - viewport()->width();
  horizontalScrollBar()->setRange(0, std::max(0, beyond));
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
}

int TokenStrip::contentX(int viewX) const {
  return viewX + horizontalScrollBar()->value();
}

void TokenStrip::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_chips.empty()) {
    painter.setPen(m_theme.colours().muted);
    painter.drawText(
        viewport()->rect(), Qt::AlignCenter,
        tr("The generated tokens appear here, with a red ✗ under each token where the "
           "patched pass's most likely token differs."));
    return;
  }
  painter.translate(-horizontalScrollBar()->value(), 0);
  const QRect dirty = event->rect();
  const auto range =
      m_geometry.visible(contentX(dirty.left()), contentX(dirty.right() + 1));
  for (int i = range.first; i < range.last; ++i) {
    const ShownPicture* picture = pictureAt(i);
    if (picture && i > picture->tokens().first) continue;
    if (picture) paintPicture(painter, *picture);
    if (!picture && i < m_before - 1) paintPromptToken(painter, i);
    if (i >= m_before) paintChip(painter, i);
    if (i != m_before - 1 && isKept(i)) paintKept(painter, i);
    paintMarks(painter, i);
  }
  if (m_before > 0) paintDivision(painter);
}

bool TokenStrip::isKept(int index) const {
  if (index >= m_before) return request().absorbed.keepsGenerated;
  return request().absorbed.keeps(index, std::int64_t(request().prompt.size()));
}

BracketEnds TokenStrip::keptEnds(int index) const {
  const bool step = index >= m_before;
  const int first = step ? m_before : 0;
  const int last = step ? m_geometry.count() - 1 : m_before - 2;
  const ShownPicture* picture = pictureAt(index);
  // An image's chip stands for all tokens of the image.
  const int lastToken = picture ? int(picture->tokens().last) : index;
  return bracketEnds(index == first || !isKept(index - 1),
                     lastToken == last || !isKept(lastToken + 1));
}

/// Paints the bracket below the text's descenders, without a gap between kept chips.
void TokenStrip::paintKept(QPainter& painter, int index) const {
  const BracketEnds ends = keptEnds(index);
  const bool ended = ends == BracketEnds::Both || ends == BracketEnds::Right;
  const QRectF place =
      QRectF(m_geometry.chip(index))
          .adjusted(0, 0, ended ? 0 : TokenStripGeometry::kGap, kBracketGap);
  drawKeptBracket(painter, place, ends, m_theme.colours().kept);
}

void TokenStrip::paintChip(QPainter& painter, int index) const {
  const Colours& c = m_theme.colours();
  const bool selected = index - m_before == m_selection.step();
  const QRectF rect = QRectF(m_geometry.chip(index)).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(
      QPen(selected ? c.accent : c.border, selected && hasFocus() ? 2.0 : 1.0));
  painter.setBrush(selected ? c.accent : c.raised);
  painter.drawRoundedRect(rect, 4, 4);
  painter.setPen(selected ? c.accentText : c.text);
  painter.drawText(rect, Qt::AlignCenter, m_chips[std::size_t(index)].token);
}

void TokenStrip::paintPromptToken(QPainter& painter, int index) const {
  const QRect rect = m_geometry.chip(index);
  painter.setPen(m_theme.colours().muted);
  painter.drawText(rect, Qt::AlignCenter, m_chips[std::size_t(index)].token);
}

/// Paints the line between the prompt and the chips, and the labels below the prompt. A
/// dotted line separates tokens generated before the branch from the original prompt.
void TokenStrip::paintDivision(QPainter& painter) const {
  const QRect place = m_geometry.chip(m_before - 1);
  const QRect below = m_geometry.below(m_before - 1);
  painter.setPen(QPen(m_theme.colours().muted, 1.0));
  painter.drawLine(QPointF(place.center().x() + 0.5, place.top()),
                   QPointF(place.center().x() + 0.5, below.bottom()));
  const int prompt = promptTokens();
  paintLabel(painter, 0, prompt, tr("prompt"));
  if (prompt == m_before - 1) return;
  const QRect first = m_geometry.chip(prompt);
  const qreal x = first.left() - TokenStripGeometry::kGap / 2.0;
  painter.setPen(QPen(m_theme.colours().muted, 1.0, Qt::DotLine));
  painter.drawLine(QPointF(x, first.top()), QPointF(x, below.bottom()));
  const int room = m_geometry.chip(m_before - 2).right() - first.left();
  for (const QString& label : {tr("before the branch"), tr("branch")})
    if (fontMetrics().horizontalAdvance(label) <= room)
      return paintLabel(painter, prompt, m_before - 1, label);
}

/// Paints a label below the tokens [first, end).
void TokenStrip::paintLabel(QPainter& painter, int first, int end,
                            const QString& text) const {
  if (first >= end) return;
  const QRect left = m_geometry.below(first);
  const QRect place(left.topLeft(), m_geometry.below(end - 1).bottomRight());
  painter.setPen(m_theme.colours().muted);
  painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text);
}

void TokenStrip::setInheritedTokens(int tokens) {
  m_inherited = tokens;
  viewport()->update();
}

void TokenStrip::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_geometry = TokenStripGeometry(fontMetrics().height());
  layOut();
  updateGeometry();
}

/// The scroll position that puts the chip's left edge at a third of the view's width.
int TokenStrip::scrollForBothSides(int index) const {
  return m_geometry.chip(index).left() - viewport()->width() / 3;
}

/// Makes all chips again and shows text on both sides of the selected chip.
void TokenStrip::layOut() {
  if (m_model.header()) begin();
  append(0);
  const int step = m_selection.step();
  if (step >= 0 && step < stepCount())
    horizontalScrollBar()->setValue(scrollForBothSides(m_before + step));
  showStep(step);
}

void TokenStrip::paintMarks(QPainter& painter, int index) const {
  const Chip& chip = m_chips[std::size_t(index)];
  const QRect rect = m_geometry.below(index);
  const QFontMetrics metrics = fontMetrics();
  const int size = signSize(metrics);
  double left = rect.center().x() - marksWidth(chip) / 2.0;
  for (const Mark& mark : chip.marks) {
    paintSign(painter, mark.kind,
              QRectF(left, rect.center().y() - size / 2.0, size, size));
    const QRectF text(left + size + signGap(metrics), rect.top(), rect.width(),
                      rect.height());
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, mark.token);
    left += markWidth(mark) + signGap(metrics);
  }
}

/// Leaves the sign's colour set for the token's text.
void TokenStrip::paintSign(QPainter& painter, Mark::Kind kind,
                           const QRectF& place) const {
  const Colours& c = m_theme.colours();
  if (kind == Mark::Kind::Mismatch) {
    painter.setPen(QPen(c.mismatch, 0.28 * place.width(), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(place.topLeft(), place.bottomRight());
    painter.drawLine(place.topRight(), place.bottomLeft());
    return;
  }
  painter.setPen(c.patched);
  painter.setBrush(c.patched);
  const QPointF middle = place.center();
  painter.drawPolygon(QPolygonF{
      {QPointF(middle.x(), place.top()), QPointF(place.right(), middle.y()),
       QPointF(middle.x(), place.bottom()), QPointF(place.left(), middle.y())}});
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
  const int step = stepAt(event->pos().x());
  if (step >= 0) return m_selection.selectStep(step);
  const ShownPicture* picture = pictureAt(m_geometry.indexAt(contentX(event->pos().x())));
  if (picture && event->button() == Qt::LeftButton) activatePicture(*picture);
}

// The base class would ignore the event, although the strip handled the press.
void TokenStrip::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
  QToolTip::showText(event->globalPosition().toPoint(),
                     plainToolTip(toolTipAt(event->pos())), this);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
  // A page is the number of visible steps; the prompt's tokens do not count.
  const auto [first, last] = m_geometry.visible(contentX(0), contentX(width()));
  const int page = std::max(1, last - std::max(first, m_before));
  switch (event->key()) {
    case Qt::Key_Left:
      m_selection.moveStep(-1);
      break;
    case Qt::Key_Right:
      m_selection.moveStep(1);
      break;
    case Qt::Key_PageUp:
      m_selection.moveStep(-page);
      break;
    case Qt::Key_PageDown:
      m_selection.moveStep(page);
      break;
    case Qt::Key_Home:
      m_selection.selectStep(0);
      break;
    case Qt::Key_End:
      m_selection.followNewest();
      break;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

void TokenStrip::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const int along = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - along);
  event->accept();
}

void TokenStrip::resizeEvent(QResizeEvent*) {
  updateScrollRange();
  if (m_selection.step() != Selection::kNone) showStep(m_selection.step());
}

void TokenStrip::focusInEvent(QFocusEvent*) {
  viewport()->update();
}

void TokenStrip::focusOutEvent(QFocusEvent*) {
  viewport()->update();
}

}  // namespace equipatch
