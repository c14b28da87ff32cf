#include "ui/prompt/prompt_token_model.h"

#include <utility>

#include "ui/prompt/token_display.h"

namespace equipatch {

void PromptTokenModel::tokensChanged(std::string text) {
  beginResetModel();
  m_text = std::move(text);
  m_rows = int(m_marks.tokens().size());
  endResetModel();
}

void PromptTokenModel::marksChanged() {
  if (m_rows > 0) Q_EMIT dataChanged(index(0), index(m_rows - 1));
}

int PromptTokenModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_rows;
}

QVariant PromptTokenModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_rows) return {};
  const Token& token = m_marks.tokens()[std::size_t(index.row())];
  const bool kept = m_marks.keeps(index.row());
  const QString text = visibleToken(token, m_text);
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case KeptRole:
      return kept;
    case SpecialRole:
      return token.special;
    case Qt::ToolTipRole:
      return tr("token %1: %2, id %3\n%4")
          .arg(index.row())
          .arg(text)
          .arg(token.id.value)
          .arg(kept ? tr("kept: the patched pass still sees it")
                    : tr("absorbed: the patch stands for it"));
    case Qt::AccessibleTextRole:
      return tr("token %1: %2, %3")
          .arg(index.row())
          .arg(text, kept ? tr("kept") : tr("absorbed"));
    default:
      return {};
  }
}

}  // namespace equipatch
