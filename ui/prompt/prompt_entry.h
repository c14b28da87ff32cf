// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <string>

#include "core/run/prepared_prompt.h"
#include "ui/chart/theme.h"
#include "ui/prompt/prompt_view.h"
#include "ui/prompt/sample_prompts.h"

namespace equipatch {

/// Whether a model is loaded that has a usable chat template.
struct ChatSupport {
  bool possible = false;
  QString reason;  ///< why not
};

/// Whether the user may insert images: not if the loaded model reads none.
struct PictureSupport {
  bool possible = true;
  QString reason = {};  ///< why not
};

/// The widgets in which the user writes a prompt, chooses its form or a sample, and reads
/// the rendered chat. Their parent is `editor`.
class PromptEntry final : public QObject {
  Q_OBJECT

 public:
  PromptEntry(const Theme& theme, PictureShelf& shelf, QWidget& editor);
  void addTo(QVBoxLayout& layout);

  PromptParts parts() const { return m_edit->parts(); }
  /// Undo brings the old text back.
  void setParts(const PromptParts& parts);

  /// The form that the user chose. Chat takes effect only if the model has a chat
  /// template.
  PromptForm form() const { return m_form; }
  void setForm(PromptForm form);
  void setChatSupport(const ChatSupport& support);
  void setPictureSupport(const PictureSupport& support);
  /// @param place index in `samplePrompts`
  void takeSample(int place);
  bool isIds() const { return m_form == PromptForm::Ids; }
  bool isChat() const { return m_form == PromptForm::Chat && m_chatPossible; }

  /// The view of the text that the model reads.
  PromptView& view() const { return isChat() ? *m_rendered : *m_edit; }
  PromptView& edit() const { return *m_edit; }
  PromptView& rendered() const { return *m_rendered; }

 Q_SIGNALS:
  void textChanged();
  void formChanged();
  /// The user chose a form; `form()` still returns the old one.
  void formChosen(PromptForm form);
  void pictureSampleChosen();
  /// A sample that the bundled text model can answer replaced the text.
  void textSampleChosen();

 private:
  void connectPictures();
  void choosePictures();
  QLayout* makeSwitch(QWidget& editor);
  QWidget* makeInsert(QWidget& editor);
  QWidget* makeSamples(QWidget& editor);
  void makeViews(const Theme& theme, QWidget& editor);
  void showForm();

  PictureShelf& m_shelf;
  QLayout* m_switch = nullptr;
  QToolButton* m_insert = nullptr;
  QRadioButton* m_raw = nullptr;
  QRadioButton* m_chat = nullptr;
  QRadioButton* m_ids = nullptr;
  PromptView* m_edit = nullptr;
  PromptView* m_rendered = nullptr;
  PromptForm m_form = PromptForm::Text;
  bool m_chatPossible = false;
};

}  // namespace equipatch
