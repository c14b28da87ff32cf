#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "core/text/tokenizer.h"
#include "ui/chart/theme.h"
#include "ui/prompt/token_highlighter.h"

namespace equipatch {

/// Where the prompt is written. With a tokenizer, the text shows its token boundaries and
/// the line under it counts the tokens.
class PromptEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit PromptEditor(const Theme& theme, QWidget* parent = nullptr);

  QString text() const { return m_edit->toPlainText(); }
  void setText(const QString& text) { m_edit->setPlainText(text); }
  /// Null when no model with a tokenizer is loaded.
  void setTokenizer(std::shared_ptr<const Tokenizer> tokenizer);
  QString countText() const { return m_count->text(); }
  int tokenCount() const { return static_cast<int>(m_tokens.size()); }

 Q_SIGNALS:
  void edited();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void textChanged();
  void tokenize();
  QString toolTipAt(const QPoint& viewPosition) const;

  QPlainTextEdit* m_edit;
  QLabel* m_count;
  TokenHighlighter* m_highlighter;
  QTimer m_delay;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::vector<Token> m_tokens;
  QString m_tokenized;
};

}  // namespace equipatch
