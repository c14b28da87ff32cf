// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_settings.h"

#include <QSettings>

#include "ui/prompt/sample_prompts.h"

namespace equipatch {
namespace {

const QString kThemeKey = QStringLiteral("window/theme");
const QString kPromptKey = QStringLiteral("prompt/text");
const QString kAbsorbKey = QStringLiteral("prompt/absorb");
const QString kFormKey = QStringLiteral("prompt/form");

}  // namespace

void WindowSettings::restoreTheme() {
  m_parts.theme.setMode(Theme::Mode(QSettings().value(kThemeKey, 0).toInt()));
}

void WindowSettings::restore() {
  const QSettings settings;
  PromptEditor& prompt = m_parts.prompt;
  prompt.setText(settings.value(kPromptKey, samplePrompts().front().text).toString());
  prompt.setForm(PromptForm(settings.value(kFormKey, 0).toInt() == 1));
  prompt.setAbsorbed(
      settings.value(kAbsorbKey, QStringLiteral("all")).toString().toStdString());
  m_parts.docks.restore();
  m_parts.charts.restore();
}

void WindowSettings::save() const {
  m_parts.docks.save();
  m_parts.charts.save();
  savePromptText();
  QSettings settings;
  settings.setValue(kFormKey, int(m_parts.prompt.form()));
  settings.setValue(kAbsorbKey, QString::fromStdString(m_parts.prompt.absorbed()));
}

void WindowSettings::savePromptText() const {
  QSettings().setValue(kPromptKey, m_parts.prompt.text());
}

void WindowSettings::setThemeMode(Theme::Mode mode) {
  QSettings().setValue(kThemeKey, int(mode));
  m_parts.theme.setMode(mode);
}

}  // namespace equipatch
