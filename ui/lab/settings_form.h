// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QMap>
#include <QSpinBox>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/lab/experiment.h"

namespace equipatch {

/// A field for each setting of an experiment. Integer fields enforce their bounds;
/// settings() checks the bounds of other numbers. The preset box shows "Changed" when a
/// field differs from the preset.
class SettingsForm final : public QWidget {
  Q_OBJECT

 public:
  /// The form's contents for one experiment.
  struct State {
    LabPreset preset = LabPreset::Quick;  ///< chosen last
    QMap<QString, QString> suggestions;
    QStringList texts;  ///< of the fields, in the order of the settings
    int seed = 0;
  };

  explicit SettingsForm(QWidget* parent = nullptr);

  /// Shows this experiment's settings with the values of the preset chosen last.
  void setExperiment(const Experiment& experiment);
  /// Shows the values of the quick preset and the seed 0, and forgets suggestions.
  void restoreDefaults();
  State state() const;
  /// @param state of the experiment that is shown
  void restore(const State& state);
  /// Replaces a setting's value in its field and in both presets of every experiment.
  void setSuggestion(const QString& setting, const QString& text);

  /// @throws Error{BadInput} naming the setting, what is allowed and what was given.
  LabSettings settings() const;
  std::uint64_t seed() const { return std::uint64_t(m_seed->value()); }

  QComboBox* presets() const { return m_presets; }
  QSpinBox* seedBox() const { return m_seed; }
  /// Null if the experiment does not have the setting.
  QWidget* field(const QString& setting) const;

 private:
  void addField(const LabSetting& setting);
  void choosePreset(int index);
  void fill();
  QString presetText(const LabSetting& setting) const;
  void showPreset();

  static constexpr int kChanged = 2;  ///< index after the presets

  LabPreset m_preset = LabPreset::Quick;  ///< chosen last
  std::vector<LabSetting> m_table;
  QMap<QString, QString> m_suggestions;
  std::vector<QWidget*> m_fields;  ///< in the order of the table
  QComboBox* m_presets;
  QSpinBox* m_seed;
  QFormLayout* m_rows;
};

}  // namespace equipatch
