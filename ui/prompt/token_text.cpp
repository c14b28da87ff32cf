#include "ui/prompt/token_text.h"

namespace equipatch {
namespace {

QChar visible(QChar c) {
  if (c == u'\n' || c == u'\r') return QChar(u'↵');
  if (c == u'\t') return QChar(u'→');
  if (c.category() == QChar::Other_Control) return QChar(QChar::ReplacementCharacter);
  return c;
}

}  // namespace

QString visibleToken(const std::string& text, TokenId id) {
  if (text.empty()) return u'#' + QString::number(id.value);
  QString result = QString::fromStdString(text);
  for (QChar& c : result) c = visible(c);
  for (qsizetype i = 0; i < result.size() && result[i] == u' '; ++i)
    result[i] = QChar(u'·');
  for (qsizetype i = result.size() - 1; i >= 0 && result[i] == u' '; --i)
    result[i] = QChar(u'·');
  return result;
}

}  // namespace equipatch
