#pragma once

#include <QSyntaxHighlighter>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/token_spans.h"

namespace equipatch {

/// Shows token boundaries in a text: neighbouring tokens have different tints.
class TokenHighlighter final : public QSyntaxHighlighter {
  Q_OBJECT

 public:
  TokenHighlighter(QTextDocument* document, const Theme& theme);

  /// @param spans in order of the text.
  void setSpans(std::vector<TextSpan> spans);
  /// Number of the token that holds a position of the text, -1 for none.
  int tokenAt(int position) const;

 protected:
  void highlightBlock(const QString& text) override;

 private:
  const Theme& m_theme;
  std::vector<TextSpan> m_spans;
};

}  // namespace equipatch
