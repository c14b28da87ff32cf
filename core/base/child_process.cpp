// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/sandbox.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostErrorBytes = 64 * 1024;

Error systemError(const std::string& what) {
  return Error(ErrorKind::Resource, what + " failed: " + std::strerror(errno) +
                                        "; end other programs and try again");
}

/// The two ends of a stream, closed on exec; this process's end does not block.
struct Stream {
  Descriptor ours;
  Descriptor theirs;
};

enum class Flow { ToChild, FromChild };

/// Makes sockets rather than pipes: writing to a child that has ended raises SIGPIPE, and
/// only sockets can suppress it (MSG_NOSIGNAL).
Stream makeStream(Flow flow) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw systemError("making a stream to another program");
  const Descriptor first(ends[0]), second(ends[1]);
  Stream stream{first.beyondStandardStreams(), second.beyondStandardStreams()};
  if (!stream.ours.isOpen() || !stream.theirs.isOpen())
    throw systemError("making a stream to another program");
  const int ours = stream.ours.number();
  fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK);
  shutdown(ours, flow == Flow::ToChild ? SHUT_RD : SHUT_WR);
  return stream;
}

class CStrings {
 public:
  explicit CStrings(std::vector<std::string> texts) : m_texts(std::move(texts)) {
    for (std::string& text : m_texts) m_pointers.push_back(text.data());
    m_pointers.push_back(nullptr);
  }
  char* const* data() const { return m_pointers.data(); }

 private:
  std::vector<std::string> m_texts;
  std::vector<char*> m_pointers;
};

CStrings argumentsOf(const ChildRequest& request) {
  std::vector<std::string> texts{request.program.string()};
  texts.insert(texts.end(), request.arguments.begin(), request.arguments.end());
  return CStrings(std::move(texts));
}

CStrings environmentOf(const ChildRequest& request) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : request.environment)
    texts.push_back(name + "=" + value);
  return CStrings(std::move(texts));
}

void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

/// Runs in the new process until exec. Between fork and exec only async-signal-safe calls
/// are allowed: a lock that another thread held at the fork is never released.
struct Start {
  const ChildRequest& request;
  const CStrings& arguments;
  const CStrings& environment;
  std::array<int, 3> streams;  ///< become descriptors 0, 1, 2
  int report;                  ///< receives the errno of a failed start
  const Sandbox* sandbox;      ///< may be null
  int mostDescriptors;

  [[noreturn]] void run() const {
    setpgid(0, 0);
    resetSignals();
    for (int number = 0; number < 3; ++number)
      if (dup2(streams[static_cast<std::size_t>(number)], number) < 0) fail();
    closeOnExec();
    limit(RLIMIT_CPU, request.limits.cpuSeconds);
    limit(RLIMIT_AS, request.limits.memoryBytes);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    execute();
  }

 private:
  static void resetSignals() {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);  // exec would keep it ignored
  }

  void closeOnExec() const {
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    for (int number = 3; number < mostDescriptors; ++number)
      fcntl(number, F_SETFD, FD_CLOEXEC);
  }

  [[noreturn]] void execute() const {
    if (sandbox) {
      const SandboxReport entered = sandbox->enter();
      errno = sandbox->execute(entered, arguments.data(), environment.data());
    } else {
      execve(request.program.c_str(), arguments.data(), environment.data());
    }
    fail();
  }

  [[noreturn]] void fail() const {
    const int code = errno;
    static_cast<void>(!write(report, &code, sizeof code));
    _exit(127);
  }
};

/// Owns a started process: the destructor calls `end`.
class Process {
 public:
  explicit Process(pid_t id) : m_id(id) {}
  ~Process() { end(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Kills the process group. @returns waitpid's status; if the process had already
  /// exited, that of its exit
  int end() {
    if (m_id <= 0) return m_status;
    kill(-m_id, SIGKILL);
    kill(m_id, SIGKILL);  // in case it has no separate group yet
    while (waitpid(m_id, &m_status, 0) < 0 && errno == EINTR) {
    }
    m_id = 0;
    return m_status;
  }

 private:
  pid_t m_id;
  int m_status = 0;
};

class Conversation {
 public:
  Conversation(const ChildRequest& request, std::stop_token stop, ChildResult& result)
      : m_request(request),
        m_stop(std::move(stop)),
        m_result(result),
        m_deadline(std::chrono::steady_clock::now() + request.limits.wallClock) {}

  Stream input = makeStream(Flow::ToChild);
  Stream output = makeStream(Flow::FromChild);
  Stream standardError = makeStream(Flow::FromChild);
  Stream report = makeStream(Flow::FromChild);

  void closeTheirs() {
    for (Stream* stream : {&input, &output, &standardError, &report})
      stream->theirs.close();
  }

  /// Transfers bytes until both outputs are closed or a limit is reached.
  void run() {
    m_result.ending = ChildEnding::Exited;
    while (output.ours.isOpen() || standardError.ours.isOpen()) {
      if (!wait({{input.ours.number(), POLLOUT, 0},
                 {output.ours.number(), POLLIN, 0},
                 {standardError.ours.number(), POLLIN, 0}})) {
        m_result.ending = ChildEnding::TimedOut;
        return;
      }
      send();
      read(output, m_result.output, m_request.limits.outputBytes + 1);
      read(standardError, m_result.standardError, kMostErrorBytes);
      if (m_result.output.size() > m_request.limits.outputBytes) {
        m_result.ending = ChildEnding::OutputTooLarge;
        return;
      }
    }
  }

  /// Waits for the exec, which a slow file system may delay. @returns the errno of a
  /// failed start; 0 after the exec and at the deadline, which `run` then reports
  int startProblem() {
    int code = 0;
    ssize_t count = -1;
    while (count < 0 && wait({{report.ours.number(), POLLIN, 0}}))
      count = ::read(report.ours.number(), &code, sizeof code);
    return count == sizeof code ? code : 0;
  }

 private:
  /// Waits for one of the events, at most a minute. @returns false at the deadline
  /// @throws Error{Cancelled} on a stop request
  bool wait(std::vector<pollfd> watched) const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        m_deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    watched.push_back({m_waker.ours.number(), POLLIN, 0});
    const int most = static_cast<int>(std::min<long long>(left.count(), 60'000));
    if (poll(watched.data(), watched.size(), most) < 0 && errno != EINTR)
      throw systemError("waiting for another program");
    if (m_stop.stop_requested()) throw Error(ErrorKind::Cancelled, "stopped on request");
    return true;
  }

  void send() {
    while (input.ours.isOpen()) {
      const std::string_view rest = std::string_view(m_request.input).substr(m_sent);
      const ssize_t count = rest.empty() ? 0
                                         : ::send(input.ours.number(), rest.data(),
                                                  rest.size(), MSG_NOSIGNAL);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      m_sent += count > 0 ? static_cast<std::size_t>(count) : 0;
      // Not an error: a child may stop reading its input.
      if (count <= 0) input.ours.close();
    }
  }

  /// Reads the available bytes; keeps at most `most` bytes in total and drops the rest.
  static void read(Stream& stream, std::string& text, std::size_t most) {
    if (!stream.ours.isOpen()) return;
    std::array<char, 64 * 1024> buffer;
    const ssize_t count = ::read(stream.ours.number(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return stream.ours.close();
    text.append(buffer.data(),
                std::min(static_cast<std::size_t>(count), most - text.size()));
  }

  const ChildRequest& m_request;
  std::stop_token m_stop;
  ChildResult& m_result;
  std::chrono::steady_clock::time_point m_deadline;
  std::size_t m_sent = 0;
  Stream m_waker = makeStream(Flow::FromChild);
  // Until the exec, the child has a copy of this end, so `close` would not wake `poll`.
  std::stop_callback<std::function<void()>> m_wake{
      m_stop, [this] { shutdown(m_waker.theirs.number(), SHUT_WR); }};
};

}  // namespace

ChildResult runChild(const ChildRequest& request, std::stop_token stop) {
  ChildResult result;
  Conversation conversation(request, std::move(stop), result);
  const CStrings arguments = argumentsOf(request);
  const CStrings environment = environmentOf(request);
  std::optional<Sandbox> sandbox;
  if (request.readable) sandbox.emplace(request.program, *request.readable);
  const Start start{
      request,
      arguments,
      environment,
      {conversation.input.theirs.number(), conversation.output.theirs.number(),
       conversation.standardError.theirs.number()},
      conversation.report.theirs.number(),
      sandbox ? &*sandbox : nullptr,
      static_cast<int>(sysconf(_SC_OPEN_MAX))};
  const pid_t id = fork();
  if (id < 0) throw systemError("starting another program");
  if (id == 0) start.run();
  Process process(id);
  conversation.closeTheirs();
  if (const int problem = conversation.startProblem()) {
    result.code = problem;
    return result;
  }
  conversation.run();
  const int status = process.end();
  if (result.ending != ChildEnding::Exited) return result;
  if (WIFSIGNALED(status)) result.ending = ChildEnding::Killed;
  result.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

}  // namespace equipatch
