// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/settings_form.h"

#include <QStandardItemModel>
#include <algorithm>
#include <limits>

namespace equipatch {
namespace {

QString shown(const std::string& text) {
  return QString::fromStdString(text);
}

QSpinBox* spinBox(double low, double high) {
  constexpr double kMost = std::numeric_limits<int>::max();
  auto* box = new QSpinBox;
  box->setRange(int(low), int(std::min(high, kMost)));
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  return box;
}

QComboBox* choiceBox(const std::vector<std::string>& allowed) {
  auto* box = new QComboBox;
  for (const std::string& each : allowed) box->addItem(shown(each));
  return box;
}

QWidget* fieldFor(const LabSetting& setting) {
  if (std::holds_alternative<std::int64_t>(setting.quick))
    return spinBox(setting.low, setting.high);
  if (!setting.allowed.empty()) return choiceBox(setting.allowed);
  // No validator: it would drop the minus of "-1" and leave 1, another valid number.
  return new QLineEdit;
}

QString textOf(const QWidget& field) {
  if (const auto* box = qobject_cast<const QSpinBox*>(&field))
    return QString::number(box->value());
  if (const auto* box = qobject_cast<const QComboBox*>(&field)) return box->currentText();
  return dynamic_cast<const QLineEdit&>(field).text();
}

void setText(QWidget& field, const QString& text) {
  if (auto* box = qobject_cast<QSpinBox*>(&field)) return box->setValue(text.toInt());
  if (auto* box = qobject_cast<QComboBox*>(&field)) return box->setCurrentText(text);
  auto& edit = dynamic_cast<QLineEdit&>(field);
  edit.setText(text);
  edit.setCursorPosition(0);
}

template <typename Changed>
void watch(QWidget& field, SettingsForm* owner, Changed changed) {
  if (auto* number = qobject_cast<QSpinBox*>(&field))
    QObject::connect(number, &QSpinBox::valueChanged, owner, changed);
  else if (auto* box = qobject_cast<QComboBox*>(&field))
    QObject::connect(box, &QComboBox::currentTextChanged, owner, changed);
  else if (auto* edit = qobject_cast<QLineEdit*>(&field))
    QObject::connect(edit, &QLineEdit::textChanged, owner, changed);
}

/// Compares numbers by value: "0.10" equals "0.1".
bool equalValues(const LabSetting& setting, const QString& a, const QString& b) {
  if (!std::holds_alternative<double>(setting.quick)) return a == b;
  return QLocale::c().toDouble(a) == QLocale::c().toDouble(b);
}

/// "mlp_width" is shown as "mlp width".
QString label(const LabSetting& setting) {
  return shown(setting.name).replace(u'_', u' ');
}

}  // namespace

SettingsForm::SettingsForm(QWidget* parent)
    : QWidget(parent),
      m_presets(new QComboBox),
      m_seed(spinBox(0.0, std::numeric_limits<int>::max())),
      m_rows(new QFormLayout(this)) {
  m_presets->addItems({tr("Quick"), tr("As in the paper"), tr("Changed")});
  // The form shows "Changed"; the user cannot choose it.
  qobject_cast<QStandardItemModel*>(m_presets->model())
      ->item(kChanged)
      ->setEnabled(false);
  m_presets->setToolTip(tr("Quick: at most half a minute on two cores"));
  m_seed->setToolTip(tr("Seed of the tasks, initial weights and training batches"));
  m_rows->setContentsMargins({});
  m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_rows->addRow(tr("&Preset"), m_presets);
  m_rows->addRow(tr("See&d"), m_seed);
  connect(m_presets, &QComboBox::activated, this, &SettingsForm::choosePreset);
}

void SettingsForm::restoreDefaults() {
  m_suggestions.clear();
  m_seed->setValue(0);
  choosePreset(int(LabPreset::Quick));
}

SettingsForm::State SettingsForm::state() const {
  State now{m_preset, m_suggestions, {}, m_seed->value()};
  for (const QWidget* each : m_fields) now.texts << textOf(*each);
  return now;
}

void SettingsForm::restore(const State& state) {
  m_preset = state.preset;
  m_suggestions = state.suggestions;
  m_seed->setValue(state.seed);
  const std::size_t count = std::min(m_fields.size(), std::size_t(state.texts.size()));
  for (std::size_t i = 0; i < count; ++i) setText(*m_fields[i], state.texts[int(i)]);
  showPreset();
}

void SettingsForm::choosePreset(int index) {
  if (index == kChanged) return;
  m_preset = LabPreset(index);
  fill();
}

void SettingsForm::setExperiment(const Experiment& experiment) {
  for (QWidget* field : m_fields) m_rows->removeRow(field);
  m_fields.clear();
  m_table = experiment.settings;
  for (const LabSetting& setting : m_table) addField(setting);
  fill();
}

void SettingsForm::addField(const LabSetting& setting) {
  QWidget* field = fieldFor(setting);
  field->setToolTip(shown(setting.meaning));
  field->setAccessibleName(label(setting));
  field->setAccessibleDescription(shown(setting.meaning));
  m_rows->addRow(label(setting), field);
  m_fields.push_back(field);
  watch(*field, this, [this] { showPreset(); });
}

void SettingsForm::setSuggestion(const QString& setting, const QString& text) {
  m_suggestions.insert(setting, text);
  if (QWidget* there = field(setting)) setText(*there, text);
  showPreset();
}

QString SettingsForm::presetText(const LabSetting& setting) const {
  const LabValue& value = m_preset == LabPreset::Quick ? setting.quick : setting.paper;
  return m_suggestions.value(shown(setting.name), shown(toText(value)));
}

void SettingsForm::fill() {
  for (std::size_t i = 0; i < m_fields.size(); ++i)
    setText(*m_fields[i], presetText(m_table[i]));
  showPreset();
}

void SettingsForm::showPreset() {
  bool changed = false;
  for (std::size_t i = 0; i < m_fields.size(); ++i)
    changed =
        changed || !equalValues(m_table[i], textOf(*m_fields[i]), presetText(m_table[i]));
  m_presets->setCurrentIndex(changed ? kChanged : int(m_preset));
}

LabSettings SettingsForm::settings() const {
  LabSettings settings(m_table, m_preset);
  for (std::size_t i = 0; i < m_fields.size(); ++i)
    settings.set(m_table[i].name, textOf(*m_fields[i]).toStdString());
  return settings;
}

QWidget* SettingsForm::field(const QString& setting) const {
  for (std::size_t i = 0; i < m_fields.size(); ++i)
    if (shown(m_table[i].name) == setting) return m_fields[i];
  return nullptr;
}

}  // namespace equipatch
