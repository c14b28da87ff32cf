// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_editor.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace equipatch {
namespace {

constexpr int kDelayMilliseconds = 120;  // after the last key

ChatSupport chatSupport(const LoadedModel* model) {
  if (!model)
    return {.reason = PromptEntry::tr("Load a model with a chat template first")};
  if (model->chat) return {.possible = true, .reason = {}};
  if (model->chatProblem.empty())
    return {.reason = PromptEntry::tr("This model comes without a chat template")};
  return {.reason = QString::fromStdString(model->chatProblem)};
}

}  // namespace

PromptEditor::PromptEditor(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_entry(new PromptEntry(theme, *this)),
      m_marking(new PromptMarking(theme, m_entry->edit(), *this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 6);
  layout->setSpacing(4);
  m_entry->addTo(*layout);
  m_marking->addTo(*layout);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  connectParts();
  setModel(nullptr);
  setFocusProxy(&m_entry->edit());
}

void PromptEditor::connectParts() {
  connect(m_entry, &PromptEntry::textChanged, this, &PromptEditor::textChanged);
  connect(m_entry, &PromptEntry::formChanged, this, &PromptEditor::prepare);
  connect(&m_delay, &QTimer::timeout, this, &PromptEditor::prepare);
  connect(m_marking, &PromptMarking::marksChanged, this, &PromptEditor::showMarks);
  connect(m_marking, &PromptMarking::chosenChanged, this,
          &PromptEditor::chooseTextOfTokens);
  for (PromptView* view : {&m_entry->edit(), &m_entry->rendered()}) {
    view->setTokenModel(m_marking->tokenModel());
    view->addActions(m_marking->actions());
    connect(view, &PromptView::undoRequested, this, &PromptEditor::undo);
    connect(view, &PromptView::redoRequested, this, &PromptEditor::redo);
    connect(view, &QTextEdit::selectionChanged, this,
            [this, view] { chooseTokensOfText(*view); });
  }
}

void PromptEditor::setModel(std::shared_ptr<const LoadedModel> model) {
  m_model = std::move(model);
  m_entry->setChatSupport(chatSupport(m_model.get()));
}

void PromptEditor::textChanged() {
  // Highlighting changes the document too, but not its text.
  if (text().toStdString() == m_requested.text) return;
  m_delay.start();
  Q_EMIT edited();
}

PromptSource PromptEditor::source() const {
  return {.text = text().toStdString(), .form = form(), .absorb = absorbed()};
}

std::shared_ptr<const PreparedPrompt> PromptEditor::prepared() const {
  if (!m_prepared || m_prepared->source != m_requested || m_delay.isActive())
    return nullptr;
  auto marked = std::make_shared<PreparedPrompt>(*m_prepared);
  marked->source.absorb = absorbed();
  marked->absorbed = m_marking->absorbed();
  return marked;
}

/// A short text is tokenized here. A job does the others: a chat, whose template runs in
/// another process, and a long text.
void PromptEditor::prepare() {
  m_delay.stop();
  m_requested = {.text = text().toStdString(), .form = form()};
  const bool hasTokenizer = m_model && m_model->tokenizer;
  m_requestedFromWorker = false;
  if (m_entry->isChat()) {
    m_entry->edit().setTokens({});
    if (m_requested.text.empty()) {
      m_entry->rendered().showText({});
      return showPrompt(nullptr);
    }
    m_prepared = nullptr;  // its tokens stay visible until the new ones are ready
    return requestFromWorker();
  }
  if (hasTokenizer && !isQuicklyPrepared(m_requested, nullptr)) {
    showPrompt(nullptr);
    return requestFromWorker();
  }
  if (hasTokenizer && !m_requested.text.empty())
    return showPrompt(std::make_shared<const PreparedPrompt>(
        preparePrompt(m_requested, *m_model->tokenizer, nullptr)));
  showPrompt(nullptr);
  if (!hasTokenizer) m_marking->showNote(tr("Tokens need a model."));
}

void PromptEditor::requestFromWorker() {
  m_requestedFromWorker = true;
  Q_EMIT preparationRequested(m_model, m_requested);
}

void PromptEditor::prepareNow() {
  if (m_delay.isActive()) prepare();
}

void PromptEditor::showPrepared(std::shared_ptr<const PreparedPrompt> prompt) {
  if (!m_requestedFromWorker || prompt->source != m_requested) return;
  if (m_entry->isChat())
    m_entry->rendered().showText(QString::fromStdString(prompt->text));
  showPrompt(std::move(prompt));
}

void PromptEditor::showProblem(const QString& sentence) {
  if (!m_requestedFromWorker) return;
  if (m_entry->isChat()) m_entry->rendered().showText({});
  showPrompt(nullptr);
  m_marking->showNote(sentence);
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
  prepareNow();
  // If the run's model is not loaded, show the recorded tokens, so that they can be
  // marked.
  if (tokenCount() == 0) showTokens(prompt);
  setAbsorbed(absorbedText(request.absorbed, std::int64_t(prompt.size())));
}

void PromptEditor::showPrompt(std::shared_ptr<const PreparedPrompt> prompt) {
  m_prepared = std::move(prompt);
  showTokens(m_prepared ? m_prepared->tokens : std::vector<Token>());
}

void PromptEditor::showTokens(std::vector<Token> tokens) {
  PromptView& view = m_entry->view();
  view.setTokens(tokens);
  m_marking->showTokens(std::move(tokens), view.toPlainText().toStdString());
}

void PromptEditor::showMarks() {
  m_entry->view().setKeptTokens(m_marking->kept());
  chooseTextOfTokens();
  Q_EMIT absorbedChanged();
}

void PromptEditor::chooseTokensOfText(const PromptView& view) {
  if (m_choosing || &view != &m_entry->view()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  m_marking->choose(view.selectedTokens());
}

void PromptEditor::chooseTextOfTokens() {
  const QList<int> chosen = m_marking->chosen();
  if (m_choosing || chosen.isEmpty() || !m_marking->hasFocus()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  m_entry->view().selectTokens({chosen.first(), chosen.last()});
}

}  // namespace equipatch
