// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "core/record/file/run_labels.h"

namespace equipatch {

/// Reads and writes the labels in run files, one file after another, on a thread of its
/// own. The destructor saves names that still wait, and returns when everything is
/// written. Destroy a labeller only when no run is being recorded.
class RunLabeller {
 public:
  /// Called on the labeller's thread.
  using Receiver = std::function<void(const std::string& text)>;

  /// @param refused receives a sentence when a name cannot be saved
  explicit RunLabeller(Receiver refused = {}, Receiver saved = {})
      : m_refused(std::move(refused)), m_saved(std::move(saved)) {
    m_thread.setMaxThreadCount(1);
  }
  ~RunLabeller();

  /// Sets the labels of later runs; empty: none.
  void setLabels(RunLabels labels) { m_labels = std::move(labels); }
  /// Call when a run begins: its file will get the labels that are set now, unless it has
  /// labels already.
  void begin(const std::filesystem::path& file);
  /// Call when a run has ended: writes its labels and its waiting name. If the labels
  /// cannot be written, nothing is reported.
  void label(const std::filesystem::path& file);
  /// Replaces the user's name for a run (empty: none), not the other labels.
  /// @param isRecording the file is being written, so the name waits for `label`
  void rename(const std::filesystem::path& file, const std::string& name,
              bool isRecording);
  /// Calls `named` with the user's name for a run, unless there is none or the file
  /// cannot be read.
  void readName(const std::filesystem::path& file, Receiver named);

 private:
  void save(const std::filesystem::path& file, const std::string& name);

  Receiver m_refused, m_saved;
  RunLabels m_labels;
  std::set<std::filesystem::path> m_labelled;  ///< files that `begin` chose labels for
  std::map<std::filesystem::path, RunLabels> m_begun;      ///< labels of unfinished runs
  std::map<std::filesystem::path, std::string> m_waiting;  ///< names of unfinished runs
  QThreadPool m_thread;
};

}  // namespace equipatch
