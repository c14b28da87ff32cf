// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_grid.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/number_from.h"

namespace equipatch {
namespace {

std::optional<DType> floatingFromName(std::string_view name) {
  const auto dtype = dtypeFromTorchName(name);
  return dtype && isFloating(*dtype) ? dtype : std::nullopt;
}

std::optional<double> strengthFrom(std::string_view text) {
  const auto value = numberFrom<double>(text);
  if (!value || !(std::abs(*value) <= kLargestAlpha)) return std::nullopt;  // NaN, too
  return *value + 0.0;                                                      // −0 is 0
}

Error noValue(const std::string& key, std::string_view value, const char* expected) {
  return badInput("the grid's " + key + " " + inQuotes(value) +
                  " is not known; expected " + expected);
}

/// A grid under construction.
class GridReader {
 public:
  void read(std::string_view text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      readPart(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  std::vector<SweepPoint> points(DType stored) {
    const auto orDefault = [](auto& axis, auto value) {
      if (axis.empty()) axis.push_back(value);
    };
    orDefault(m_dtypes, stored);
    orDefault(m_methods, PatchOptions().method);
    orDefault(m_loops, PatchOptions().loop);
    orDefault(m_applications, PatchOptions().application);
    orDefault(m_strengths, PatchStrength().alpha);
    std::vector<SweepPoint> all;
    for (const DType dtype : m_dtypes)
      for (const Method method : m_methods)
        for (const Loop loop : m_loops)
          for (const Application application : m_applications)
            for (const double strength : m_strengths)
              all.push_back({dtype, {method, loop, application}, strength});
    return all;
  }

 private:
  void readPart(std::string_view part) {
    if (const std::size_t sign = part.find('='); sign != std::string_view::npos) {
      m_key = part.substr(0, sign);
      if (!m_keys.insert(m_key).second)
        throw badInput("the grid says " + inQuotes(m_key) +
                       " twice; list its values after one key, separated by commas");
      part.remove_prefix(sign + 1);
    }
    if (m_key == "dtype")
      add(m_dtypes, floatingFromName(part), part, "float64, float32, bfloat16, float16");
    else if (m_key == "method")
      add(m_methods, methodFromName(part), part, "balanced, direct, stable");
    else if (m_key == "loop")
      add(m_loops, loopFromName(part), part, "closed, half, open");
    else if (m_key == "apply")
      add(m_applications, applicationFromName(part), part, "factored, materialised");
    else if (m_key == "strength")
      add(m_strengths, strengthFrom(part), part, "numbers from -10 to 10");
    else
      throw badInput(
          "expected a grid of the keys dtype, method, loop, apply and strength, such as "
          "dtype=float32,bfloat16,method=direct, found " +
          inQuotes(m_keys.empty() ? part : m_key));
  }

  template <typename Value>
  void add(std::vector<Value>& axis, std::optional<Value> value, std::string_view text,
           const char* expected) {
    if (!value) throw noValue(m_key, text, expected);
    if (std::ranges::find(axis, *value) != axis.end())
      throw badInput("the grid's " + m_key + " " + inQuotes(text) + " is listed twice");
    axis.push_back(*value);
  }

  std::string m_key;
  std::set<std::string> m_keys;
  std::vector<DType> m_dtypes;
  std::vector<Method> m_methods;
  std::vector<Loop> m_loops;
  std::vector<Application> m_applications;
  std::vector<double> m_strengths;
};

/// Inserts after the last point of its dtype, or at the end.
void insert(std::vector<SweepPoint>& points, const SweepPoint& point) {
  if (std::ranges::find(points, point) != points.end()) return;
  const auto last =
      std::find_if(points.rbegin(), points.rend(),
                   [&](const SweepPoint& other) { return other.dtype == point.dtype; });
  points.insert(last == points.rend() ? points.end() : last.base(), point);
}

}  // namespace

std::string pointText(const SweepPoint& point, char between) {
  std::string text(torchName(point.dtype));
  for (const std::string_view part :
       {name(point.patch.method), name(point.patch.loop), name(point.patch.application)})
    text.append(1, between).append(part);
  if (point.strength != 1.0)
    text.append(1, between).append("strength=").append(exactText(point.strength));
  return text;
}

std::vector<SweepPoint> parseGrid(std::string_view text, DType stored) {
  GridReader reader;
  reader.read(text);
  return reader.points(stored);
}

std::vector<SweepPoint> parseGrids(const std::vector<std::string>& grids, DType stored) {
  if (grids.empty()) return {{stored, {}}};
  std::vector<SweepPoint> all;
  for (const std::string& grid : grids)
    for (const SweepPoint& point : parseGrid(grid, stored)) insert(all, point);
  return all;
}

}  // namespace equipatch
