// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/base/ids.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/patch/patch_options.h"
#include "core/record/file/sqlite.h"
#include "core/record/run_request.h"
#include "core/record/step_record.h"
#include "core/text/tokenizer.h"

// Conversions between fields of records and cells. Names in a list must not be empty or
// contain a comma. Every fromSql throws Error{BadInput} saying what it expected, also for
// negative signed integers and ids. The only negative value in records,
// BranchOrigin::kNotRecorded, is not stored. SQLite has no unsigned integers: a
// std::uint64_t from 2^63 on is stored as the negative number with the same bits.

namespace equipatch {

/// The name of a stored field. If a file lacks an added field, the default stays.
struct FieldName {
  // NOLINTBEGIN(google-explicit-constructor): a name is written as a literal
  FieldName(const char* name) : text(name) {}
  FieldName(std::string name) : text(std::move(name)) {}
  // NOLINTEND(google-explicit-constructor)

  std::string text;
  bool isAdded = false;  ///< after the first version of the format
};

inline FieldName added(std::string text) {
  FieldName name(std::move(text));
  name.isAdded = true;
  return name;
}

/// One number of an optional distance; NULL in a file if the distance is absent.
template <typename Distance>
struct DistancePart {
  Distance& distance;  ///< std::optional<LogitDistance>, const when written
  double LogitDistance::*part;
};

inline SqlValue toSql(std::int64_t number) {
  return number;
}
inline SqlValue toSql(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}
inline SqlValue toSql(bool flag) {
  return std::int64_t{flag};
}
inline SqlValue toSql(std::optional<bool> flag) {
  return flag ? toSql(*flag) : SqlValue(nullptr);
}
// SQLite would store NaN as NULL.
inline SqlValue toSql(double number) {
  return std::isnan(number) ? SqlValue("nan") : SqlValue(number);
}
inline SqlValue toSql(const std::string& text) {
  return text;
}
template <typename Tag>
SqlValue toSql(Id<Tag> id) {
  return id.value;
}
SqlValue toSql(DType dtype);
SqlValue toSql(WeightPlace place);
SqlValue toSql(Method method);
SqlValue toSql(Loop loop);
SqlValue toSql(Application application);
SqlValue toSql(Execution execution);
SqlValue toSql(SpecialTokens specials);
SqlValue toSql(const std::vector<std::int64_t>& numbers);  ///< "1,5,9"
SqlValue toSql(const std::vector<PositionRange>& ranges);  ///< "0,3,7,9": 0-3 and 7-9
SqlValue toSql(const std::vector<std::string>& names);     ///< "gate,up,down"
template <typename Distance>
SqlValue toSql(const DistancePart<Distance>& field) {
  return field.distance ? toSql((*field.distance).*field.part) : SqlValue(nullptr);
}

void fromSql(const SqlValue& cell, std::int64_t& number);
void fromSql(const SqlValue& cell, std::uint64_t& number);
void fromSql(const SqlValue& cell, bool& flag);
void fromSql(const SqlValue& cell, std::optional<bool>& flag);  ///< none for NULL
void fromSql(const SqlValue& cell, double& number);
void fromSql(const SqlValue& cell, std::string& text);
void fromSql(const SqlValue& cell, DType& dtype);
void fromSql(const SqlValue& cell, WeightPlace& place);
void fromSql(const SqlValue& cell, Method& method);
void fromSql(const SqlValue& cell, Loop& loop);
void fromSql(const SqlValue& cell, Application& application);
void fromSql(const SqlValue& cell, Execution& execution);
void fromSql(const SqlValue& cell, SpecialTokens& specials);
void fromSql(const SqlValue& cell, std::vector<std::int64_t>& numbers);
void fromSql(const SqlValue& cell, std::vector<PositionRange>& ranges);
void fromSql(const SqlValue& cell, std::vector<std::string>& names);
template <typename Tag>
void fromSql(const SqlValue& cell, Id<Tag>& id) {
  fromSql(cell, id.value);
}
template <typename Distance>
void fromSql(const SqlValue& cell, const DistancePart<Distance>& field) {
  if (std::holds_alternative<std::nullptr_t>(cell)) return;
  // A part that a damaged file lacks becomes NaN, because 0 would mean no difference.
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  if (!field.distance) field.distance = LogitDistance{kMissing, kMissing, kMissing};
  fromSql(cell, (*field.distance).*field.part);
}

}  // namespace equipatch
