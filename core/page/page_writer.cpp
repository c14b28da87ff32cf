// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_writer.h"

#include <algorithm>
#include <string>
#include <utility>

namespace equipatch {

PageWriter::PageWriter(Put put, Progress& progress, std::int64_t steps)
    : m_put(std::move(put)),
      m_progress(progress),
      m_steps(std::max(steps, std::int64_t{1})) {}

void PageWriter::separate() {
  if (!m_isFirst) m_put(",");
  m_isFirst = false;
}

void PageWriter::begin(std::string_view bracket) {
  separate();
  m_put(bracket);
  m_isFirst = true;
}

void PageWriter::end(std::string_view bracket) {
  m_put(bracket);
  m_isFirst = false;
}

void PageWriter::key(std::string_view name) {
  value(std::string(name));
  m_put(":");
  m_isFirst = true;
}

void PageWriter::value(const PageObject& value) {
  separate();
  m_put(scriptJson(value));
}

void PageWriter::members(const PageObject& object) {
  for (const auto& [name, one] : object.items()) {
    key(name);
    value(one);
  }
}

void PageWriter::stepWritten() {
  m_progress.throwIfStopped();
  m_progress.report(double(++m_written) / double(m_steps), "Writing the page");
}

}  // namespace equipatch
