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

/// A field for each setting of an experiment. An integer field enforces its bounds;
/// settings() checks the bounds of other numbers. A preset fills the fields; the preset
/// box shows "Changed" when a field differs from the preset.
class SettingsForm final : public QWidget {
  Q_OBJECT

 public:
  /// The form's contents for one experiment, which `restore` takes.
  struct State {
    LabPreset preset = LabPreset::Quick;  ///< chosen last
    QMap<QString, QString> suggestions;
    QStringList texts;  ///< of the fields
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
  /// Replaces a setting's value in both presets, for every experiment, and the value that
  /// its field shows.
  void setSuggestion(const QString& setting, const QString& text);

  /// @throws Error{BadInput} naming the setting, what is allowed and what was given.
  LabSettings settings() const;
  std::uint64_t seed() const { return std::uint64_t(m_seed->value()); }

  QComboBox* presets() const { return m_presets; }
  QSpinBox* seedBox() const { return m_seed; }
  /// The field of a setting; null if the experiment does not have it.
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
