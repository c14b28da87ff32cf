// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <filesystem>
#include <set>

#include "core/record/file/run_labels.h"

namespace equipatch {

/// Gives new runs their labels: writes them into the runs' files, on a thread of its own.
/// The destructor waits for it.
class RunLabeller {
 public:
  RunLabeller() { m_thread.setMaxThreadCount(1); }

  /// Sets the labels of later runs; empty: none.
  void setLabels(RunLabels labels) { m_labels = std::move(labels); }
  /// Labels a finished run's file once. A file that has moved, or a full disk, leaves the
  /// run without labels: it matters more than they do.
  void label(const std::filesystem::path& file);

 private:
  RunLabels m_labels;
  std::set<std::filesystem::path> m_labelled;
  QThreadPool m_thread;  ///< writes one file after another
};

}  // namespace equipatch
