#pragma once

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QMap>
#include <QSpinBox>
#include <QWidget>
#include <vector>

#include "core/lab/experiment.h"

namespace equipatch {

/// Fields for what may be changed of an experiment, each of its setting's type and within
/// its bounds; a preset fills them, and is called "Changed" when one says something else.
class SettingsForm final : public QWidget {
  Q_OBJECT

 public:
  explicit SettingsForm(QWidget* parent = nullptr);

  /// Fields of this experiment, as the preset says.
  void setExperiment(const Experiment& experiment);
  /// From now on, what the setting of that name is filled with instead of its default.
  void offer(const QString& setting, const QString& text);

  /// @throws Error{BadInput} naming the setting, what is allowed and what was given.
  LabSettings settings() const;
  std::uint64_t seed() const { return std::uint64_t(m_seed->value()); }

  QComboBox* presets() const { return m_presets; }
  QSpinBox* seedBox() const { return m_seed; }
  /// The field of a setting; null when there is none.
  QWidget* field(const QString& setting) const;

 private:
  void addField(const LabSetting& setting);
  void choosePreset(int index);
  void fill();
  QString presetText(const LabSetting& setting) const;
  void tellPreset();

  static constexpr int kChanged = 2;  ///< behind the presets

  LabPreset m_preset = LabPreset::Quick;  ///< that was chosen last
  std::vector<LabSetting> m_table;
  QMap<QString, QString> m_offers;
  std::vector<QWidget*> m_fields;  ///< in the order of the table
  QComboBox* m_presets;
  QSpinBox* m_seed;
  QFormLayout* m_rows;
};

}  // namespace equipatch
