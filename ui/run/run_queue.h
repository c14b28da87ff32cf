#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <vector>

#include "ui/run/engine.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// Starts runs one after the other. A run that fails or is stopped ends the row.
class RunQueue final : public QObject {
  Q_OBJECT

 public:
  /// Where the run that starts now is recorded.
  using Record = std::function<std::filesystem::path(const RunSettings&)>;

  /// @param controller outlives the queue.
  RunQueue(RunController& controller, Record record, QObject* parent = nullptr);

  /// Stops what is going on and starts the first. @throws Error{BadInput} as
  /// `RunController::startOver` does.
  void start(std::vector<RunSettings> runs);
  int left() const { return int(m_waiting.size()); }

 public Q_SLOTS:
  void clear() { m_waiting.clear(); }

 private:
  void startNext();

  RunController& m_controller;
  Record m_record;
  std::deque<RunSettings> m_waiting;
};

/// The runs that show what number formats do to the patch: float32; and bfloat16 with
/// the first paper's open patches, with those of its Appendix B, and with balanced
/// closed ones. All else is as in `base`.
std::vector<RunSettings> precisionGrid(const RunSettings& base);

}  // namespace equipatch
