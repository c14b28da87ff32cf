#include "core/figure/token_label.h"

#include "core/base/utf8.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostCharacters = 14;

std::string visible(std::string_view character) {
  if (character == "\n" || character == "\r") return "↵";
  if (character == "\t") return "→";
  if (static_cast<unsigned char>(character.front()) < 0x20 || character == "\x7f")
    return "\uFFFD";
  return std::string(character);
}

std::string_view withoutLeadingSpaces(std::string_view text) {
  const std::size_t word = text.find_first_not_of(' ');
  return word == std::string_view::npos ? text : text.substr(word);
}

}  // namespace

std::string tokenLabel(std::string_view text) {
  const std::string valid = replaceInvalidUtf8(text);
  std::string_view rest = withoutLeadingSpaces(valid);
  std::string label;
  for (std::size_t count = 0; !rest.empty(); ++count) {
    if (count == kMostCharacters) return label + "…";
    const std::size_t length = utf8Length(rest.front());
    const std::string_view character = rest.substr(0, length);
    label += rest.front() == ' ' && label.empty() ? "␣" : visible(character);
    rest.remove_prefix(length);
  }
  return label;
}

}  // namespace equipatch
