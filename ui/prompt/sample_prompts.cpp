// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/sample_prompts.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include "core/base/error.h"

namespace equipatch {
namespace {

QString translated(const char* text) {
  return QCoreApplication::translate("SamplePrompts", text);
}

SamplePrompt promptOf(const QJsonObject& object) {
  SamplePrompt prompt{object[QLatin1String("title")].toString(),
                      object[QLatin1String("text")].toString(),
                      object[QLatin1String("bundled")].toBool()};
  if (prompt.title.isEmpty() || prompt.text.isEmpty())
    throw badInput("a sample prompt should have a \"title\" and a \"text\"");
  return prompt;
}

void addSection(QMenu& menu, const QString& heading, bool bundled) {
  menu.addSection(heading);
  for (const SamplePrompt& prompt : samplePrompts())
    if (prompt.bundled == bundled) {
      QAction* action = menu.addAction(prompt.title);
      action->setData(prompt.text);
      action->setToolTip(prompt.text);
    }
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

void fillWithSamplePrompts(QMenu& menu) {
  menu.setToolTipsVisible(true);
  addSection(menu, translated("The bundled model can answer"), true);
  addSection(menu, translated("For larger models"), false);
}

}  // namespace equipatch
