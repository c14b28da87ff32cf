// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/base/progress.h"
#include "core/page/page_values.h"

namespace equipatch {

/// Writes the data of a page value by value, so that a long run's data are never in
/// memory as a whole. The pieces joined are the `scriptJson` of all data.
class PageWriter {
 public:
  /// Receives the next piece of the page.
  using Put = std::function<void(std::string_view)>;

  /// @param progress outlives this
  /// @param steps how many times stepWritten will be called
  PageWriter(Put put, Progress& progress, std::int64_t steps);

  /// Begins an object or a list as the next value. @param bracket "{" or "["
  void begin(std::string_view bracket);
  void end(std::string_view bracket);  ///< "}" or "]"
  void key(std::string_view name);     ///< of an object; its value comes next
  /// Writes a whole value: the next one of a list, or the value of the last key.
  void value(const PageObject& value);
  void members(const PageObject& object);  ///< adds these to the object being written

  /// Counts a step whose values were written. @throws Error{Cancelled} on a stop request
  void stepWritten();

 private:
  void separate();

  Put m_put;
  Progress& m_progress;
  std::int64_t m_steps;
  std::int64_t m_written = 0;
  bool m_isFirst = true;  ///< no comma before what comes next
};

}  // namespace equipatch
