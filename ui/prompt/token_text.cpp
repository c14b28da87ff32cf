#include "ui/prompt/token_text.h"

#include "core/text/visible_text.h"

namespace equipatch {
namespace {

QString orId(const std::string& visible, TokenId id) {
  return visible.empty() ? u'#' + QString::number(id.value)
                         : QString::fromStdString(visible);
}

}  // namespace

QString visibleToken(const std::string& text, TokenId id) {
  return orId(visibleText(text), id);
}

QString visibleToken(const Token& token, const std::string& prompt) {
  return orId(visibleText(token, prompt), token.id);
}

}  // namespace equipatch
