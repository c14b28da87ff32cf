// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_labeller.h"

#include "core/base/error.h"

namespace equipatch {

void RunLabeller::label(const std::filesystem::path& file) {
  if (m_labels.empty() || file.empty() || !m_labelled.insert(file).second) return;
  m_thread.start([file, labels = m_labels] {
    try {
      saveLabels(file, labels);
    } catch (const Error&) {
      // The run stays without labels.
    }
  });
}

}  // namespace equipatch
