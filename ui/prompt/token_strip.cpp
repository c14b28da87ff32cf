#include "ui/prompt/token_strip.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "ui/chart/number_text.h"
#include "ui/prompt/kept_bracket.h"
#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {

constexpr int kCrossSize = 8;  // of the ✗, pixels
constexpr int kCrossGap = 4;

QString choiceText(const char* pass, const Choices& choices) {
  if (choices.empty()) return {};
  const Choice& best = choices.front();
  return QStringLiteral("\n%1: %2  %3")
      .arg(QString::fromLatin1(pass), visibleToken(best.text, best.id),
           percentText(best.probability));
}

}  // namespace

TokenStrip::TokenStrip(const RunModel& model, Selection& selection, const Theme& theme,
                       QWidget* parent)
    : QAbstractScrollArea(parent),
      m_model(model),
      m_selection(selection),
      m_theme(theme),
      m_geometry(fontMetrics().height()) {
  setObjectName(QStringLiteral("tokenStrip"));
  setAccessibleName(tr("Generated tokens"));
  setFocusPolicy(Qt::StrongFocus);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  viewport()->setMouseTracking(true);
  viewport()->setBackgroundRole(QPalette::Base);
  connect(&model, &RunModel::begun, this, &TokenStrip::begin);
  connect(&model, &RunModel::appended, this, &TokenStrip::append);
  connect(&selection, &Selection::stepChanged, this, &TokenStrip::showStep);
  connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

QSize TokenStrip::sizeHint() const {
  return {600, m_geometry.contentHeight() + horizontalScrollBar()->sizeHint().height() +
                   2 * frameWidth()};
}

void TokenStrip::begin() {
  m_geometry.clear();
  m_chips.clear();
  updateScrollRange();
  viewport()->update();
}

void TokenStrip::append(int first) {
  const QFontMetrics metrics = fontMetrics();
  for (int i = first; i < m_model.stepCount(); ++i) {
    const StepRecord& record = m_model.step(i);
    Chip chip{visibleToken(record.tokenText, record.token), {}};
    int width = metrics.horizontalAdvance(chip.token);
    if (!record.match) {
      chip.other = visibleToken(record.patchedText, record.patchedToken);
      width =
          std::max(width, metrics.horizontalAdvance(chip.other) + kCrossSize + kCrossGap);
    }
    m_geometry.append(width);
    m_chips.push_back(chip);
  }
  updateScrollRange();
  if (m_selection.isFollowing()) showStep(m_model.stepCount() - 1);
  viewport()->update();
}

void TokenStrip::showStep(int step) {
  if (step >= 0 && step < m_geometry.count()) {
    QScrollBar* bar = horizontalScrollBar();
    bar->setValue(m_geometry.scrollToShow(step, bar->value(), viewport()->width()));
    setAccessibleDescription(
        tr("Step %1: %2").arg(step).arg(m_chips[std::size_t(step)].token));
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
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     tr("The generated tokens appear here, a red ✗ under each where the "
                        "patched model would have said something else."));
    return;
  }
  painter.translate(-horizontalScrollBar()->value(), 0);
  const QRect dirty = event->rect();
  const auto range =
      m_geometry.visible(contentX(dirty.left()), contentX(dirty.right() + 1));
  for (int i = range.first; i < range.last; ++i) {
    paintChip(painter, i);
    if (!m_chips[std::size_t(i)].other.isEmpty()) paintMismatch(painter, i);
  }
}

void TokenStrip::paintChip(QPainter& painter, int index) const {
  const Colours& c = m_theme.colours();
  const bool selected = index == m_selection.step();
  const QRectF rect = QRectF(m_geometry.chip(index)).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(
      QPen(selected ? c.accent : c.border, selected && hasFocus() ? 2.0 : 1.0));
  painter.setBrush(selected ? c.accent : c.raised);
  painter.drawRoundedRect(rect, 4, 4);
  painter.setPen(selected ? c.accentText : c.text);
  painter.drawText(rect, Qt::AlignCenter, m_chips[std::size_t(index)].token);
  if (m_model.header()->request.absorbed.keepsGenerated)
    drawKeptBracket(painter, rect.adjusted(2, 0, -2, -1), BracketEnds::Both, c.kept);
}

void TokenStrip::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_geometry = TokenStripGeometry(fontMetrics().height());
  m_chips.clear();
  append(0);
  updateGeometry();
}

void TokenStrip::paintMismatch(QPainter& painter, int index) const {
  const QRect rect = m_geometry.below(index);
  const QString& other = m_chips[std::size_t(index)].other;
  const int width = kCrossSize + kCrossGap + fontMetrics().horizontalAdvance(other);
  const QRectF cross(rect.center().x() - width / 2.0,
                     rect.center().y() - kCrossSize / 2.0, kCrossSize, kCrossSize);
  painter.setPen(QPen(m_theme.colours().mismatch, 2.2, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(cross.topLeft(), cross.bottomRight());
  painter.drawLine(cross.topRight(), cross.bottomLeft());
  const QRectF text(cross.right() + kCrossGap, rect.top(), rect.width(), rect.height());
  painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, other);
}

QString TokenStrip::toolTipAt(const QPoint& viewPosition) const {
  const StepRecord* record = m_model.find(m_geometry.indexAt(contentX(viewPosition.x())));
  if (!record) return {};
  return tr("step %1: %2")
             .arg(record->step.value)
             .arg(record->match ? tr("match") : tr("✗ mismatch")) +
         (m_model.header()->request.absorbed.keepsGenerated
              ? tr("\nkept: later steps still see it")
              : QString()) +
         choiceText("contextual", record->contextual) +
         choiceText("patched", record->patched) + choiceText("bare", record->bare);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
  const int index = m_geometry.indexAt(contentX(event->pos().x()));
  if (index >= 0) m_selection.selectStep(index);
}

// The base class leaves it unaccepted, as if the press had not been the strip's.
void TokenStrip::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event) {
  QToolTip::showText(event->globalPosition().toPoint(), toolTipAt(event->pos()), this);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
  const int page =
      std::max(1, m_geometry.visible(contentX(0), contentX(width())).last -
                      m_geometry.visible(contentX(0), contentX(width())).first);
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
