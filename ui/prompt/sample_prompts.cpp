// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/sample_prompts.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <span>

#include "core/base/error.h"
#include "core/base/hash.h"

namespace equipatch {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("SamplePrompts", text);
}

SamplePrompt promptOf(const QJsonObject& object) {
  SamplePrompt prompt{object[QLatin1String("title")].toString(),
                      object[QLatin1String("text")].toString(),
                      object[QLatin1String("bundled")].toBool(),
                      object[QLatin1String("picture")].toString()};
  if (prompt.title.isEmpty() || prompt.text.isEmpty())
    throw badInput("a sample prompt should have a \"title\" and a \"text\"");
  if (prompt.text.contains(kPicturePlace) == prompt.picture.isEmpty())
    throw badInput(
        "a sample prompt should have a \"picture\" if its text has <start_of_image>, and "
        "none otherwise");
  return prompt;
}

enum class Section { Text, Pictures, Larger };

Section sectionOf(const SamplePrompt& prompt) {
  if (!prompt.picture.isEmpty()) return Section::Pictures;
  return prompt.bundled ? Section::Text : Section::Larger;
}

void addSection(QMenu& menu, const QString& heading, Section section) {
  menu.addSection(heading);
  const std::vector<SamplePrompt>& prompts = samplePrompts();
  for (std::size_t at = 0; at < prompts.size(); ++at)
    if (sectionOf(prompts[at]) == section) {
      QAction* action = menu.addAction(prompts[at].title);
      action->setData(int(at));
      action->setToolTip(QString(prompts[at].text).remove(kPicturePlace));
    }
}

void addPictureSection(QMenu& menu) {
  addSection(menu, translated("Images, for the vision model"), Section::Pictures);
}

}  // namespace

std::vector<SamplePrompt> readSamplePrompts(const QByteArray& json) {
  const QJsonDocument document = QJsonDocument::fromJson(json);
  if (!document.isArray()) throw badInput("the sample prompts should be a JSON list");
  std::vector<SamplePrompt> prompts;
  for (const QJsonValue& value : document.array())
    prompts.push_back(promptOf(value.toObject()));
  return prompts;
}

const std::vector<SamplePrompt>& samplePrompts() {
  static const std::vector<SamplePrompt> prompts = [] {
    QFile file(QStringLiteral(":/controls/prompts.json"));
    const bool opened = file.open(QIODevice::ReadOnly);  // compiled in: always there
    return opened ? readSamplePrompts(file.readAll()) : std::vector<SamplePrompt>();
  }();
  return prompts;
}

PromptParts SamplePrompt::parts() const {
  if (picture.isEmpty()) return {text};
  QFile file(QStringLiteral(":/pictures/") + picture);
  if (!file.open(QIODevice::ReadOnly))
    throw badInput("the sample image " + inQuotes(picture.toStdString()) +
                   " is not one of the program's");
  PictureFile made{
      .name = picture.toStdString(), .sha256 = {}, .bytes = file.readAll().toStdString()};
  made.sha256 = sha256(std::as_bytes(std::span(made.bytes)));
  return partsOf(text, {std::make_shared<const PictureFile>(std::move(made))});
}

void fillWithSamplePrompts(QMenu& menu) {
  menu.setToolTipsVisible(true);
  addPictureSection(menu);
  addSection(menu, translated("The bundled model can answer"), Section::Text);
  addSection(menu, translated("For larger models"), Section::Larger);
}

}  // namespace equipatch
