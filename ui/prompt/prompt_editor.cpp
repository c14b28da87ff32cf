#include "ui/prompt/prompt_editor.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QMenu>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/prompt/sample_prompts.h"
#include "ui/prompt/token_spans.h"
#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {

constexpr int kDelayMilliseconds = 120;  // after the last key
constexpr std::size_t kMostIds = 4096;   // shown; a line edit with more is slow

QString idList(const std::vector<Token>& tokens) {
  QStringList ids;
  for (const Token& token : tokens) {
    if (std::size_t(ids.size()) == kMostIds) return ids.join(u' ') + QStringLiteral(" …");
    ids << QString::number(token.id.value);
  }
  return ids.join(u' ');
}

}  // namespace

PromptEditor::PromptEditor(const Theme& theme, QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 6);
  layout->setSpacing(4);
  layout->addLayout(makeSwitch());
  makeViews(theme);
  layout->addWidget(m_edit, 2);
  layout->addWidget(m_written, 3);
  layout->addWidget(m_ids);
  layout->addWidget(m_count);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  connect(m_edit, &QPlainTextEdit::textChanged, this, &PromptEditor::textChanged);
  connect(&m_delay, &QTimer::timeout, this, &PromptEditor::tokenize);
  updateSwitch();
}

QHBoxLayout* PromptEditor::makeSwitch() {
  m_raw = new QRadioButton(tr("Raw text"), this);
  m_raw->setObjectName(QStringLiteral("rawText"));
  m_raw->setToolTip(tr("The model reads the text as it stands"));
  m_chat = new QRadioButton(tr("Chat"), this);
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
  row->addWidget(makeSamples());
  return row;
}

QToolButton* PromptEditor::makeSamples() {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("samplePrompts"));
  button->setText(tr("Samples"));
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

void PromptEditor::makeViews(const Theme& theme) {
  m_edit = new QPlainTextEdit(this);
  m_edit->setObjectName(QStringLiteral("prompt"));
  m_edit->setAccessibleName(tr("Prompt"));
  m_edit->setPlaceholderText(tr("Type a prompt, or take one of the samples"));
  m_edit->setTabChangesFocus(true);
  m_edit->setMinimumHeight(60);
  m_written = new QPlainTextEdit(this);
  m_written->setObjectName(QStringLiteral("writtenChat"));
  m_written->setAccessibleName(tr("The chat as the model reads it"));
  m_written->setReadOnly(true);
  m_written->setTabChangesFocus(true);
  m_written->setMinimumHeight(60);
  for (QPlainTextEdit* edit : {m_edit, m_written})
    edit->viewport()->installEventFilter(this);
  m_editMarks = new TokenHighlighter(m_edit->document(), theme);
  m_writtenMarks = new TokenHighlighter(m_written->document(), theme);
  m_ids = new QLineEdit(this);
  m_ids->setObjectName(QStringLiteral("promptIds"));
  m_ids->setAccessibleName(tr("Token ids of the prompt"));
  m_ids->setToolTip(tr("The token ids that the model reads"));
  m_ids->setReadOnly(true);
  m_count = new QLabel(this);
  m_count->setObjectName(QStringLiteral("muted"));
  m_count->setWordWrap(true);
}

void PromptEditor::setModel(std::shared_ptr<const LoadedModel> model) {
  m_model = std::move(model);
  updateSwitch();
}

void PromptEditor::setForm(PromptForm form) {
  m_wanted = form;
  updateSwitch();
}

bool PromptEditor::isChat() const {
  return m_wanted == PromptForm::Chat && m_model && m_model->chat;
}

void PromptEditor::updateSwitch() {
  const bool possible = m_model && m_model->chat;
  m_chat->setEnabled(possible);
  m_chat->setToolTip(
      possible ? tr("The text is a user's message, written as the model's template does")
      : m_model
          ? (m_model->chatProblem.empty() ? tr("This model comes without a chat template")
                                          : QString::fromStdString(m_model->chatProblem))
          : tr("Load a model with a chat template first"));
  (isChat() ? m_chat : m_raw)->setChecked(true);
  m_written->setVisible(isChat());
  tokenize();
}

void PromptEditor::textChanged() {
  // Highlighting changes the document too, but not its text.
  if (text() == m_tokenized) return;
  m_delay.start();
  Q_EMIT edited();
}

void PromptEditor::tokenize() {
  m_tokenized = text();
  m_tokens.clear();
  const bool hasTokenizer = m_model && m_model->tokenizer;
  if (isChat()) {
    m_editMarks->setSpans({});
    if (!m_tokenized.isEmpty()) {
      Q_EMIT chatAsked(m_model, m_tokenized);
      return;  // what is shown stays until the template has written
    }
    m_written->clear();
    return showTokens(m_writtenMarks, {});
  }
  if (hasTokenizer && !m_tokenized.isEmpty())
    m_tokens = m_model->tokenizer->encode(m_tokenized.toStdString(), SpecialTokens::Add);
  showTokens(m_editMarks, m_tokenized);
  if (!hasTokenizer)
    m_count->setText(tr("Tokens are counted when a model with a tokenizer is loaded."));
}

void PromptEditor::showTokens(TokenHighlighter* highlighter, const QString& text) {
  highlighter->setSpans(textSpans(text, m_tokens));
  m_ids->setText(idList(m_tokens));
  m_ids->setCursorPosition(0);
  m_ids->setVisible(!m_tokens.empty());
  m_count->setText(equipatch::countText(tokenCount(), QStringLiteral("token")));
}

void PromptEditor::showChat(std::shared_ptr<const WrittenChat> chat) {
  if (!isChat() || chat->message != text().toStdString()) return;
  m_tokens = chat->tokens;
  m_written->setPlainText(QString::fromStdString(chat->text));
  showTokens(m_writtenMarks, m_written->toPlainText());
}

void PromptEditor::showChatProblem(const QString& sentence) {
  if (!isChat()) return;
  m_tokens.clear();
  m_written->clear();
  showTokens(m_writtenMarks, {});
  m_count->setText(sentence);
}

QString PromptEditor::toolTipAt(const QPlainTextEdit* edit,
                                const QPoint& viewPosition) const {
  const TokenHighlighter* marks = edit == m_edit ? m_editMarks : m_writtenMarks;
  const int index = marks->tokenAt(edit->cursorForPosition(viewPosition).position());
  if (index < 0 || index >= tokenCount()) return {};
  const Token& token = m_tokens[std::size_t(index)];
  return tr("token %1: %2, id %3")
      .arg(index)
      .arg(visibleToken(token.piece, token.id))
      .arg(token.id.value);
}

bool PromptEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::eventFilter(watched, event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QPlainTextEdit* edit = watched == m_written->viewport() ? m_written : m_edit;
  QToolTip::showText(help->globalPos(), toolTipAt(edit, help->pos()), edit);
  return true;
}

}  // namespace equipatch
