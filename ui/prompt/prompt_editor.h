#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/token_highlighter.h"
#include "ui/run/engine.h"

class QHBoxLayout;
class QToolButton;

namespace equipatch {

/// Where the prompt is written: as it stands, or as a user's message. What the model will
/// read stays visible: the text with its token boundaries, and the exact ids.
class PromptEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit PromptEditor(const Theme& theme, QWidget* parent = nullptr);

  QString text() const { return m_edit->toPlainText(); }
  void setText(const QString& text) { m_edit->setPlainText(text); }
  /// Null when none is loaded.
  void setModel(std::shared_ptr<const LoadedModel> model);

  /// What the user wants; a model without chat template reads the text as it stands.
  PromptForm form() const { return m_wanted; }
  void setForm(PromptForm form);

  QString countText() const { return m_count->text(); }
  QString idText() const { return m_ids->text(); }
  QString writtenText() const { return m_written->toPlainText(); }
  int tokenCount() const { return static_cast<int>(m_tokens.size()); }

 public Q_SLOTS:
  void showChat(std::shared_ptr<const WrittenChat> chat);
  void showChatProblem(const QString& sentence);

 Q_SIGNALS:
  void edited();
  /// The message must be written as the model's template does; `showChat` is to follow.
  void chatAsked(std::shared_ptr<const LoadedModel> model, const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QHBoxLayout* makeSwitch();
  QToolButton* makeSamples();
  void makeViews(const Theme& theme);
  bool isChat() const;
  void textChanged();
  void tokenize();
  void showTokens(TokenHighlighter* highlighter, const QString& text);
  void updateSwitch();
  QString toolTipAt(const QPlainTextEdit* edit, const QPoint& viewPosition) const;

  QRadioButton* m_raw = nullptr;
  QRadioButton* m_chat = nullptr;
  QPlainTextEdit* m_edit = nullptr;
  QPlainTextEdit* m_written = nullptr;  ///< what the template made of it
  QLineEdit* m_ids = nullptr;
  QLabel* m_count = nullptr;
  TokenHighlighter* m_editMarks = nullptr;
  TokenHighlighter* m_writtenMarks = nullptr;
  QTimer m_delay;
  std::shared_ptr<const LoadedModel> m_model;
  PromptForm m_wanted = PromptForm::Text;
  std::vector<Token> m_tokens;
  QString m_tokenized;
};

}  // namespace equipatch
