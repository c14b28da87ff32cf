// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/dtype.h"
#include "core/record/lab_result.h"

namespace equipatch {

struct LabSetting {
  std::string name;
  std::string meaning;  ///< a phrase, shown to the user
  LabValue quick;       ///< with all quick values a run takes at most 30 s on two cores
  LabValue paper;       ///< in the preset Paper; of the same type as `quick`
  double low = 0.0;     ///< bounds of a number, inclusive
  double high = 0.0;
  std::vector<std::string> allowed = {};  ///< values of a text; empty: any text
  bool isModel = false;  ///< a text: a model's folder, or its name in `models`
};

// Settings with the same value in both presets. The lower bound of a count is 1.
LabSetting textSetting(std::string name, std::string meaning, std::string value,
                       std::vector<std::string> allowed = {});
LabSetting countSetting(std::string name, std::string meaning, std::int64_t value,
                        double high);
LabSetting modelSetting(std::string value);  ///< named "model"
LabSetting dtypeSetting();                   ///< named "dtype"

enum class LabPreset { Quick, Paper };

/// A value for every setting of an experiment, always within bounds.
class LabSettings {
 public:
  LabSettings(std::vector<LabSetting> table, LabPreset preset);

  /// @throws Error{BadInput} for an unknown name or a value that is not allowed.
  void set(std::string_view name, std::string_view text);

  const std::vector<LabSetting>& table() const { return m_table; }
  // The setting must have the type that the function returns.
  // @throws Error{BadInput} for an unknown name.
  std::int64_t count(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  /// The values for a result file. A model's folder is replaced by the model's name,
  /// because users share these files.
  std::vector<LabChoice> choices() const;
  /// "quick", "paper", or "own" if a value is not the preset's.
  std::string preset() const;

 private:
  std::size_t indexOf(std::string_view name) const;

  std::vector<LabSetting> m_table;
  std::vector<LabValue> m_values;
  LabPreset m_preset;
};

/// The value of the `dtypeSetting`.
DType dtypeOf(const LabSettings& settings);

/// The value in the form that `set` reads.
std::string toText(const LabValue& value);

/// A text's words as ids, numbered by first appearance.
struct TokenSequence {
  std::vector<std::string> vocabulary;
  std::vector<std::int64_t> ids;  ///< into `vocabulary`
};

/// Splits at white space. @throws Error{BadInput} for fewer than two or more than 512
/// words.
TokenSequence readTokens(std::string_view text);

}  // namespace equipatch
