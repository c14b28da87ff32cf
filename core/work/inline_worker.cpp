#include "core/work/inline_worker.h"

#include <utility>

#include "core/work/control.h"
#include "core/work/job_execution.h"

namespace equipatch {

Generation InlineWorker::run(std::unique_ptr<Job> job) {
  const Generation generation = ++m_lastGeneration;
  Control control(generation, m_stop.get_token(), m_gate, m_listener);
  const JobOutcome outcome = execute(std::move(job), control, m_listener);
  tell(outcome, generation, m_listener);
  return generation;
}

}  // namespace equipatch
