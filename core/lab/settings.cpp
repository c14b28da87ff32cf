// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/settings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/number_from.h"
#include "core/base/strings.h"
#include "core/checkpoint/model_cache.h"

namespace equipatch {
namespace {

const LabValue& presetValue(const LabSetting& setting, LabPreset preset) {
  return preset == LabPreset::Quick ? setting.quick : setting.paper;
}

template <typename T>
T parseNumber(const LabSetting& setting, std::string_view text) {
  const auto value = numberFrom<T>(text);
  const bool valid = value && static_cast<double>(*value) >= setting.low &&
                     static_cast<double>(*value) <= setting.high;
  if (!valid)
    throw badInput(setting.name + ": expected a " +
                   (std::is_integral_v<T> ? "whole number" : "number") + " from " +
                   toText(static_cast<T>(setting.low)) + " to " +
                   toText(static_cast<T>(setting.high)) + ", found " + inQuotes(text));
  return *value;
}

std::string parseText(const LabSetting& setting, std::string_view text) {
  if (setting.isModel && text.empty())
    throw badInput(setting.name + ": the name is empty; give " + setting.meaning);
  const auto& allowed = setting.allowed;
  if (!allowed.empty() &&
      std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    throw badInput(setting.name + ": expected one of " + joined(allowed) + ", found " +
                   inQuotes(text));
  return std::string(text);
}

}  // namespace

LabSetting textSetting(std::string name, std::string meaning, std::string value,
                       std::vector<std::string> allowed) {
  return {std::move(name),   std::move(meaning), value, value, 0.0, 0.0,
          std::move(allowed)};
}

LabSetting countSetting(std::string name, std::string meaning, std::int64_t value,
                        double high) {
  return {std::move(name), std::move(meaning), value, value, 1.0, high};
}

LabSetting modelSetting(std::string value) {
  LabSetting setting =
      textSetting("model", "a folder or a name that `models` lists", std::move(value));
  setting.isModel = true;
  return setting;
}

LabSetting dtypeSetting() {
  return textSetting("dtype", "the dtype of all computation", "float32",
                     {"float32", "float64"});
}

DType dtypeOf(const LabSettings& settings) {
  return settings.text("dtype") == "float64" ? DType::F64 : DType::F32;
}

LabSettings::LabSettings(std::vector<LabSetting> table, LabPreset preset)
    : m_table(std::move(table)), m_preset(preset) {
  for (const LabSetting& setting : m_table)
    m_values.push_back(presetValue(setting, preset));
}

std::size_t LabSettings::indexOf(std::string_view name) const {
  const auto found = std::find_if(m_table.begin(), m_table.end(),
                                  [&](const auto& each) { return each.name == name; });
  if (found != m_table.end()) return static_cast<std::size_t>(found - m_table.begin());
  std::vector<std::string> names;
  for (const LabSetting& setting : m_table) names.push_back(setting.name);
  throw badInput("the experiment has no setting " + inQuotes(name) + "; it has " +
                 joined(names));
}

void LabSettings::set(std::string_view name, std::string_view text) {
  const std::size_t index = indexOf(name);
  const LabSetting& setting = m_table[index];
  if (std::holds_alternative<std::int64_t>(setting.quick))
    m_values[index] = parseNumber<std::int64_t>(setting, text);
  else if (std::holds_alternative<double>(setting.quick))
    m_values[index] = parseNumber<double>(setting, text);
  else
    m_values[index] = parseText(setting, text);
}

std::int64_t LabSettings::count(std::string_view name) const {
  return std::get<std::int64_t>(m_values[indexOf(name)]);
}

double LabSettings::number(std::string_view name) const {
  return std::get<double>(m_values[indexOf(name)]);
}

const std::string& LabSettings::text(std::string_view name) const {
  return std::get<std::string>(m_values[indexOf(name)]);
}

std::vector<LabChoice> LabSettings::choices() const {
  std::vector<LabChoice> all;
  for (std::size_t index = 0; index < m_table.size(); ++index)
    all.push_back({m_table[index].name,
                   m_table[index].isModel
                       ? modelNameOfWord(std::get<std::string>(m_values[index]))
                       : m_values[index]});
  return all;
}

std::string LabSettings::preset() const {
  for (std::size_t index = 0; index < m_table.size(); ++index)
    if (m_values[index] != presetValue(m_table[index], m_preset)) return "own";
  return m_preset == LabPreset::Quick ? "quick" : "paper";
}

std::string toText(const LabValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::int64_t>(&value))
    return std::to_string(*count);
  return exactText(std::get<double>(value));
}

namespace {

/// The experiment categorical decomposes matrices [words, words], in cubic time.
constexpr std::size_t kMostWords = 512;
constexpr std::string_view kSpaces = " \t\r\n";

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSpaces, end);
    if (begin == std::string_view::npos) return all;
    end = std::min(text.find_first_of(kSpaces, begin), text.size());
    all.push_back(text.substr(begin, end - begin));
  }
}

}  // namespace

TokenSequence readTokens(std::string_view text) {
  const auto all = words(text);
  if (all.size() < 2 || all.size() > kMostWords)
    throw badInput("text: expected 2 to " + std::to_string(kMostWords) +
                   " words separated by spaces, found " + std::to_string(all.size()));
  TokenSequence sequence;
  for (const std::string_view word : all) {
    const auto found =
        std::find(sequence.vocabulary.begin(), sequence.vocabulary.end(), word);
    sequence.ids.push_back(found - sequence.vocabulary.begin());
    if (found == sequence.vocabulary.end()) sequence.vocabulary.emplace_back(word);
  }
  return sequence;
}

}  // namespace equipatch
