// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QObject>
#include <QPushButton>
#include <QVBoxLayout>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ui/prompt/absorbed_box.h"
#include "ui/prompt/absorbed_marks.h"
#include "ui/prompt/prompt_tokens.h"
#include "ui/prompt/prompt_view.h"

namespace equipatch {

/// The widgets that show the prompt's tokens and in which the user marks tokens as kept
/// or absorbed. `editor` owns the widgets.
class PromptMarking final : public QObject {
  Q_OBJECT

 public:
  /// @param edit outlives this
  PromptMarking(const Theme& theme, PictureShelf& shelf, PromptView& edit,
                QWidget& editor);
  void addTo(QVBoxLayout& layout);
  QList<QAction*> actions() const { return {m_keep, m_absorb, m_only}; }

  /// Does not replace what the user is typing in the field of the absorbed part.
  /// @param text the text from which the tokens were made
  /// @param message as in parseAbsorbedSet
  void showTokens(std::vector<Token> tokens, const std::vector<PromptImage>& images,
                  const std::string& text, const std::string& message);
  /// Instead of the model's ids, image tokens have negative ids that identify the image.
  const std::vector<Token>& tokens() const { return m_marks.tokens(); }
  const PromptTokenModel& tokenModel() const { return m_tokenModel; }
  const AbsorbedSet& absorbed() const { return m_marks.set(); }
  std::vector<bool> kept() const;  ///< one value for each token

  /// The absorbed part in the syntax of `--absorb`.
  std::string absorbedText() const { return m_marks.text(); }
  /// An invalid text changes nothing.
  /// @returns why `text` is invalid, which the note says, too; empty for a valid text
  QString setAbsorbedText(const std::string& text);
  std::optional<TextMarks> textMarks() const { return m_marks.textMarks(); }
  void setTextMarks(std::optional<TextMarks> marks) {
    m_marks.setTextMarks(std::move(marks));
  }
  /// Applies the text that the user typed as the absorbed part. An invalid text stays in
  /// its field.
  /// @returns as `setAbsorbedText`
  QString takeAbsorbedText();

  /// The indices of the selected tokens, ascending.
  QList<int> chosen() const { return m_tokens->chosen(); }
  void choose(TokenRange tokens) { m_tokens->choose(tokens.first, tokens.last); }
  bool hasFocus() const { return m_tokens->hasFocus(); }

  QString countText() const { return m_count->text(); }
  QString noteText() const { return m_note->text().remove(QChar(0x200B)); }
  QString idText() const { return m_ids->text(); }
  /// Hides (if `brief`) or shows the list of tokens and their ids.
  void setBrief(bool brief);
  /// Shows a note; an empty sentence hides it. New tokens also hide it, and changed marks
  /// do if there are tokens.
  void showNote(const QString& sentence);
  /// Shows a note that no model is loaded, and a button that emits `modelRequested`.
  void offerModel();

 public Q_SLOTS:
  void keepSelected() { mark(&AbsorbedMarks::keep); }
  void absorbSelected() { mark(&AbsorbedMarks::absorb); }
  /// Keeps all other tokens, and those that will be generated.
  void absorbOnlySelected();
  /// Reverts the newest change, whether of the editor's text or of the marks.
  void undo();
  void redo();

 Q_SIGNALS:
  void marksChanged();
  void chosenChanged();
  void modelRequested();
  /// @param index the image's place among the prompt's images
  void pictureActivated(const std::shared_ptr<const equipatch::PictureFile>& picture,
                        int index);

 private:
  QLayout* makeActions(QWidget& editor);
  QAction* makeAction(QWidget& editor, QLayout& row, const char* name);
  QLayout* makeAbsorbRow(QWidget& editor);
  void mark(void (AbsorbedMarks::*change)(const std::vector<PositionRange>&));
  void toggle(int token);
  void openPicture(int token);
  void showChoices(const std::vector<std::string>& sentences);
  void numberPictures(const std::vector<PromptImage>& images);
  std::vector<Token> withPictureIds(std::vector<Token> tokens,
                                    const std::vector<PromptImage>& images);
  void showMarks();
  void showPart();
  void showKept();
  void rememberTextSteps();
  void endTextStep();
  void enableActions();

  /// An image of the prompt; the number distinguishes images of equal files.
  struct NumberedPicture {
    std::shared_ptr<const PictureFile> picture;
    int number = 0;
  };

  PromptView& m_edit;
  AbsorbedMarks m_marks;
  std::vector<NumberedPicture> m_pictures;  ///< remain while there are no tokens
  PromptTokenModel m_tokenModel;
  PromptTokens* m_tokens = nullptr;
  QLineEdit* m_ids = nullptr;
  QLabel* m_note = nullptr;
  QPushButton* m_load = nullptr;
  QLabel* m_count = nullptr;
  QAction* m_keep = nullptr;
  QAction* m_absorb = nullptr;
  QAction* m_only = nullptr;
  AbsorbedBox* m_absorbBox = nullptr;
  QLayout* m_actionRow = nullptr;
  QLayout* m_absorbRow = nullptr;
  bool m_isInvalid = false;  ///< the text last taken from `m_absorbBox` is invalid
};

}  // namespace equipatch
