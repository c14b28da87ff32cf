// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/export/export_json.h"
#include "core/record/run_record.h"
#include "core/record/verdict.h"

namespace equipatch::cli {

/// Prints each step of a run to standard output as soon as the step is taken.
class StepPrinter : public RunSink {
 public:
  void runStarted(std::shared_ptr<const RunHeader> header) final;
  void stepTaken(std::shared_ptr<const StepRecord> record) final;

  std::int64_t steps() const { return static_cast<std::int64_t>(m_steps.size()); }
  void printSummary();

 protected:
  const RunHeader& header() const { return *m_header; }
  bool measuresNoise() const { return m_header->request.measureNoise; }
  /// The noise floor of all steps so far.
  const NoiseFloor& floor() const { return m_floor; }
  /// A step's verdict against `floor()`.
  Verdict verdict(const StepRecord& step) const;
  VerdictCounts verdicts() const;
  virtual void printHeader() = 0;
  virtual void print(const StepRecord& step) = 0;
  virtual void print(const RunSummary& summary) = 0;

 private:
  std::shared_ptr<const RunHeader> m_header;
  std::vector<std::shared_ptr<const StepRecord>> m_steps;  // without their layers
  NoiseFloor m_floor;
};

/// Prints a JSON object for each step and one for the summary, one per line.
class JsonPrinter final : public StepPrinter {
 public:
  explicit JsonPrinter(LayerDetail detail) : m_detail(detail) {}

 private:
  void printHeader() override {}
  void print(const StepRecord& step) override;
  void print(const RunSummary& summary) override;

  LayerDetail m_detail;
};

class TablePrinter final : public StepPrinter {
 private:
  void printHeader() override;
  void print(const StepRecord& step) override;
  void print(const RunSummary& summary) override;
};

/// Names settings that differ from their defaults, but not all of them:
/// ", computed in float32, free run".
std::string changedSettings(const RunHeader& header);

}  // namespace equipatch::cli
