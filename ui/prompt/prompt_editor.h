// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <utility>

#include "ui/chart/theme.h"
#include "ui/prompt/picture_mapper.h"
#include "ui/prompt/prompt_entry.h"
#include "ui/prompt/prompt_marking.h"
#include "ui/run/engine.h"

namespace equipatch {

/// The prompt's dock: the user writes the prompt (`PromptEntry`) and marks its absorbed
/// part (`PromptMarking`). The editor tokenizes the prompt shortly after each edit.
class PromptEditor final : public QWidget {
  Q_OBJECT

 public:
  /// @param theme, shelf outlive the editor
  PromptEditor(const Theme& theme, PictureShelf& shelf, QWidget* parent = nullptr);

  /// The text, with `kPicturePlace` for each image.
  QString text() const { return m_entry->parts().written(); }
  void setText(const QString& text) { setParts({text}); }
  PromptParts parts() const { return m_entry->parts(); }
  /// Undo brings the old text and images back.
  void setParts(const PromptParts& parts) { m_entry->setParts(parts); }
  /// @param sample index in `samplePrompts`
  void takeSample(int sample) { m_entry->takeSample(sample); }
  /// @param model null when none is loaded
  void setModel(std::shared_ptr<const LoadedModel> model);

  /// The form that the user chose. For a model without a chat template, the text
  /// of a Chat is tokenized as it is.
  PromptForm form() const { return m_entry->form(); }
  void setForm(PromptForm form) { m_entry->setForm(form); }

  PromptSource source() const;
  /// `source`, but with the whole context absorbed.
  PromptSource unmarkedSource() const;
  /// The prompt prepared from `source`; null while there is none.
  std::shared_ptr<const PreparedPrompt> prepared() const;

  /// The absorbed part in the syntax of `--absorb`.
  std::string absorbed() const { return m_marking->absorbedText(); }
  QString setAbsorbed(const std::string& text) {
    return m_marking->setAbsorbedText(text);
  }
  QString takeAbsorbed() { return m_marking->takeAbsorbedText(); }
  /// Shows the prompt of a recorded run as text, or as ids if the run's model might not
  /// tokenize the text to the recorded tokens. If the editor already has this prompt,
  /// only the absorbed part changes.
  void showRun(const RunRequest& request);
  struct State {
    PromptParts parts;
    PromptForm form = PromptForm::Text;
    std::string absorbed;
    std::optional<TextMarks> marks = {};  ///< take precedence over `absorbed`
    int tokenCount = 0;
  };
  State state() const {
    return {parts(), form(), absorbed(), m_marking->textMarks(), tokenCount()};
  }
  void restore(const State& state);
  void setBrief(bool brief) { m_marking->setBrief(brief); }
  /// Ends the delay after an edit: prepares the prompt, or requests its preparation, now.
  void prepareNow();

  QString countText() const { return m_marking->countText(); }
  QString noteText() const { return m_marking->noteText(); }
  QString idText() const { return m_marking->idText(); }
  /// The rendered chat; empty if there is none.
  QString renderedText() const { return m_entry->rendered().toPlainText(); }
  int tokenCount() const { return static_cast<int>(m_marking->tokens().size()); }

  /// High enough for all rows of buttons at the current width.
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  /// Ignores a prompt that is not the one requested last.
  void showPrepared(std::shared_ptr<const PreparedPrompt> prompt);
  /// Shows why a worker could not prepare the prompt; ignored if no worker was asked.
  void showProblem(const QString& sentence);
  void keepSelected() { m_marking->keepSelected(); }
  void absorbSelected() { m_marking->absorbSelected(); }
  void undo() { m_marking->undo(); }
  void redo() { m_marking->redo(); }

 Q_SIGNALS:
  void pictureSampleChosen();
  /// A sample that the bundled text model can answer replaced the text.
  void textSampleChosen();
  void pictureActivated(const equipatch::PictureSubject& subject);
  void edited();
  /// The chosen model should be loaded.
  void modelRequested();
  /// A worker should prepare a chat or a long text. The receiver calls `showPrepared`
  /// with the result, or `showProblem`.
  void preparationRequested(std::shared_ptr<const LoadedModel> model,
                            const PromptSource& source);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void connectParts();
  void textChanged();
  void prepare();
  void requestFromWorker();
  void prepareIdsNow();
  void changeForm(PromptForm form);
  std::optional<PromptParts> decodedIds() const;
  bool showText(const RunRequest& request);
  void showIds(const RunRequest& request);
  void showPrompt(std::shared_ptr<const PreparedPrompt> prompt);
  void showTokens(std::vector<Token> tokens, const std::vector<PromptImage>& images,
                  const std::string& text, const std::string& message);
  void activatePicture(const std::shared_ptr<const PictureFile>& picture, int index);
  void showMarks();
  void chooseTokensOfText(const PromptView& view);
  void chooseTextOfTokens();

  PictureShelf& m_shelf;
  PromptEntry* m_entry;
  PromptMarking* m_marking;
  QTimer m_delay;
  std::shared_ptr<const LoadedModel> m_model;
  PromptSource m_edited;               ///< the prompt when `edited` was last emitted
  PromptSource m_requested;            ///< the prompt last prepared or requested
  bool m_requestedFromWorker = false;  ///< a worker was asked for `m_requested`
  /// The prompt prepared last. Tokens may be visible even while this is null.
  std::shared_ptr<const PreparedPrompt> m_prepared;
  /// A prompt as text, and the ids that the editor showed instead of the text.
  std::optional<std::pair<PromptParts, PromptParts>> m_replaced;
  bool m_choosing = false;  ///< a selection is being copied between text and tokens
};

}  // namespace equipatch
