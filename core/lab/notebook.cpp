// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/notebook.h"

#include <algorithm>

namespace equipatch {
namespace {

constexpr std::chrono::milliseconds kBetweenCopies{100};

template <typename T, typename Key>
void putInPlace(std::vector<T>& all, T item, Key key) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const T& each) { return each.*key == item.*key; });
  if (found == all.end())
    all.push_back(std::move(item));
  else
    *found = std::move(item);
}

}  // namespace

Notebook::Notebook(LabResult result, Control& control, LabSink& sink)
    : m_result(std::move(result)), m_control(control), m_sink(sink) {}

void Notebook::advance(double fraction, std::string_view label) {
  if (Clock::now() - m_published >= kBetweenCopies) publish();
  m_control.report(std::min(fraction, 1.0), label);
  if (!m_control.pass()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

void Notebook::plot(LabPanel panel) {
  putInPlace(m_result.panels, std::move(panel), &LabPanel::title);
}

void Notebook::addScalar(LabScalar scalar) {
  putInPlace(m_result.scalars, std::move(scalar), &LabScalar::name);
}

void Notebook::addNote(std::string sentence) {
  m_result.notes.push_back(std::move(sentence));
}

void Notebook::finish() {
  m_result.finished = true;
  publish();
}

void Notebook::publish() {
  m_published = Clock::now();
  m_result.origin.seconds = std::chrono::duration<double>(m_published - m_start).count();
  m_sink.labUpdated(std::make_shared<const LabResult>(m_result));
}

}  // namespace equipatch
