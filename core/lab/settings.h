#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/record/lab_result.h"

namespace equipatch {

/// Something of an experiment that may be changed, with its defaults.
struct LabSetting {
  std::string name;
  std::string meaning;  ///< half a sentence, for people
  LabValue quick;       ///< at most half a minute on two cores, with the others' quick
  LabValue paper;       ///< what the paper did; of the same type
  double low = 0.0;     ///< bounds of a number, both allowed
  double high = 0.0;
  std::vector<std::string> allowed = {};  ///< texts; empty: any
  bool isModel = false;  ///< a text that is a folder or a name that `models` lists
};

/// The same quick and as in the paper: a text, or a whole number from 1.
LabSetting textSetting(std::string name, std::string meaning, std::string value,
                       std::vector<std::string> allowed = {});
LabSetting countSetting(std::string name, std::string meaning, std::int64_t value,
                        double high);
/// "model".
LabSetting modelSetting(std::string value);
/// "dtype", of all computation.
LabSetting dtypeSetting();

enum class LabPreset { Quick, Paper };

/// A value for every setting of an experiment. Values are always within bounds.
class LabSettings {
 public:
  LabSettings(std::vector<LabSetting> table, LabPreset preset);

  /// @throws Error{BadInput} naming the setting, what is allowed and what was given.
  void set(std::string_view name, std::string_view text);

  const std::vector<LabSetting>& table() const { return m_table; }
  // Of a setting that the experiment declared with that type.
  std::int64_t count(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  /// For a result, which others may read: of a folder only the model's name.
  std::vector<LabChoice> choices() const;
  /// "quick", "paper", or "own" where something was changed.
  std::string preset() const;

 private:
  std::size_t place(std::string_view name) const;

  std::vector<LabSetting> m_table;
  std::vector<LabValue> m_values;
  LabPreset m_preset;
};

/// Of an experiment with a `dtypeSetting`.
DType dtypeOf(const LabSettings& settings);

/// As `set` understands it.
std::string toText(const LabValue& value);

}  // namespace equipatch
