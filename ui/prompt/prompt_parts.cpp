// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_parts.h"

#include <utility>

namespace equipatch {

Pictures PromptParts::files() const {
  Pictures files;
  for (const Place& place : pictures) files.push_back(place.picture);
  return files;
}

QString PromptParts::written(const QString& place) const {
  QString result;
  int from = 0;
  for (const Place& picture : pictures) {
    result += QStringView(text).mid(from, picture.position - from);
    result += place;
    from = picture.position + 1;
  }
  return result + text.mid(from);
}

void PromptParts::append(std::shared_ptr<const PictureFile> picture) {
  pictures.push_back({int(text.size()), std::move(picture)});
  text += QChar(QChar::ObjectReplacementCharacter);
}

PromptParts partsOf(const QString& text, const Pictures& pictures) {
  PromptParts parts;
  qsizetype from = 0;
  for (const auto& picture : pictures) {
    const qsizetype at = text.indexOf(kPicturePlace, from);
    if (at < 0) break;
    parts.append(text.mid(from, at - from));
    parts.append(picture);
    from = at + kPicturePlace.size();
  }
  parts.append(text.mid(from));
  return parts;
}

PromptParts partsOf(const std::vector<std::string>& texts, const Pictures& pictures) {
  PromptParts parts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) parts.append(pictures.at(i - 1));
    parts.append(QString::fromStdString(texts[i]));
  }
  return parts;
}

PromptParts partsOf(const std::string& text, const std::vector<ImageSpan>& spans,
                    const std::vector<PromptImage>& images) {
  if (spans.size() != images.size()) return {QString::fromStdString(text)};
  std::vector<std::string> texts;
  Pictures pictures;
  std::size_t from = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    texts.push_back(text.substr(from, spans[i].written.begin - from));
    pictures.push_back(images[i].picture);
    from = spans[i].written.end;
  }
  texts.push_back(text.substr(from));
  return partsOf(texts, pictures);
}

PromptParts idPartsOf(const std::vector<Token>& prompt,
                      const std::vector<PromptImage>& images) {
  PromptParts parts;
  auto image = images.begin();
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    if (i > 0) parts.append(QStringLiteral(", "));
    if (image != images.end() && image->tokens.first == std::int64_t(i))
      parts.append((image++)->picture);
    parts.append(QString::number(prompt[i].id.value));
  }
  return parts;
}

}  // namespace equipatch
