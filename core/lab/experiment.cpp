// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/experiment.h"

#include <torch/version.h>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/model/torch_types.h"

namespace equipatch {
namespace {

LabOrigin originOf(const LabRequest& request) {
  return {.setting = request.settings.preset(),
          .choices = request.settings.choices(),
          .seed = request.seed,
          .threads = request.threads,
          .program = EQUIPATCH_VERSION,
          .torch = TORCH_VERSION,
          .processor = processorName(),
          .startTime = utcNow()};
}

class LabJob final : public Job {
 public:
  LabJob(LabRequest request, std::shared_ptr<LabSink> sink)
      : m_request(std::move(request)),
        m_sink(std::move(sink)),
        m_experiment(experimentNamed(m_request.experiment)) {}

  std::string name() const override { return m_experiment.title; }

  void run(Control& control) override {
    const ComputeThreads threads(m_request.threads);
    const MallocRetention keeps;
    Notebook book({.experiment = m_experiment.name,
                   .title = m_experiment.title,
                   .origin = originOf(m_request)},
                  control, *m_sink);
    m_experiment.run(m_request.settings, book);
    book.finish();
  }

 private:
  LabRequest m_request;
  std::shared_ptr<LabSink> m_sink;
  const Experiment& m_experiment;
};

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all{
      theoremExperiment(),   convergenceExperiment(), fineTuningExperiment(),
      stackExperiment(),     recurrentExperiment(),   factorisationExperiment(),
      positionsExperiment(), categoricalExperiment(), wordsExperiment()};
  return all;
}

const Experiment& experimentNamed(const std::string& name) {
  std::string names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names += (names.empty() ? "" : ", ") + experiment.name;
  }
  throw badInput("the lab has no experiment " + inQuotes(name) + "; it has " + names);
}

std::unique_ptr<Job> makeLabJob(LabRequest request, std::shared_ptr<LabSink> sink) {
  return std::make_unique<LabJob>(std::move(request), std::move(sink));
}

}  // namespace equipatch
