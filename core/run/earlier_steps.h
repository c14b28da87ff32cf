// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/record/file/run_file.h"
#include "core/record/run_record.h"
#include "core/run/run_job.h"
#include "core/work/control.h"

namespace equipatch {

/// The header and the readable steps of a run that is to be continued. Use it from one
/// thread at a time.
class EarlierSteps {
 public:
  /// @throws Error{BadInput} when the run is being recorded, is complete and undamaged,
  /// or has more steps than its request; Error{Cancelled}; as `withPictures`, and as
  /// RunFile's constructor and `ending`.
  EarlierSteps(const UnfinishedRun& run, const Control& control);

  const RunHeader& header() const { return m_header; }
  const Steps& steps() const { return m_steps; }
  /// Why later steps cannot be read; empty: all were read.
  const std::string& damage() const { return m_damage; }

  /// Drops the first step whose patch factors cannot be read, and all later steps;
  /// `damage` then says why. Slow: reads most of the file. Call before a `sendTo` that
  /// includes factors.
  /// @throws Error{Cancelled}.
  void dropStepsWithoutFactors(const Control& control);

  /// The tokens that the first `count` steps appended to the history.
  std::vector<TokenId> tokens(std::size_t count) const;

  /// Does not send the header.
  /// @throws Error{Cancelled} between two steps; as RunFile::step and the sink.
  void sendTo(RunSink& sink, FactorDetail detail, const Control& control) const;

 private:
  /// Null if the step cannot be read; `m_damage` then says why.
  std::shared_ptr<const StepRecord> read(StepIndex step, FactorDetail detail);

  RunFile m_file;
  RunHeader m_header;
  Steps m_steps;
  std::string m_damage;
};

}  // namespace equipatch
