// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/step_record.h"
#include "core/record/verdict.h"

namespace equipatch {

/// The run on display: its header and its steps so far. Lives on the window's thread.
/// Records are immutable; widgets may keep a shared_ptr to a record.
class RunModel : public QObject {
  Q_OBJECT

 public:
  using Record = std::shared_ptr<const StepRecord>;

  explicit RunModel(QObject* parent = nullptr) : QObject(parent) {}

  /// Null while no run is on display.
  const RunHeader* header() const { return m_header.get(); }
  int stepCount() const { return static_cast<int>(m_steps.size()); }
  bool empty() const { return m_steps.empty(); }
  const StepRecord& step(int index) const { return *m_steps.at(std::size_t(index)); }
  const Record& record(int index) const { return m_steps.at(std::size_t(index)); }
  /// Null when there is no such step.
  const StepRecord* find(int index) const;
  const std::vector<Record>& records() const { return m_steps; }
  std::shared_ptr<const RunHeader> sharedHeader() const { return m_header; }
  const NoiseFloor& noiseFloor() const { return m_floor; }
  /// Steps whose `match` is false.
  int mismatchCount() const { return m_mismatches; }
  /// Steps whose `sampledMatch` is false; empty if no step was sampled.
  std::optional<int> sampledDifferenceCount() const { return m_sampledDifferences; }
  /// Mean time of the newest steps (at most 16); 0 without steps.
  double recentMilliseconds() const;
  /// The next mismatch after step `from`, wrapping around; -1 when there is none.
  int nextMismatch(int from) const;

  /// Puts a run without steps on display; null: no run.
  void begin(std::shared_ptr<const RunHeader> header);
  void append(const std::vector<Record>& records);

 Q_SIGNALS:
  /// `begin` was called, perhaps with null.
  void runStarted();
  /// Steps [first, stepCount()) are new.
  void stepsAppended(int first);

 private:
  std::shared_ptr<const RunHeader> m_header;
  std::vector<Record> m_steps;
  NoiseFloor m_floor;
  int m_mismatches = 0;
  std::optional<int> m_sampledDifferences;
};

/// The selected step and layer, shared by all views. Follows the newest step until the
/// user selects a step.
class Selection : public QObject {
  Q_OBJECT

 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  static constexpr int kNone = -1;  ///< no step or no layer is selected

  int step() const { return m_step; }
  int layer() const { return m_layer; }
  bool isFollowing() const { return m_following; }

  /// Call when a run begins: selects no step, keeps the layer, follows the newest step.
  void reset();
  /// Selects no step and no layer, and follows the newest step.
  void deselect();
  /// Selects the newest step when following, or when the selected step is gone.
  void setStepCount(int count);
  /// Deselects a layer that is gone.
  void setLayerCount(int count);

  /// Stops following, even if `step` is the newest. Clamps `step` to the range; does
  /// nothing without steps.
  void selectStep(int step);
  void moveStep(int by);
  /// A layer out of range, such as kNone, deselects.
  void selectLayer(int layer);
  void moveLayer(int by);

 public Q_SLOTS:
  void followNewest();

 Q_SIGNALS:
  void stepChanged(int step);
  void layerChanged(int layer);
  void followingChanged(bool following);

 private:
  void setStep(int step);
  void setFollowing(bool following);

  int m_step = kNone;
  int m_layer = kNone;
  int m_stepCount = 0;
  int m_layerCount = 0;
  bool m_following = true;
};

}  // namespace equipatch
