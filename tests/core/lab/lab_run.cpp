// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/lab/lab_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/lab/experiment.h"
#include "core/work/worker.h"
#include "tests/core/work/ignoring_listener.h"

namespace equipatch::test {
namespace {

class LabRunListener final : public IgnoringListener {
 public:
  std::optional<Error> problem;

 private:
  void jobCancelled(Generation) override {
    problem = Error(ErrorKind::Cancelled, "cancelled");
  }
  void jobFailed(Generation, const Error& error) override { problem = error; }
};

struct LabRunSink final : LabSink {
  void labUpdated(std::shared_ptr<const LabResult> grown) override { result = *grown; }
  LabResult result;
};

template <typename T>
const T& named(const std::vector<T>& all, std::string T::*key, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const T& each) { return each.*key == name; });
  if (found == all.end()) throw std::out_of_range(std::string(name));
  return *found;
}

bool allFinite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double number) { return std::isfinite(number); });
}

}  // namespace

Changes tiny() {
  return {{"dtype", "float64"}, {"pairs", "8"}, {"width", "8"}, {"mlp_width", "12"},
          {"steps", "12"},      {"batch", "4"}, {"tasks", "5"}};
}

LabResult runLab(const std::string& experiment, const Changes& changes,
                 std::uint64_t seed) {
  LabSettings settings(experimentNamed(experiment).settings, LabPreset::Quick);
  for (const auto& [name, value] : changes) settings.set(name, value);
  const auto sink = std::make_shared<LabRunSink>();
  LabRunListener listener;
  InlineWorker(listener).run(
      makeLabJob({.experiment = experiment, .settings = settings, .seed = seed}, sink));
  if (listener.problem) throw *listener.problem;
  return sink->result;
}

double scalar(const LabResult& result, std::string_view name) {
  return named(result.scalars, &LabScalar::name, name).value;
}

const LabPanel& panel(const LabResult& result, std::string_view title) {
  return named(result.panels, &LabPanel::title, title);
}

std::string panelProblem(const LabResult& result) {
  if (result.panels.empty()) return "no panel";
  for (const LabPanel& each : result.panels) {
    if (each.curves.empty() && !each.map) return each.title + " is empty";
    for (const LabCurve& curve : each.curves)
      if (curve.x.empty() || curve.x.size() != curve.y.size() ||
          (!curve.error.empty() && curve.error.size() != curve.x.size()) ||
          !allFinite(curve.y) || !allFinite(curve.error))
        return each.title + ", " + curve.name;
    if (each.map && (each.map->values.size() != each.map->x.size() * each.map->y.size() ||
                     !allFinite(each.map->values)))
      return each.title + ", map";
  }
  return {};
}

}  // namespace equipatch::test
