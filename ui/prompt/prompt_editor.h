#pragma once

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/chart/theme.h"
#include "ui/prompt/absorbed_marks.h"
#include "ui/prompt/prompt_token_model.h"
#include "ui/prompt/prompt_tokens.h"
#include "ui/prompt/prompt_view.h"
#include "ui/prompt/token_highlighter.h"
#include "ui/run/engine.h"

class QHBoxLayout;
class QToolButton;

namespace equipatch {

/// Where the prompt is written, as it stands or as a user's message, and where it is said
/// which part of it is absorbed. What the model will read stays visible: the text with
/// its token boundaries, the tokens, and the exact ids.
class PromptEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit PromptEditor(const Theme& theme, QWidget* parent = nullptr);

  QString text() const { return m_edit->toPlainText(); }
  /// What was there comes back by undo.
  void setText(const QString& text);
  /// Null when none is loaded.
  void setModel(std::shared_ptr<const LoadedModel> model);

  /// What the user wants; a model without chat template reads the text as it stands.
  PromptForm form() const { return m_wanted; }
  void setForm(PromptForm form);

  /// What is written, how it is meant, and which part of it is absorbed.
  PromptSource source() const;
  /// The same with the tokens that are shown; null while they are not those of `source`.
  std::shared_ptr<const PreparedPrompt> prepared() const;

  /// Which part of the context is absorbed, as `--absorb` takes it.
  std::string absorbed() const { return m_marks.spelling(); }
  /// What cannot be meant is told and changes nothing.
  void setAbsorbed(const std::string& spelling);
  /// The prompt of a recorded run, where it is text that can be typed: not what a chat
  /// template wrote.
  void showRun(const RunRequest& request);
  /// What was typed a moment ago counts from now on.
  void settle();

  QString countText() const { return m_count->text(); }
  QString idText() const { return m_ids->text(); }
  QString writtenText() const { return m_written->toPlainText(); }
  int tokenCount() const { return static_cast<int>(m_marks.tokens().size()); }

 public Q_SLOTS:
  /// A prompt other than the one last asked for is dropped.
  void showPrepared(std::shared_ptr<const PreparedPrompt> prompt);
  void showProblem(const QString& sentence);
  void keepSelected();
  void absorbSelected();
  void undo();
  void redo();

 Q_SIGNALS:
  void edited();
  void absorbedChanged();
  /// A chat must be rendered by the model's template; `showPrepared` is to follow.
  void preparationAsked(std::shared_ptr<const LoadedModel> model,
                        const PromptSource& source);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QHBoxLayout* makeSwitch();
  QToolButton* makeSamples();
  void makeViews(const Theme& theme);
  QHBoxLayout* makeMarking();
  QHBoxLayout* makeSpelling();
  bool isChat() const;
  PromptView* view() const { return isChat() ? m_written : m_edit; }
  void textChanged();
  void prepare();
  void showPrompt(std::shared_ptr<const PreparedPrompt> prompt);
  void showTokens(std::vector<Token> tokens);
  void showMarks();
  void mark(void (AbsorbedMarks::*change)(int, int));
  void chooseTokensOfText(const PromptView* view);
  void chooseTextOfTokens();
  void updateSwitch();
  QString toolTipAt(const PromptView* view, const QPoint& viewPosition) const;

  QRadioButton* m_raw = nullptr;
  QRadioButton* m_chat = nullptr;
  PromptView* m_edit = nullptr;
  PromptView* m_written = nullptr;  ///< what the template made of it
  QLineEdit* m_ids = nullptr;
  QLabel* m_count = nullptr;
  QAction* m_keep = nullptr;
  QAction* m_absorb = nullptr;
  QComboBox* m_spelling = nullptr;
  TokenHighlighter* m_editTints = nullptr;
  TokenHighlighter* m_writtenTints = nullptr;
  QTimer m_delay;
  std::shared_ptr<const LoadedModel> m_model;
  PromptForm m_wanted = PromptForm::Text;
  AbsorbedMarks m_marks;
  PromptTokenModel m_tokenModel{m_marks};
  PromptTokens* m_tokens = nullptr;
  PromptSource m_asked;  ///< the text and form last prepared or asked for
  std::shared_ptr<const PreparedPrompt> m_prepared;  ///< what is shown; null: none
  bool m_choosing = false;  ///< text and tokens are being made to agree
};

}  // namespace equipatch
