// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_labeller.h"

#include "core/base/error.h"

namespace equipatch {

RunLabeller::~RunLabeller() {
  for (const auto& [file, name] : m_waiting) save(file, name);
}

void RunLabeller::begin(const std::filesystem::path& file) {
  if (!m_labels.empty() && !file.empty() && m_labelled.insert(file).second)
    m_begun[file] = m_labels;
}

void RunLabeller::label(const std::filesystem::path& file) {
  if (auto begun = m_begun.extract(file))
    m_thread.start([file, labels = std::move(begun.mapped())] {
      try {
        if (labelsIn(file).empty()) saveLabels(file, labels);
      } catch (const Error&) {
        // The run stays without labels.
      }
    });
  if (const auto waiting = m_waiting.extract(file)) save(file, waiting.mapped());
}

void RunLabeller::rename(const std::filesystem::path& file, const std::string& name,
                         bool isRecording) {
  if (file.empty()) return;
  if (isRecording)
    m_waiting[file] = name;
  else
    save(file, name);
}

void RunLabeller::save(const std::filesystem::path& file, const std::string& name) {
  m_thread.start([file, name, refused = m_refused, saved = m_saved] {
    try {
      changeLabels(file, {.name = name});
      if (saved) saved(name);
    } catch (const Error& error) {
      if (refused) refused(error.what());
    }
  });
}

void RunLabeller::readName(const std::filesystem::path& file, Receiver named) {
  m_thread.start([file, named = std::move(named)] {
    const std::string name = labelsIn(file).name;
    if (!name.empty()) named(name);
  });
}

}  // namespace equipatch
