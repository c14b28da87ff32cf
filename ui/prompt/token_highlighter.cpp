#include "ui/prompt/token_highlighter.h"

#include <QTextBlock>
#include <algorithm>
#include <utility>

namespace equipatch {

TokenHighlighter::TokenHighlighter(QTextDocument* document, const Theme& theme)
    : QSyntaxHighlighter(document), m_theme(theme) {
  connect(&theme, &Theme::changed, this, &TokenHighlighter::rehighlight);
}

void TokenHighlighter::setSpans(std::vector<TextSpan> spans) {
  m_spans = std::move(spans);
  rehighlight();
}

int TokenHighlighter::tokenAt(int position) const {
  const auto holds = [&](const TextSpan& span) { return span.end <= position; };
  const auto found = std::partition_point(m_spans.begin(), m_spans.end(), holds);
  if (found == m_spans.end() || position < found->begin) return -1;
  return int(found - m_spans.begin());
}

void TokenHighlighter::highlightBlock(const QString& text) {
  const int start = currentBlock().position();
  const int end = start + int(text.size());
  const auto before = [&](const TextSpan& span) { return span.end <= start; };
  auto span = std::partition_point(m_spans.begin(), m_spans.end(), before);
  for (; span != m_spans.end() && span->begin < end; ++span) {
    const bool odd = (span - m_spans.begin()) % 2 != 0;
    const int from = std::max(span->begin, start);
    const int to = std::min(span->end, end);
    QTextCharFormat format;
    format.setBackground(odd ? m_theme.colours().tokenB : m_theme.colours().tokenA);
    setFormat(from - start, to - from, format);
  }
}

}  // namespace equipatch
