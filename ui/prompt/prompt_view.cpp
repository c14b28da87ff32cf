#include "ui/prompt/prompt_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <utility>

#include "ui/prompt/kept_bracket.h"

namespace equipatch {
namespace {

constexpr qreal kLineDistance = 5.0;  // pixels

}  // namespace

std::vector<TextSpan> keptStretches(const std::vector<TextSpan>& spans,
                                    const std::vector<bool>& kept) {
  std::vector<TextSpan> stretches;
  bool open = false;  // the stretch before goes on here
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool empty = spans[i].begin == spans[i].end;
    if (kept[i] && !empty) {
      if (open)
        stretches.back().end = spans[i].end;
      else
        stretches.push_back(spans[i]);
    }
    if (!empty || !kept[i]) open = kept[i];
  }
  return stretches;
}

PromptView::PromptView(const Theme& theme, QWidget* parent)
    : QTextEdit(parent), m_theme(theme) {
  setAcceptRichText(false);
  setTabChangesFocus(true);
  setMinimumHeight(60);
  showText({});
}

/// Later text takes its lines' distance from the text it is written into.
void PromptView::showText(const QString& text) {
  setPlainText(text);
  QTextBlockFormat spaced;
  spaced.setLineHeight(kLineDistance, QTextBlockFormat::LineDistanceHeight);
  document()->setUndoRedoEnabled(false);
  QTextCursor all(document());
  all.select(QTextCursor::Document);
  all.mergeBlockFormat(spaced);
  document()->setUndoRedoEnabled(true);
}

void PromptView::setKept(std::vector<TextSpan> stretches) {
  m_kept = std::move(stretches);
  viewport()->update();
}

void PromptView::paintEvent(QPaintEvent* event) {
  QTextEdit::paintEvent(event);
  if (m_kept.empty()) return;
  QPainter painter(viewport());
  const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
  QTextBlock block = cursorForPosition(QPoint(0, 0)).block();
  for (; block.isValid(); block = block.next()) {
    const QPointF origin = block.layout()->position() - scrolled;
    if (origin.y() > event->rect().bottom()) break;
    paintBrackets(painter, block, origin);
  }
}

void PromptView::paintBrackets(QPainter& painter, const QTextBlock& block,
                               QPointF origin) const {
  const auto before = [&](const TextSpan& span) { return span.end <= block.position(); };
  auto span = std::partition_point(m_kept.begin(), m_kept.end(), before);
  const int blockEnd = block.position() + block.length() - 1;
  for (; span != m_kept.end() && span->begin < blockEnd; ++span)
    paintBracket(painter, *span, block, origin);
}

void PromptView::paintBracket(QPainter& painter, const TextSpan& span,
                              const QTextBlock& block, QPointF origin) const {
  for (int i = 0; i < block.layout()->lineCount(); ++i) {
    const QTextLine line = block.layout()->lineAt(i);
    const int lineBegin = block.position() + line.textStart();
    const int from = std::max(span.begin, lineBegin);
    const int to = std::min(span.end, lineBegin + line.textLength());
    if (from >= to) continue;
    const qreal left = line.cursorToX(from - block.position());
    const qreal right = line.cursorToX(to - block.position());
    const QRectF place(left, line.y(), right - left, line.height() + kLineDistance);
    drawKeptBracket(painter, place.translated(origin),
                    bracketEnds(from == span.begin, to == span.end),
                    m_theme.colours().kept);
  }
}

void PromptView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo)) return Q_EMIT undoAsked();
  if (event->matches(QKeySequence::Redo)) return Q_EMIT redoAsked();
  QTextEdit::keyPressEvent(event);
}

void PromptView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSeparator();
  menu->addActions(actions());
  menu->popup(event->globalPos());
}

bool PromptView::canInsertFromMimeData(const QMimeData* source) const {
  return !source->hasUrls() && QTextEdit::canInsertFromMimeData(source);
}

void PromptView::insertFromMimeData(const QMimeData* source) {
  textCursor().insertText(source->text());
}

}  // namespace equipatch
