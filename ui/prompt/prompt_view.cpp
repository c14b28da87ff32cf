// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_view.h"

#include <QAbstractTextDocumentLayout>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "ui/prompt/picture_in_text.h"
#include "ui/prompt/token_display.h"

namespace equipatch {
namespace {

constexpr qreal kLineDistance = 5.0;  // pixels

bool isEmpty(const TextSpan& span) {
  return span.begin == span.end;
}

}  // namespace

std::vector<TextSpan> keptStretches(const std::vector<TextSpan>& spans,
                                    const std::vector<bool>& kept) {
  std::vector<TextSpan> stretches;
  bool open = false;  // whether this token continues the last stretch
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const bool empty = isEmpty(spans[i]);
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

TokenHighlighter::TokenHighlighter(QTextDocument* document, const Theme& theme)
    : QSyntaxHighlighter(document), m_theme(theme) {
  connect(&theme, &Theme::changed, this, &TokenHighlighter::rehighlight);
}

void TokenHighlighter::setSpans(std::vector<TextSpan> spans) {
  m_spans = std::move(spans);
  m_odd.clear();
  // The tint of the first token with text depends on its index, as in PromptTokens.
  const auto first = std::ranges::find_if_not(m_spans, isEmpty);
  bool odd = (first - m_spans.begin()) % 2 == 0;
  for (const TextSpan& span : m_spans) {
    if (!isEmpty(span)) odd = !odd;
    m_odd.push_back(odd);
  }
  rehighlight();
}

int TokenHighlighter::tokenAt(int position) const {
  const auto endsBefore = [&](const TextSpan& span) { return span.end <= position; };
  const auto found = std::partition_point(m_spans.begin(), m_spans.end(), endsBefore);
  if (found == m_spans.end() || position < found->begin) return -1;
  return int(found - m_spans.begin());
}

TokenRange TokenHighlighter::tokensIn(int begin, int end) const {
  const auto endsBefore = [&](const TextSpan& span) { return span.end <= begin; };
  const auto beginsBefore = [&](const TextSpan& span) { return span.begin < end; };
  auto first = std::partition_point(m_spans.begin(), m_spans.end(), endsBefore);
  auto after = std::partition_point(first, m_spans.end(), beginsBefore);
  while (first != after && isEmpty(*first)) ++first;
  while (first != after && isEmpty(*(after - 1))) --after;
  return {int(first - m_spans.begin()), int(after - m_spans.begin()) - 1};
}

void TokenHighlighter::highlightBlock(const QString& text) {
  const int start = currentBlock().position();
  const int end = start + int(text.size());
  const auto before = [&](const TextSpan& span) { return span.end <= start; };
  auto span = std::partition_point(m_spans.begin(), m_spans.end(), before);
  for (; span != m_spans.end() && span->begin < end; ++span) {
    const bool odd = m_odd[std::size_t(span - m_spans.begin())];
    const int from = std::max(span->begin, start);
    const int to = std::min(span->end, end);
    QTextCharFormat format;
    format.setBackground(odd ? m_theme.colours().tokenB : m_theme.colours().tokenA);
    setFormat(from - start, to - from, format);
  }
}

PromptView::PromptView(const Theme& theme, PictureShelf& shelf, QWidget* parent)
    : QTextEdit(parent),
      m_theme(theme),
      m_tints(new TokenHighlighter(document(), theme)) {
  new PictureInText(*document(), theme, shelf);
  setAcceptRichText(false);
  setTabChangesFocus(true);
  setMinimumHeight(44);
  showParts({});
}

/// Leaves room for the brackets under kept tokens. New lines inherit the format.
void PromptView::spaceLines() {
  QTextBlockFormat spaced;
  spaced.setLineHeight(kLineDistance, QTextBlockFormat::LineDistanceHeight);
  QTextCursor all(document());
  all.select(QTextCursor::Document);
  all.mergeBlockFormat(spaced);
}

void PromptView::setTokens(std::vector<Token> tokens, std::vector<ImageTokens> images) {
  m_tokens = std::move(tokens);
  m_images = std::move(images);
  m_tints->setSpans(spans());
  setKept({});
}

QString PromptView::text() const {
  QString text = document()->toRawText();
  for (QChar& character : text)
    if (character == QChar::ParagraphSeparator || character == QChar::LineSeparator)
      character = u'\n';
  return text;
}

std::vector<TextSpan> PromptView::spans() const {
  std::vector<ImageSpan> images;
  for (const ImageTokens& image : m_images) images.push_back(image.span);
  return textSpans(text(), m_tokens, images);
}

void PromptView::setKeptTokens(const std::vector<bool>& kept) {
  if (kept.size() != m_tokens.size()) return setKept({});
  setKept(keptStretches(spans(), kept));
}

/// True if all bytes of the token belong to a character that an earlier token begins.
bool PromptView::isWithinCharacter(int token) const {
  if (token >= int(m_tokens.size()) || m_tokens[std::size_t(token)].span.empty())
    return false;
  const std::size_t byte = m_tokens[std::size_t(token)].span.begin;
  for (const ImageTokens& image : m_images)
    if (image.span.written.begin <= byte && byte < image.span.written.end) return false;
  return isEmpty(spans()[std::size_t(token)]);
}

/// Includes all tokens of an image, and all tokens that share a character.
TokenRange PromptView::selectedTokens() const {
  const QTextCursor cursor = textCursor();
  if (!cursor.hasSelection()) return {};
  auto [first, last] = m_tints->tokensIn(cursor.selectionStart(), cursor.selectionEnd());
  if (first > last) return {};
  if (last > first) {
    const TextSpan token = spans()[std::size_t(last)];
    const QString part = text().mid(token.begin, cursor.selectionEnd() - token.begin);
    if (cursor.selectionEnd() < token.end && part.trimmed().isEmpty()) --last;
  }
  for (const ImageTokens& image : m_images)
    if (last == image.tokens.first) return {first, int(image.tokens.last)};
  while (isWithinCharacter(last + 1)) ++last;
  return {first, last};
}

void PromptView::selectTokens(TokenRange tokens) {
  if (tokens.first > tokens.last || tokens.last >= int(m_tokens.size())) return;
  const std::vector<TextSpan> places = spans();
  QTextCursor cursor = textCursor();
  cursor.setPosition(places[std::size_t(tokens.first)].begin);
  cursor.setPosition(places[std::size_t(tokens.last)].end, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
}

int PromptView::tokenAt(const QPoint& place) const {
  const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
  const int nearest =
      document()->documentLayout()->hitTest(place + scrolled, Qt::ExactHit);
  const bool isBefore = nearest > 0 && rectOf(nearest - 1).contains(place);
  return m_tints->tokenAt(isBefore ? nearest - 1 : nearest);
}

/// Uses the line's layout instead of QTextEdit::cursorRect, because the cursor after the
/// last character of a wrapped line is on the next line.
QRectF PromptView::rectOf(int position) const {
  const QTextBlock block = document()->findBlock(position);
  const int at = position - block.position();
  const QTextLine line = block.layout()->lineForTextPosition(at);
  if (!line.isValid()) return {};
  const qreal left = line.cursorToX(at), right = line.cursorToX(at + 1);
  const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
  return QRectF(left, line.y(), right - left, line.height() + kLineDistance)
      .normalized()
      .translated(block.layout()->position() - scrolled);
}

bool PromptView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !m_tokenModel)
    return QTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int token = tokenAt(help->pos());
  QToolTip::showText(help->globalPos(),
                     m_tokenModel->index(token, 0).data(Qt::ToolTipRole).toString(),
                     this);
  return true;
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
  if (event->matches(QKeySequence::Undo)) return Q_EMIT undoRequested();
  if (event->matches(QKeySequence::Redo)) return Q_EMIT redoRequested();
  QTextEdit::keyPressEvent(event);
}

void PromptView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  // Qt's own entries would undo the text alone.
  for (const char* own : {"edit-undo", "edit-redo"})
    delete menu->findChild<QAction*>(QString::fromLatin1(own));
  auto* first = menu->actions().value(0);
  for (const auto& [text, request] : {std::pair(tr("&Undo"), &PromptView::undoRequested),
                                      {tr("&Redo"), &PromptView::redoRequested}}) {
    auto* action = new QAction(text, menu);
    connect(action, &QAction::triggered, this, request);
    menu->insertAction(first, action);
  }
  menu->addSeparator();
  menu->addActions(actions());
  menu->popup(event->globalPos());
}

}  // namespace equipatch
