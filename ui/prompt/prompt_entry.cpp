// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_entry.h"

#include <QButtonGroup>
#include <QMenu>
#include <QTextCursor>
#include <QToolButton>

#include "ui/prompt/sample_prompts.h"

namespace equipatch {

PromptEntry::PromptEntry(const Theme& theme, QWidget& editor) : QObject(&editor) {
  m_switch = makeSwitch(editor);
  makeViews(theme, editor);
  connect(m_edit, &QTextEdit::textChanged, this, &PromptEntry::textChanged);
  showForm();
}

void PromptEntry::addTo(QVBoxLayout& layout) {
  layout.addLayout(m_switch);
  layout.addWidget(m_edit, 3);
  layout.addWidget(m_rendered, 3);
}

QLayout* PromptEntry::makeSwitch(QWidget& editor) {
  m_raw = new QRadioButton(tr("Raw text"), &editor);
  m_raw->setObjectName(QStringLiteral("rawText"));
  m_raw->setToolTip(tr("The model reads the text as it stands"));
  m_chat = new QRadioButton(tr("Chat"), &editor);
  m_chat->setObjectName(QStringLiteral("chat"));
  auto* group = new QButtonGroup(this);
  group->addButton(m_raw);
  group->addButton(m_chat);
  connect(m_raw, &QRadioButton::clicked, this, [this] { setForm(PromptForm::Text); });
  connect(m_chat, &QRadioButton::clicked, this, [this] { setForm(PromptForm::Chat); });
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(m_raw);
  row->addWidget(m_chat);
  row->addStretch(1);
  row->addWidget(makeSamples(editor));
  return row;
}

QWidget* PromptEntry::makeSamples(QWidget& editor) {
  auto* button = new QToolButton(&editor);
  button->setObjectName(QStringLiteral("samplePrompts"));
  button->setText(tr("Samples ▾"));
  button->setAccessibleName(tr("Samples"));
  button->setToolTip(tr("Prompts to begin with"));
  button->setFocusPolicy(Qt::TabFocus);
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  fillWithSamplePrompts(*menu);
  connect(menu, &QMenu::triggered, this,
          [this](const QAction* action) { setText(action->data().toString()); });
  button->setMenu(menu);
  return button;
}

void PromptEntry::makeViews(const Theme& theme, QWidget& editor) {
  m_edit = new PromptView(theme, &editor);
  m_edit->setObjectName(QStringLiteral("prompt"));
  m_edit->setAccessibleName(tr("Prompt"));
  m_edit->setPlaceholderText(tr("Type a prompt, or take one of the samples"));
  m_rendered = new PromptView(theme, &editor);
  m_rendered->setObjectName(QStringLiteral("writtenChat"));
  m_rendered->setAccessibleName(tr("The chat as the model reads it"));
  m_rendered->setReadOnly(true);
  m_rendered->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                      Qt::TextSelectableByKeyboard);
}

void PromptEntry::setText(const QString& text) {
  if (this->text().isEmpty()) return m_edit->showText(text);
  QTextCursor cursor(m_edit->document());
  cursor.select(QTextCursor::Document);
  cursor.insertText(text);
}

void PromptEntry::setForm(PromptForm form) {
  m_form = form;
  showForm();
}

void PromptEntry::setChatSupport(const ChatSupport& support) {
  m_chatPossible = support.possible;
  m_chat->setEnabled(support.possible);
  m_chat->setToolTip(
      support.possible
          ? tr("The text is a user's message, which the model's chat template renders")
          : support.reason);
  showForm();
}

void PromptEntry::showForm() {
  (isChat() ? m_chat : m_raw)->setChecked(true);
  m_rendered->setVisible(isChat());
  Q_EMIT formChanged();
}

}  // namespace equipatch
