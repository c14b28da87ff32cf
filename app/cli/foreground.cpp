// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/foreground.h"

#include <semaphore.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <iostream>
#include <utility>

#include "core/base/number_format.h"
#include "core/base/progress.h"
#include "core/base/strings.h"
#include "core/patch/planner.h"
#include "core/run/memory_shortage.h"
#include "core/run/model_list.h"

namespace equipatch::cli {

namespace {

// A signal handler may use only async-signal-safe functions and lock-free atomics.
std::atomic<int> signalCount = 0;
sem_t wake;

extern "C" void onSignal(int signal) {
  if (signalCount.fetch_add(1) > 0) _exit(128 + signal);
  sem_post(&wake);
}

void handle(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(std::function<void()> onFirst) {
  // The semaphore is never destroyed, because a signal handler that began before the
  // destructor may still call sem_post after the destructor has ended.
  static const int initialised = sem_init(&wake, 0, 0);
  static_cast<void>(initialised);
  signalCount = 0;
  m_watcher = std::thread([this, onFirst = std::move(onFirst)] {
    // sem_wait may return because of a sem_post for an earlier Interrupt.
    while (signalCount == 0 && !m_ended) sem_wait(&wake);
    if (signalCount > 0) onFirst();
  });
  handle(onSignal);
}

Interrupt::~Interrupt() {
  handle(SIG_DFL);
  m_ended = true;
  sem_post(&wake);
  m_watcher.join();
}

namespace {

constexpr auto kRewriteInterval = std::chrono::milliseconds(100);
// A longer progress line may wrap, and \r cannot rewrite a wrapped line. `cutUtf8` counts
// bytes: every character except a tab has at least as many bytes as columns.
constexpr std::size_t kColumns = 78;

}  // namespace

ProgressLine::ProgressLine() : m_terminal(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::begin() {
  m_firstFraction.reset();
  m_shown = {};
}

void ProgressLine::show(double fraction, const std::string& label) {
  const Clock::time_point now = Clock::now();
  if (!m_terminal || now - m_shown < kRewriteInterval) return;
  m_shown = now;
  if (!m_firstFraction) {
    m_firstFraction = fraction;  // not 0 if a download is resumed
    m_begin = now;
  }
  std::string line = std::to_string(static_cast<int>(100.0 * fraction)) + " %";
  if (const auto rest = remainingTime(now - m_begin, fraction, *m_firstFraction))
    line += ", " + durationText(*rest) + " left";
  line += ": " + withoutControls(label);  // may contain a file's name
  std::cerr << '\r' << cutUtf8(line, kColumns) << "\033[K" << std::flush;
  m_visible = true;
}

void ProgressLine::clear() {
  if (m_visible) std::cerr << "\r\033[K" << std::flush;
  m_visible = false;
}

std::optional<Error> Foreground::run(std::unique_ptr<Job> job, Reporting reporting) {
  m_problem.reset();
  m_reporting = reporting;
  m_worker.run(std::move(job));
  m_line.clear();
  return m_problem;
}

void Foreground::runTask(const std::string& name,
                         const std::function<void(Control&)>& work) {
  if (const auto problem =
          run(std::make_unique<FunctionJob>(name, work), Reporting::Progress))
    throw *problem;
}

std::shared_ptr<const Session> Foreground::open(const SessionRequest& request) {
  warnOfMemory(request);
  std::shared_ptr<const Session> session;
  runTask("Load " + nameOf(request.folder),
          [&](Progress& progress) { session = Session::open(request, progress); });
  rememberModel(session->folder());
  return session;
}

void Foreground::printLine(const std::string& line) {
  m_line.clear();
  std::cerr << line << std::endl;
}

void Foreground::jobProgressed(Generation, double fraction, const std::string& label) {
  if (m_reporting == Reporting::Progress) m_line.show(fraction, label);
}

void Foreground::jobCancelled(Generation) {
  m_problem = Error(ErrorKind::Cancelled, "stopped on request");
}

void Foreground::jobFailed(Generation, const Error& error) {
  m_problem = error;
}

void warnOfMemory(const SessionRequest& request) {
  if (const auto shortage = findShortage(request))
    std::cerr << "warning: " << shortage->sentence << std::endl;
}

void noteEqualMethods(const ModelSpec& spec) {
  if (!planPatch(spec).methodsDiffer())
    std::cerr
        << "note: all methods compute the same patch for this model, because none of "
           "its blocks has a norm scale to patch; only rounding differs"
        << std::endl;
}

}  // namespace equipatch::cli
