// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/rerun.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"

namespace equipatch {

void requireModelOf(const RunHeader& header, const std::string& remedy) {
  if (!isThere(header.modelFolder))
    throw badInput("the run's model, " + header.modelName + ", is not in " +
                   header.modelFolder + ", where it was recorded; " + remedy);
}

std::string differenceInWords(const StepRecord& then, const StepRecord& now) {
  if (then.token != now.token)
    return "another token, " + inQuotes(now.tokenText) + " instead of " +
           inQuotes(then.tokenText);
  const double before = then.patchedDistance.linf, after = now.patchedDistance.linf;
  if (after == before || (std::isnan(after) && std::isnan(before)))
    return "the same token and L∞, but other recorded values";
  const int digits = distinctDigits(before, after);
  return "the same token, L∞ " + shortText(after, digits) + " instead of " +
         shortText(before, digits);
}

RerunCheck::RerunCheck(StoredRun recorded, std::shared_ptr<RunSink> next)
    : m_recorded(std::move(recorded)), m_next(std::move(next)) {}

void RerunCheck::runStarted(std::shared_ptr<const RunHeader> header) {
  m_next->runStarted(std::move(header));
}

void RerunCheck::stepTaken(std::shared_ptr<const StepRecord> record) {
  if (m_steps < m_recorded.steps.size() && m_difference.empty()) {
    const StepRecord& then = *m_recorded.steps[m_steps];
    if (sameResults(then, *record))
      ++m_equalSteps;
    else
      m_difference = differenceInWords(then, *record);
  }
  ++m_steps;
  m_next->stepTaken(std::move(record));
}

std::string RerunCheck::verdict() const {
  const std::size_t compared = std::min(m_steps, m_recorded.steps.size());
  if (!m_difference.empty() && m_equalSteps == 0)
    return "step 0 differs: " + m_difference;
  if (!m_difference.empty())
    return "steps before step " + std::to_string(m_equalSteps) +
           " equal the recorded ones to the last bit; step " +
           std::to_string(m_equalSteps) + " differs: " + m_difference;
  if (m_recorded.steps.empty()) return "the recorded run has no step to compare with";
  if (m_steps == 0) return "the run ended before its first step, so nothing was compared";
  if (compared == 1)
    return "the one step that both runs have is the same to the last bit";
  return "all " + std::to_string(compared) +
         " steps that both runs have are the same to the last bit";
}

}  // namespace equipatch
