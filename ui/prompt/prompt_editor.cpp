#include "ui/prompt/prompt_editor.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {
constexpr int kDelayMilliseconds = 120;  // after the last key
}

PromptEditor::PromptEditor(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_edit(new QPlainTextEdit(this)),
      m_count(new QLabel(this)),
      m_highlighter(new TokenHighlighter(m_edit->document(), theme)) {
  m_edit->setObjectName(QStringLiteral("prompt"));
  m_edit->setAccessibleName(tr("Prompt"));
  m_edit->setPlaceholderText(tr("Type a prompt, for example:\nOnce upon a time"));
  m_edit->setTabChangesFocus(true);
  m_edit->setMinimumHeight(60);
  m_edit->viewport()->installEventFilter(this);
  m_count->setObjectName(QStringLiteral("muted"));
  m_count->setWordWrap(true);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 6);
  layout->setSpacing(3);
  layout->addWidget(m_edit, 1);
  layout->addWidget(m_count);
  connect(m_edit, &QPlainTextEdit::textChanged, this, &PromptEditor::textChanged);
  connect(&m_delay, &QTimer::timeout, this, &PromptEditor::tokenize);
  tokenize();
}

void PromptEditor::setTokenizer(std::shared_ptr<const Tokenizer> tokenizer) {
  m_tokenizer = std::move(tokenizer);
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
  if (m_tokenizer && !m_tokenized.isEmpty())
    m_tokens = m_tokenizer->encode(m_tokenized.toStdString(), SpecialTokens::Add);
  m_highlighter->setSpans(textSpans(m_tokenized, m_tokens));
  if (!m_tokenizer)
    m_count->setText(tr("Tokens are counted when a model with a tokenizer is loaded."));
  else
    m_count->setText(equipatch::countText(tokenCount(), QStringLiteral("token")));
}

QString PromptEditor::toolTipAt(const QPoint& viewPosition) const {
  const int index =
      m_highlighter->tokenAt(m_edit->cursorForPosition(viewPosition).position());
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
  QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), m_edit);
  return true;
}

}  // namespace equipatch
