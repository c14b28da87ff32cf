// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRadioButton>
#include <QVBoxLayout>
#include <string>

#include "core/run/prepared_prompt.h"
#include "ui/chart/theme.h"
#include "ui/prompt/prompt_view.h"

namespace equipatch {

/// What a model's folder says about chats.
struct ChatSupport {
  bool possible = false;
  QString reason;  ///< why it is not
};

/// Where a prompt is written: the text, whether it is a chat's message, the samples, and
/// the text that the chat template renders. Its widgets belong to the editor.
class PromptEntry final : public QObject {
  Q_OBJECT

 public:
  PromptEntry(const Theme& theme, QWidget& editor);
  void addTo(QVBoxLayout& layout);

  QString text() const { return m_edit->toPlainText(); }
  /// Undo brings the old text back.
  void setText(const QString& text);

  /// What the user wants, which takes effect where the model has a chat template.
  PromptForm form() const { return m_form; }
  void setForm(PromptForm form);
  void setChatSupport(const ChatSupport& support);
  bool isChat() const { return m_form == PromptForm::Chat && m_chatPossible; }

  /// The view of the text that the model reads.
  PromptView& view() const { return isChat() ? *m_rendered : *m_edit; }
  PromptView& edit() const { return *m_edit; }
  PromptView& rendered() const { return *m_rendered; }

 Q_SIGNALS:
  void textChanged();
  void formChanged();

 private:
  QLayout* makeSwitch(QWidget& editor);
  QWidget* makeSamples(QWidget& editor);
  void makeViews(const Theme& theme, QWidget& editor);
  void showForm();

  QLayout* m_switch = nullptr;
  QRadioButton* m_raw = nullptr;
  QRadioButton* m_chat = nullptr;
  PromptView* m_edit = nullptr;
  PromptView* m_rendered = nullptr;
  PromptForm m_form = PromptForm::Text;
  bool m_chatPossible = false;
};

}  // namespace equipatch
