// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "core/base/progress.h"
#include "core/page/page_values.h"

namespace equipatch {

/// Writes a page's JSON piece by piece, to save memory. Joined, the pieces are the
/// `scriptJson` of the whole value.
class PageWriter {
 public:
  using Put = std::function<void(std::string_view)>;

  /// @param progress outlives this
  /// @param steps how many times stepWritten will be called
  PageWriter(Put put, Progress& progress, std::int64_t steps);

  /// Begins an object ("{") or a list ("[") as the next value.
  void begin(std::string_view bracket);
  void end(std::string_view bracket);  ///< "}" or "]"
  void key(std::string_view name);     ///< in an object; write its value next
  /// The next value of a list, or the value of the last key.
  void value(const PageObject& value);
  void members(const PageObject& object);  ///< into the innermost open object

  /// Counts a step and reports progress. @throws Error{Cancelled} on a stop request
  void stepWritten();

 private:
  void separate();

  Put m_put;
  Progress& m_progress;
  std::int64_t m_steps;
  std::int64_t m_written = 0;
  bool m_isFirst = true;  ///< the next value needs no comma before it
};

}  // namespace equipatch
