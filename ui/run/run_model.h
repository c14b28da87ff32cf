#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "core/record/run_record.h"
#include "core/record/step_record.h"
#include "core/record/verdict.h"

namespace equipatch {

/// The run on display: its header and the steps so far. Lives on the window's thread;
/// holds immutable records only, so that widgets may keep pointers to them.
class RunModel : public QObject {
  Q_OBJECT

 public:
  using Record = std::shared_ptr<const StepRecord>;

  explicit RunModel(QObject* parent = nullptr) : QObject(parent) {}

  /// Null before the first run.
  const RunHeader* header() const { return m_header.get(); }
  int stepCount() const { return static_cast<int>(m_steps.size()); }
  bool empty() const { return m_steps.empty(); }
  const StepRecord& step(int index) const { return *m_steps.at(std::size_t(index)); }
  /// Null when there is no such step.
  const StepRecord* find(int index) const;
  const std::vector<Record>& records() const { return m_steps; }
  std::shared_ptr<const RunHeader> sharedHeader() const { return m_header; }
  /// What the steps so far measured.
  const NoiseFloor& noiseFloor() const { return m_floor; }
  int mismatchCount() const { return m_mismatches; }
  /// Mean milliseconds of the newest steps (at most 16); 0 before the first.
  double recentMilliseconds() const;
  /// The next mismatch after `from`, going round; -1 when there is none.
  int nextMismatch(int from) const;

  /// Drops the run on display and begins another.
  void begin(std::shared_ptr<const RunHeader> header);
  void append(const std::vector<Record>& records);

 Q_SIGNALS:
  void begun();
  /// Steps [first, stepCount()) are new.
  void appended(int first);

 private:
  std::shared_ptr<const RunHeader> m_header;
  std::vector<Record> m_steps;
  NoiseFloor m_floor;
  int m_mismatches = 0;
};

}  // namespace equipatch
