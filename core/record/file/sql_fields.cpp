// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/sql_fields.h"

#include <string_view>

#include "core/base/number_from.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostEntries = 1'000'000;  // of a list in a cell

std::string found(const SqlValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return inQuotes(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell))
    return std::to_string(*number);
  return std::holds_alternative<double>(cell) ? "a fraction" : "nothing";
}

[[noreturn]] void refuse(const char* expected, const SqlValue& cell) {
  throw badInput(std::string("expected ") + expected + ", found " + found(cell));
}

const std::string& textOf(const char* expected, const SqlValue& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  if (!text) refuse(expected, cell);
  return *text;
}

template <typename Enum, typename Parse>
Enum named(const char* expected, const SqlValue& cell, Parse parse) {
  const std::optional<Enum> value = parse(textOf(expected, cell));
  if (!value) refuse(expected, cell);
  return *value;
}

std::optional<Execution> executionFromName(std::string_view name) {
  if (name == "lockstep") return Execution::Lockstep;
  if (name == "separate") return Execution::Separate;
  return std::nullopt;
}

std::optional<SpecialTokens> specialsFromName(std::string_view name) {
  if (name == "added") return SpecialTokens::Add;
  if (name == "omitted") return SpecialTokens::Omit;
  if (name == "written") return SpecialTokens::Written;
  return std::nullopt;
}

std::vector<std::string> entries(const SqlValue& cell) {
  const std::string& text = textOf("a list", cell);
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (list.size() == kMostEntries) refuse("a shorter list", cell);
    list.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return list;
}

}  // namespace

SqlValue toSql(DType dtype) {
  return std::string(torchName(dtype));
}

SqlValue toSql(WeightPlace place) {
  return std::string(weightPlaceName(place));
}

SqlValue toSql(Method method) {
  return std::string(name(method));
}

SqlValue toSql(Loop loop) {
  return std::string(name(loop));
}

SqlValue toSql(Application application) {
  return std::string(name(application));
}

SqlValue toSql(Execution execution) {
  return execution == Execution::Lockstep ? "lockstep" : "separate";
}

SqlValue toSql(SpecialTokens specials) {
  switch (specials) {
    case SpecialTokens::Add:
      return "added";
    case SpecialTokens::Omit:
      return "omitted";
    case SpecialTokens::Written:
      return "written";
  }
  return nullptr;
}

SqlValue toSql(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

SqlValue toSql(const std::vector<PositionRange>& ranges) {
  std::vector<std::int64_t> bounds;
  for (const PositionRange& range : ranges)
    bounds.insert(bounds.end(), {range.first, range.last});
  return toSql(bounds);
}

SqlValue toSql(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

void fromSql(const SqlValue& cell, std::int64_t& number) {
  const auto* stored = std::get_if<std::int64_t>(&cell);
  if (!stored || *stored < 0) refuse("a whole number that is not negative", cell);
  number = *stored;
}

void fromSql(const SqlValue& cell, std::uint64_t& number) {
  const auto* stored = std::get_if<std::int64_t>(&cell);
  if (!stored) refuse("a whole number", cell);
  number = static_cast<std::uint64_t>(*stored);
}

void fromSql(const SqlValue& cell, bool& flag) {
  const auto* stored = std::get_if<std::int64_t>(&cell);
  if (!stored || (*stored != 0 && *stored != 1)) refuse("0 or 1", cell);
  flag = *stored == 1;
}

void fromSql(const SqlValue& cell, std::optional<bool>& flag) {
  flag.reset();
  if (!std::holds_alternative<std::nullptr_t>(cell)) fromSql(cell, flag.emplace());
}

void fromSql(const SqlValue& cell, double& number) {
  if (const auto* stored = std::get_if<double>(&cell))
    number = *stored;
  else if (const auto* whole = std::get_if<std::int64_t>(&cell))
    number = static_cast<double>(*whole);
  else if (cell == SqlValue("nan"))
    number = std::numeric_limits<double>::quiet_NaN();
  else
    refuse("a number", cell);
}

void fromSql(const SqlValue& cell, std::string& text) {
  text = textOf("a text", cell);
}

void fromSql(const SqlValue& cell, DType& dtype) {
  dtype = named<DType>("a dtype", cell, dtypeFromTorchName);
}

void fromSql(const SqlValue& cell, WeightPlace& place) {
  place = named<WeightPlace>("resident or mapped", cell, weightPlaceFromName);
}

void fromSql(const SqlValue& cell, Method& method) {
  method = named<Method>("a method", cell, methodFromName);
}

void fromSql(const SqlValue& cell, Loop& loop) {
  loop = named<Loop>("a loop", cell, loopFromName);
}

void fromSql(const SqlValue& cell, Application& application) {
  application = named<Application>("an application", cell, applicationFromName);
}

void fromSql(const SqlValue& cell, Execution& execution) {
  execution = named<Execution>("an execution", cell, executionFromName);
}

void fromSql(const SqlValue& cell, SpecialTokens& specials) {
  specials = named<SpecialTokens>("added, omitted or written", cell, specialsFromName);
}

void fromSql(const SqlValue& cell, std::vector<std::int64_t>& numbers) {
  numbers.clear();
  for (const std::string& entry : entries(cell)) {
    const auto number = numberFrom<std::int64_t>(entry);
    if (!number || *number < 0) refuse("whole numbers between commas", cell);
    numbers.push_back(*number);
  }
}

void fromSql(const SqlValue& cell, std::vector<PositionRange>& ranges) {
  std::vector<std::int64_t> bounds;
  fromSql(cell, bounds);
  if (bounds.size() % 2 != 0) refuse("first and last positions in pairs", cell);
  ranges.clear();
  for (std::size_t at = 0; at < bounds.size(); at += 2)
    ranges.push_back({bounds[at], bounds[at + 1]});
}

void fromSql(const SqlValue& cell, std::vector<std::string>& names) {
  names = entries(cell);
}

}  // namespace equipatch
