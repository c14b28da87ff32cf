// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/worker.h"

#include <cassert>
#include <utility>

#include "core/work/control.h"
#include "core/work/job_execution.h"

namespace equipatch {

Worker::Worker(WorkerListener& listener)
    : m_listener(listener), m_thread([this](std::stop_token stop) { loop(stop); }) {}

// The thread ends only when no job is left, so stopped jobs are still reported.
Worker::~Worker() {
  stop();
}

Generation Worker::start(std::unique_ptr<Job> job, Start how) {
  assert(job);
  auto entry = std::make_shared<Entry>();
  entry->job = std::move(job);
  if (how == Start::Paused) entry->gate.close();
  Generation generation = 0;
  {
    const std::lock_guard lock(m_mutex);
    generation = entry->generation = ++m_lastGeneration;
    m_jobs.push_back(std::move(entry));
  }
  m_queued.notify_one();
  return generation;
}

void Worker::pause() {
  if (const auto entry = current()) entry->gate.close();
}

void Worker::resume() {
  if (const auto entry = current()) entry->gate.open();
}

void Worker::stepOnce() {
  if (const auto entry = current()) entry->gate.allowStep();
}

void Worker::stop() {
  std::deque<std::shared_ptr<Entry>> stopped;
  {
    const std::lock_guard lock(m_mutex);
    stopped = m_jobs;
  }
  // Without the lock, because request_stop runs the registered callbacks.
  for (const auto& entry : stopped) entry->stop.request_stop();
}

std::shared_ptr<Worker::Entry> Worker::current() {
  const std::lock_guard lock(m_mutex);
  for (const auto& entry : m_jobs)
    if (!entry->stop.stop_requested()) return entry;
  return nullptr;
}

void Worker::loop(const std::stop_token& threadStop) {
  for (;;) {
    std::shared_ptr<Entry> entry;
    {
      std::unique_lock lock(m_mutex);
      const auto waiting = [this] { return !m_jobs.empty(); };
      if (!m_queued.wait(lock, threadStop, waiting)) return;
      entry = m_jobs.front();
    }
    runOne(*entry);
  }
}

void Worker::runOne(Entry& entry) {
  Control control(entry.generation, entry.stop.get_token(), entry.gate, m_listener);
  const JobOutcome outcome = execute(std::move(entry.job), control, m_listener);
  {
    // Before the last event: its receiver may start a job and step it at once, and these
    // commands must apply to the new job.
    const std::lock_guard lock(m_mutex);
    m_jobs.pop_front();
  }
  reportEnd(outcome, entry.generation, m_listener);
}

Generation InlineWorker::run(std::unique_ptr<Job> job) {
  const Generation generation = ++m_lastGeneration;
  Control control(generation, m_stop.get_token(), m_gate, m_listener);
  const JobOutcome outcome = execute(std::move(job), control, m_listener);
  reportEnd(outcome, generation, m_listener);
  return generation;
}

}  // namespace equipatch
