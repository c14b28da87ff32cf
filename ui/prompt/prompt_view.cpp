#include "ui/prompt/prompt_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <utility>

#include "ui/prompt/kept_bracket.h"

namespace equipatch {

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
    : QPlainTextEdit(parent), m_theme(theme) {
  setTabChangesFocus(true);
  setMinimumHeight(60);
}

void PromptView::setKept(std::vector<TextSpan> stretches) {
  m_kept = std::move(stretches);
  viewport()->update();
}

void PromptView::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  if (m_kept.empty()) return;
  QPainter painter(viewport());
  QPointF origin = contentOffset();
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF geometry = blockBoundingGeometry(block).translated(contentOffset());
    if (geometry.top() > event->rect().bottom()) break;
    origin = geometry.topLeft();
    paintBrackets(painter, block, origin);
  }
}

void PromptView::paintBrackets(QPainter& painter, const QTextBlock& block,
                               QPointF origin) const {
  const auto before = [&](const TextSpan& span) { return span.end <= block.position(); };
  auto span = std::partition_point(m_kept.begin(), m_kept.end(), before);
  const int blockEnd = block.position() + block.length() - 1;
  for (; span != m_kept.end() && span->begin < blockEnd; ++span) {
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      const QTextLine line = block.layout()->lineAt(i);
      const int lineBegin = block.position() + line.textStart();
      const int lineEnd = lineBegin + line.textLength();
      const int from = std::max(span->begin, lineBegin);
      const int to = std::min(span->end, lineEnd);
      if (from >= to) continue;
      const qreal left = line.cursorToX(from - block.position());
      const qreal right = line.cursorToX(to - block.position());
      const bool begins = from == span->begin;
      const bool ends = to == span->end;
      drawKeptBracket(
          painter,
          QRectF(origin.x() + left, origin.y() + line.y(), right - left, line.height()),
          begins && ends ? BracketEnds::Both
          : begins       ? BracketEnds::Left
          : ends         ? BracketEnds::Right
                         : BracketEnds::None,
          m_theme.colours().kept);
    }
  }
}

void PromptView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo)) return Q_EMIT undoAsked();
  if (event->matches(QKeySequence::Redo)) return Q_EMIT redoAsked();
  QPlainTextEdit::keyPressEvent(event);
}

void PromptView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addSeparator();
  menu->addActions(actions());
  menu->popup(event->globalPos());
}

bool PromptView::canInsertFromMimeData(const QMimeData* source) const {
  return !source->hasUrls() && QPlainTextEdit::canInsertFromMimeData(source);
}

}  // namespace equipatch
