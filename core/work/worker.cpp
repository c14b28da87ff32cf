// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/work/worker.h"

#include <cassert>
#include <new>
#include <string_view>
#include <utility>

#include "core/work/control.h"

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

void Worker::finish() {
  stop();
  m_thread.request_stop();
  m_thread.join();
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
    // The job leaves the queue before its last event: the receiver may start and step a
    // new job at once, and the step must not go to the old job.
    const std::lock_guard lock(m_mutex);
    m_jobs.pop_front();
  }
  reportEnd(outcome, entry.generation, m_listener);
}

Generation InlineWorker::run(std::unique_ptr<Job> job) {
  const Generation generation = ++m_lastGeneration;
  Control control(generation, m_stop.get_token(), m_gate, m_listener, Obstructed::Fails);
  const JobOutcome outcome = execute(std::move(job), control, m_listener);
  reportEnd(outcome, generation, m_listener);
  return generation;
}

namespace {

/// Of an exception's message: libtorch appends a backtrace.
std::string firstLine(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

JobOutcome failed(const std::string& task) {
  Error error = currentError(task);
  if (error.kind() == ErrorKind::Cancelled) return {JobOutcome::Kind::Cancelled, {}};
  return {JobOutcome::Kind::Failed, std::move(error)};
}

}  // namespace

Error currentError(const std::string& task) {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::Resource,
                 task +
                     ": memory ran out; close other programs, or choose a smaller "
                     "model or dtype");
  } catch (const std::exception& error) {
    return Error(ErrorKind::Numeric, task + ": the computation failed with '" +
                                         firstLine(error.what()) + "'");
  } catch (...) {
    return Error(ErrorKind::Numeric,
                 task + ": the computation failed for an unknown reason");
  }
}

JobOutcome execute(std::unique_ptr<Job> job, Control& control, WorkerListener& listener) {
  std::string task = "unnamed job";
  std::optional<JobOutcome> nameless;
  try {
    task = job->name();
  } catch (...) {
    nameless = failed(task);
  }
  listener.jobStarted(control.generation(), task);
  if (nameless) return *nameless;
  try {
    if (!control.stopRequested()) job->run(control);
    job.reset();
  } catch (...) {
    return failed(task);
  }
  const bool stopped = control.stopRequested();
  return {stopped ? JobOutcome::Kind::Cancelled : JobOutcome::Kind::Finished, {}};
}

void reportEnd(const JobOutcome& outcome, Generation generation,
               WorkerListener& listener) {
  switch (outcome.kind) {
    case JobOutcome::Kind::Finished:
      return listener.jobFinished(generation);
    case JobOutcome::Kind::Cancelled:
      return listener.jobCancelled(generation);
    case JobOutcome::Kind::Failed:
      return listener.jobFailed(generation, *outcome.error);
  }
}

}  // namespace equipatch
