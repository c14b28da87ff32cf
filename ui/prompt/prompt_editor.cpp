#include "ui/prompt/prompt_editor.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/prompt/sample_prompts.h"
#include "ui/prompt/token_spans.h"

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
  layout->addWidget(m_edit, 3);
  layout->addWidget(m_written, 3);
  layout->addLayout(makeMarking());
  layout->addWidget(m_tokens, 2);
  layout->addLayout(makeSpelling());
  layout->addWidget(m_ids);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  connect(m_edit, &QTextEdit::textChanged, this, &PromptEditor::textChanged);
  connect(&m_delay, &QTimer::timeout, this, &PromptEditor::prepare);
  updateSwitch();
  setFocusProxy(m_edit);
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

void PromptEditor::makeViews(const Theme& theme) {
  m_edit = new PromptView(theme, this);
  m_edit->setObjectName(QStringLiteral("prompt"));
  m_edit->setAccessibleName(tr("Prompt"));
  m_edit->setPlaceholderText(tr("Type a prompt, or take one of the samples"));
  m_written = new PromptView(theme, this);
  m_written->setObjectName(QStringLiteral("writtenChat"));
  m_written->setAccessibleName(tr("The chat as the model reads it"));
  m_written->setReadOnly(true);
  m_written->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                     Qt::TextSelectableByKeyboard);
  for (PromptView* view : {m_edit, m_written}) {
    view->viewport()->installEventFilter(this);
    connect(view, &PromptView::undoAsked, this, &PromptEditor::undo);
    connect(view, &PromptView::redoAsked, this, &PromptEditor::redo);
    connect(view, &QTextEdit::selectionChanged, this,
            [this, view] { chooseTokensOfText(view); });
  }
  m_editTints = new TokenHighlighter(m_edit->document(), theme);
  m_writtenTints = new TokenHighlighter(m_written->document(), theme);
  m_tokens = new PromptTokens(m_tokenModel, theme, this);
  connect(m_tokens, &PromptTokens::chosenChanged, this,
          &PromptEditor::chooseTextOfTokens);
  m_ids = new QLineEdit(this);
  m_ids->setObjectName(QStringLiteral("promptIds"));
  m_ids->setAccessibleName(tr("Token ids of the prompt"));
  m_ids->setToolTip(tr("The token ids that the model reads"));
  m_ids->setReadOnly(true);
}

QHBoxLayout* PromptEditor::makeMarking() {
  m_count = new QLabel(this);
  m_count->setObjectName(QStringLiteral("muted"));
  m_count->setWordWrap(true);
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  row->addWidget(m_count, 1);
  const auto add = [&](const QString& text, const QKeySequence& key, const char* name,
                       void (PromptEditor::*slot)()) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    for (QWidget* view : {static_cast<QWidget*>(m_edit), static_cast<QWidget*>(m_written),
                          static_cast<QWidget*>(m_tokens)})
      view->addAction(action);
    auto* button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(name));
    button->setDefaultAction(action);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
    return action;
  };
  m_keep =
      add(tr("Keep"), Qt::CTRL | Qt::Key_M, "keepTokens", &PromptEditor::keepSelected);
  m_keep->setToolTip(tr("The patched pass still sees the selected tokens (Ctrl+M)"));
  m_absorb = add(tr("Absorb"), Qt::CTRL | Qt::SHIFT | Qt::Key_M, "absorbTokens",
                 &PromptEditor::absorbSelected);
  m_absorb->setToolTip(tr("The patch stands for the selected tokens (Ctrl+Shift+M)"));
  m_tokens->setContextMenuPolicy(Qt::ActionsContextMenu);
  return row;
}

QHBoxLayout* PromptEditor::makeSpelling() {
  m_spelling = new QComboBox(this);
  m_spelling->setObjectName(QStringLiteral("absorb"));
  m_spelling->setAccessibleName(tr("Absorbed part of the context"));
  m_spelling->setToolTip(
      tr("What goes into the weights, as --absorb takes it:\nall; prompt (generated "
         "tokens are kept); none; keep-bos; or positions such as 0-12,20,generated"));
  m_spelling->setEditable(true);
  m_spelling->setInsertPolicy(QComboBox::NoInsert);
  m_spelling->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_spelling->setMinimumContentsLength(8);
  for (const std::string& preset : AbsorbedMarks::presets())
    m_spelling->addItem(QString::fromStdString(preset));
  const auto take = [this] { setAbsorbed(m_spelling->currentText().toStdString()); };
  connect(m_spelling, &QComboBox::activated, this, take);
  connect(m_spelling->lineEdit(), &QLineEdit::returnPressed, this, take);
  connect(m_spelling->lineEdit(), &QLineEdit::editingFinished, this, take);
  auto* label = new QLabel(tr("Absorbed"), this);
  label->setBuddy(m_spelling);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(m_spelling, 1);
  return row;
}

void PromptEditor::setText(const QString& text) {
  if (this->text().isEmpty()) return m_edit->showText(text);
  QTextCursor cursor(m_edit->document());
  cursor.select(QTextCursor::Document);
  cursor.insertText(text);
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
  prepare();
}

void PromptEditor::textChanged() {
  // Highlighting changes the document too, but not its text.
  if (text().toStdString() == m_asked.text) return;
  m_delay.start();
  Q_EMIT edited();
}

PromptSource PromptEditor::source() const {
  return {.text = text().toStdString(), .form = m_wanted, .absorb = absorbed()};
}

std::shared_ptr<const PreparedPrompt> PromptEditor::prepared() const {
  if (!m_prepared || m_prepared->source != m_asked || m_delay.isActive()) return nullptr;
  auto marked = std::make_shared<PreparedPrompt>(*m_prepared);
  marked->source.absorb = absorbed();
  marked->absorbed = m_marks.set();
  return marked;
}

/// A text is tokenized here, a chat by a job: its template runs in another process.
void PromptEditor::prepare() {
  m_delay.stop();
  m_asked = {.text = text().toStdString(), .form = m_wanted};
  const bool hasTokenizer = m_model && m_model->tokenizer;
  if (isChat()) {
    m_editTints->setSpans({});
    m_edit->setKept({});
    if (m_asked.text.empty()) {
      m_written->showText({});
      return showPrompt(nullptr);
    }
    m_prepared = nullptr;  // its tokens stay in view until the others are there
    return Q_EMIT preparationAsked(m_model, m_asked);
  }
  if (hasTokenizer && !m_asked.text.empty())
    return showPrompt(std::make_shared<const PreparedPrompt>(
        preparePrompt(m_asked, *m_model->tokenizer, nullptr)));
  showPrompt(nullptr);
  if (!hasTokenizer)
    m_count->setText(tr("Tokens are counted when a model with a tokenizer is loaded."));
}

void PromptEditor::showPrompt(std::shared_ptr<const PreparedPrompt> prompt) {
  m_prepared = std::move(prompt);
  showTokens(m_prepared ? m_prepared->tokens : std::vector<Token>());
}

void PromptEditor::showRun(const RunRequest& request) {
  const auto written = [](const Token& token) {
    return token.special && !token.span.empty();
  };
  const std::vector<Token>& prompt = request.prompt;
  if (request.promptText.empty() || std::any_of(prompt.begin(), prompt.end(), written))
    return;
  setForm(PromptForm::Text);
  setText(QString::fromStdString(request.promptText));
  settle();
  // Without the run's model its own tokens are there to be marked.
  if (m_marks.tokens().empty()) showTokens(prompt);
  setAbsorbed(absorbedText(request.absorbed, std::int64_t(prompt.size())));
}

void PromptEditor::settle() {
  if (m_delay.isActive()) prepare();
}

void PromptEditor::showTokens(std::vector<Token> tokens) {
  m_marks.setTokens(std::move(tokens));
  const QString text = view()->toPlainText();
  m_tokenModel.tokensChanged(text.toStdString());
  TokenHighlighter* tints = isChat() ? m_writtenTints : m_editTints;
  tints->setSpans(textSpans(text, m_marks.tokens()));
  m_ids->setText(idList(m_marks.tokens()));
  m_ids->setCursorPosition(0);
  m_ids->setVisible(tokenCount() > 0);
  m_tokens->setVisible(tokenCount() > 0);
  showMarks();
}

void PromptEditor::showMarks() {
  std::vector<bool> kept(m_marks.tokens().size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = m_marks.keeps(int(i));
  view()->setKept(
      keptStretches(textSpans(view()->toPlainText(), m_marks.tokens()), kept));
  m_tokenModel.marksChanged();
  QString count = equipatch::countText(tokenCount(), QStringLiteral("token"));
  if (const int keeping = m_marks.keptCount(); keeping > 0)
    count += tr(", %1 kept").arg(keeping);
  m_count->setText(count);
  m_spelling->setEditText(QString::fromStdString(absorbed()));
  chooseTextOfTokens();
  Q_EMIT absorbedChanged();
}

void PromptEditor::setAbsorbed(const std::string& spelling) {
  if (spelling == absorbed()) return;
  try {
    m_marks.setMoment(m_edit->document()->availableUndoSteps());
    m_marks.setSpelling(spelling);
    showMarks();
  } catch (const Error& error) {
    m_spelling->setEditText(QString::fromStdString(absorbed()));
    m_count->setText(QString::fromStdString(error.what()));
  }
}

void PromptEditor::mark(void (AbsorbedMarks::*change)(int, int)) {
  const QList<int> chosen = m_tokens->chosen();
  m_marks.setMoment(m_edit->document()->availableUndoSteps());
  for (qsizetype i = 0; i < chosen.size();) {
    qsizetype end = i + 1;
    while (end < chosen.size() && chosen[end] == chosen[end - 1] + 1) ++end;
    (m_marks.*change)(chosen[i], chosen[end - 1]);
    i = end;
  }
  if (!chosen.isEmpty()) showMarks();
}

void PromptEditor::keepSelected() {
  mark(&AbsorbedMarks::keep);
}

void PromptEditor::absorbSelected() {
  mark(&AbsorbedMarks::absorb);
}

/// Marks and typing are undone in the order in which they were done.
void PromptEditor::undo() {
  QTextDocument* document = m_edit->document();
  const std::optional<int> moment = m_marks.undoMoment();
  const bool marksLast = moment && *moment >= document->availableUndoSteps();
  if (!marksLast && document->isUndoAvailable()) return m_edit->undo();
  m_marks.undo();
  showMarks();
}

void PromptEditor::redo() {
  QTextDocument* document = m_edit->document();
  const std::optional<int> moment = m_marks.redoMoment();
  const bool marksNext = moment && *moment <= document->availableUndoSteps();
  if (!marksNext && document->isRedoAvailable()) return m_edit->redo();
  m_marks.redo();
  showMarks();
}

/// Tokens of which any part is selected in the text.
void PromptEditor::chooseTokensOfText(const PromptView* of) {
  if (m_choosing || of != view()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  const QTextCursor cursor = of->textCursor();
  const TokenHighlighter* tints = isChat() ? m_writtenTints : m_editTints;
  const int first = tints->tokenAt(cursor.selectionStart());
  const int last = tints->tokenAt(cursor.selectionEnd() - 1);
  const bool any = cursor.hasSelection() && first >= 0 && last >= 0;
  m_tokens->choose(any ? first : 0, any ? last : -1);
  m_keep->setEnabled(any);
  m_absorb->setEnabled(any);
}

void PromptEditor::chooseTextOfTokens() {
  const QList<int> chosen = m_tokens->chosen();
  m_keep->setEnabled(!chosen.isEmpty());
  m_absorb->setEnabled(!chosen.isEmpty());
  if (m_choosing || chosen.isEmpty() || !m_tokens->hasFocus()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  const auto spans = textSpans(view()->toPlainText(), m_marks.tokens());
  QTextCursor cursor = view()->textCursor();
  cursor.setPosition(spans[std::size_t(chosen.first())].begin);
  cursor.setPosition(spans[std::size_t(chosen.last())].end, QTextCursor::KeepAnchor);
  view()->setTextCursor(cursor);
}

void PromptEditor::showPrepared(std::shared_ptr<const PreparedPrompt> prompt) {
  if (!isChat() || prompt->source != m_asked) return;
  m_written->showText(QString::fromStdString(prompt->text));
  showPrompt(std::move(prompt));
}

void PromptEditor::showProblem(const QString& sentence) {
  if (!isChat()) return;
  m_written->showText({});
  showPrompt(nullptr);
  m_count->setText(sentence);
}

QString PromptEditor::toolTipAt(const PromptView* of, const QPoint& viewPosition) const {
  const TokenHighlighter* tints = of == m_edit ? m_editTints : m_writtenTints;
  const int index = tints->tokenAt(of->cursorForPosition(viewPosition).position());
  return m_tokenModel.index(index).data(Qt::ToolTipRole).toString();
}

bool PromptEditor::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::eventFilter(watched, event);
  const auto* help = static_cast<QHelpEvent*>(event);
  PromptView* of = watched == m_written->viewport() ? m_written : m_edit;
  QToolTip::showText(help->globalPos(), toolTipAt(of, help->pos()), of);
  return true;
}

}  // namespace equipatch
