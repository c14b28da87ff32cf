// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/chart/theme.h"
#include "ui/prompt/prompt_entry.h"
#include "ui/prompt/prompt_marking.h"
#include "ui/run/engine.h"

namespace equipatch {

/// The dock of the prompt: `PromptEntry`, where it is written, and `PromptMarking`, where
/// the absorbed part is chosen. Keeps the two in agreement by preparing the prompt while
/// it is typed.
class PromptEditor final : public QWidget {
  Q_OBJECT

 public:
  explicit PromptEditor(const Theme& theme, QWidget* parent = nullptr);

  QString text() const { return m_entry->text(); }
  /// Undo brings the old text back.
  void setText(const QString& text) { m_entry->setText(text); }
  /// Null when none is loaded.
  void setModel(std::shared_ptr<const LoadedModel> model);

  /// What the user wants; a model without chat template reads the text as it stands.
  PromptForm form() const { return m_entry->form(); }
  void setForm(PromptForm form) { m_entry->setForm(form); }

  /// What is written, how it is meant, and which part of it is absorbed.
  PromptSource source() const;
  /// The same with the tokens that are shown; null while they are not those of `source`.
  std::shared_ptr<const PreparedPrompt> prepared() const;

  /// Which part of the context is absorbed, as `--absorb` takes it.
  std::string absorbed() const { return m_marking->spelling(); }
  /// An invalid spelling is reported and ignored.
  void setAbsorbed(const std::string& spelling) { m_marking->setSpelling(spelling); }
  /// The prompt of a recorded run, where it is text that can be typed: not what a chat
  /// template rendered.
  void showRun(const RunRequest& request);
  /// Prepares at once what was typed a moment ago.
  void prepareNow();

  QString countText() const { return m_marking->countText(); }
  QString idText() const { return m_marking->idText(); }
  QString writtenText() const { return m_entry->rendered().toPlainText(); }
  int tokenCount() const { return static_cast<int>(m_marking->tokens().size()); }

 public Q_SLOTS:
  /// Drops a prompt other than the one that was requested last.
  void showPrepared(std::shared_ptr<const PreparedPrompt> prompt);
  void showProblem(const QString& sentence);
  void keepSelected() { m_marking->keepSelected(); }
  void absorbSelected() { m_marking->absorbSelected(); }
  void undo() { m_marking->undo(); }
  void redo() { m_marking->redo(); }

 Q_SIGNALS:
  void edited();
  void absorbedChanged();
  /// A chat must be rendered by the model's template; `showPrepared` is to follow.
  void preparationRequested(std::shared_ptr<const LoadedModel> model,
                            const PromptSource& source);

 private:
  void connectParts();
  void textChanged();
  void prepare();
  void showPrompt(std::shared_ptr<const PreparedPrompt> prompt);
  void showTokens(std::vector<Token> tokens);
  void showMarks();
  void chooseTokensOfText(const PromptView& view);
  void chooseTextOfTokens();

  PromptEntry* m_entry;
  PromptMarking* m_marking;
  QTimer m_delay;
  std::shared_ptr<const LoadedModel> m_model;
  PromptSource m_requested;  ///< the text and form last prepared or requested
  std::shared_ptr<const PreparedPrompt> m_prepared;  ///< what is shown; null: none
  bool m_choosing = false;  ///< the selections in text and tokens are being aligned
};

}  // namespace equipatch
