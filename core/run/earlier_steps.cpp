// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/earlier_steps.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/file/file_claim.h"

namespace equipatch {
namespace {

const std::filesystem::path& notHeld(const std::filesystem::path& file) {
  if (FileClaim::isHeld(file))
    throw badInput(file.string() +
                   " is being recorded right now; continue it after its end");
  return file;
}

}  // namespace

EarlierSteps::EarlierSteps(const UnfinishedRun& run, const Control& control)
    : m_file(notHeld(run.file)) {
  m_header = *m_file.header();
  m_header.request.images = withPictures(m_header.request.images, run.pictures);
  const std::int64_t count = m_file.stepCount();
  while (std::ssize(m_steps) < count && m_damage.empty()) {
    control.throwIfStopped();
    if (auto step = read(StepIndex(std::ssize(m_steps)), FactorDetail::Omit))
      m_steps.push_back(std::move(step));
  }
  if (std::ssize(m_steps) > m_header.request.steps)
    throw badInput(run.file.string() + ": damaged, it has " +
                   std::to_string(m_steps.size()) + " steps, and its run asked for " +
                   std::to_string(m_header.request.steps));
  if (m_file.ending() != RunEnding::Complete || !m_damage.empty()) return;
  if (run.target == UnfinishedRun::Target::OtherFile) dropStepsWithoutFactors(control);
  if (m_damage.empty())
    throw badInput(run.file.string() + ": the run is complete with " +
                   countText(m_steps.size(), "step") + "; nothing is left to continue");
}

void EarlierSteps::dropStepsWithoutFactors(const Control& control) {
  if (!m_header.request.keepFactors) return;
  for (std::size_t step = 0; step < m_steps.size(); ++step) {
    control.throwIfStopped();
    if (!read(m_steps[step]->step, FactorDetail::Include)) m_steps.resize(step);
  }
}

std::shared_ptr<const StepRecord> EarlierSteps::read(StepIndex step,
                                                     FactorDetail detail) {
  try {
    return m_file.step(step, detail);
  } catch (const Error& error) {
    m_damage = error.what();
    return nullptr;
  }
}

std::vector<TokenId> EarlierSteps::tokens(std::size_t count) const {
  std::vector<TokenId> ids;
  for (std::size_t step = 0; step < count; ++step)
    ids.push_back(m_steps[step]->continued);
  return ids;
}

void EarlierSteps::sendTo(RunSink& sink, FactorDetail detail,
                          const Control& control) const {
  for (const auto& step : m_steps) {
    control.throwIfStopped();
    sink.stepTaken(detail == FactorDetail::Omit ? step : m_file.step(step->step, detail));
  }
}

}  // namespace equipatch
