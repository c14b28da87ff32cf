// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "core/base/hash.h"
#include "core/base/strings.h"

namespace equipatch {

namespace {

// Landlock's interface is defined here, because the system's headers may lack its newer
// parts. These system call numbers hold on x86-64, ARM64 and most other processors.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;

struct RulesetAttributes {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scopes;
};
struct [[gnu::packed]] FileRule {
  std::uint64_t allowed;
  std::int32_t file;
};
constexpr int kFileRule = 1;
constexpr unsigned kVersionFlag = 1;

constexpr std::uint64_t kExecute = 1;
constexpr std::uint64_t kReadFile = 4;
constexpr std::uint64_t kReadFolder = 8;

RulesetAttributes allOf(int version) {
  const int fileRights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return {.files = (std::uint64_t{1} << fileRights) - 1,
          .network = version >= 4 ? 3U : 0U,  // TCP's bind and connect
          .scopes = version >= 6 ? 3U : 0U};  // abstract sockets, signals
}

void allow(const Descriptor& ruleset, const std::filesystem::path& path) {
  const Descriptor file(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!file.isOpen() || fstat(file.number(), &status) != 0) return;
  const std::uint64_t rights = kExecute | kReadFile;
  const FileRule rule{S_ISDIR(status.st_mode) ? rights | kReadFolder : rights,
                      file.number()};
  syscall(kAddRule, ruleset.number(), kFileRule, &rule, 0);
}

// The filter refuses all system calls from number 424 on with ENOSYS, so that the C
// library tries older calls. From this number on, x86-64 and ARM64 use the same numbers.
#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
constexpr std::uint32_t kFirstCommonNumber = 424;
constexpr auto kRefused = std::to_array<int>({
  // network; the standard streams are sockets but need only read and write
  SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
      SYS_sendto, SYS_sendmsg, SYS_sendmmsg,
      // other processes
      SYS_clone, SYS_execve, SYS_unshare, SYS_setns, SYS_kill, SYS_tkill, SYS_tgkill,
      SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_ptrace, SYS_process_vm_readv,
      SYS_process_vm_writev, SYS_kcmp, SYS_setpgid, SYS_setsid, SYS_setpriority,
      SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setaffinity,
      SYS_sched_setattr, SYS_ioprio_set, SYS_migrate_pages, SYS_move_pages, SYS_shmget,
      SYS_shmat, SYS_shmctl, SYS_semget, SYS_semctl, SYS_semop, SYS_semtimedop,
      SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
      SYS_add_key, SYS_request_key, SYS_keyctl,
      // changes of files, which Landlock restricts only in part; handles, notifications
      SYS_truncate, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat,
      SYS_mkdirat, SYS_mknodat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat,
      SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
      SYS_fremovexattr, SYS_utimensat, SYS_name_to_handle_at, SYS_open_by_handle_at,
      SYS_fanotify_init, SYS_inotify_add_watch, SYS_quotactl,
      // settings of the machine, interfaces into the kernel
      SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_swapon, SYS_swapoff,
      SYS_reboot, SYS_kexec_load, SYS_kexec_file_load, SYS_init_module, SYS_finit_module,
      SYS_delete_module, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
      SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup,
      SYS_bpf, SYS_perf_event_open, SYS_userfaultfd,
#if defined(__x86_64__)
      SYS_fork, SYS_vfork, SYS_creat, SYS_unlink, SYS_rename, SYS_link, SYS_symlink,
      SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime,
      SYS_utimes, SYS_futimesat, SYS_inotify_init, SYS_iopl, SYS_ioperm,
#endif
});

/// Writes a seccomp filter as BPF instructions. A system call may have only one rule,
/// because the rule either refuses or allows the call. Arguments are numbered from 0;
/// rules compare their lower 32 bits unless stated otherwise.
class FilterWriter {
 public:
  FilterWriter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    answer(EPERM);
    load(offsetof(seccomp_data, nr));
    add(BPF_JMP | BPF_JGE | BPF_K, kFirstCommonNumber, 0, 1);
    answer(ENOSYS);
  }

  void refuse(int call) {
    ifCall(call, 1);
    answer(EPERM);
  }

  void refuseWith(int call, int argument, std::initializer_list<int> values) {
    ifCall(call, static_cast<std::uint8_t>(2 * values.size() + 2));
    loadArgument(argument);
    for (const int value : values) {
      add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 1);
      answer(EPERM);
    }
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }

  /// Refuses the call if any of `bits` is set.
  void refuseWithBits(int call, int argument, std::uint32_t bits) {
    refuseIf(call, argument, {BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits});
  }

  void refuseUnless(int call, int argument, std::uint32_t value) {
    refuseIf(call, argument, {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
  }

  /// Compares all 64 bits.
  void refuseUnlessAllOf(int call, int argument, std::uint64_t value) {
    ifCall(call, 6);
    loadArgument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value), 0, 2);
    loadArgument(argument, sizeof(std::uint32_t));
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(value >> 32), 1, 0);
    answer(EPERM);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }

  std::vector<sock_filter> finish() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return std::move(m_filter);
  }

 private:
  /// @param comparison a jump, which skips one instruction if the call is allowed
  void refuseIf(int call, int argument, const sock_filter& comparison) {
    ifCall(call, 4);
    loadArgument(argument);
    m_filter.push_back(comparison);
    answer(EPERM);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  void add(int code, std::uint32_t value, std::uint8_t ifTrue = 0,
           std::uint8_t ifFalse = 0) {
    m_filter.push_back({static_cast<std::uint16_t>(code), ifTrue, ifFalse, value});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  /// Loads 32 bits of an argument, the lower half by default. (x86-64 and ARM64 are
  /// little-endian.)
  void loadArgument(int argument, std::size_t byte = 0) {
    load(offsetof(seccomp_data, args) +
         static_cast<std::size_t>(argument) * sizeof(std::uint64_t) + byte);
  }
  /// Skips the next `length` instructions for other calls.
  void ifCall(int call, std::uint8_t length) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, length);
  }
  void answer(int code) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(code));
  }

  std::vector<sock_filter> m_filter;
};

std::vector<sock_filter> filterFor(std::uint64_t executionKey) {
  constexpr std::uint32_t kTemporary = 020000000;  // O_TMPFILE without O_DIRECTORY
  constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | kTemporary;
  FilterWriter filter;
  for (const int call : kRefused) filter.refuse(call);
  filter.refuseWithBits(SYS_openat, 2, kWriting);
#if defined(__x86_64__)
  filter.refuseWithBits(SYS_open, 1, kWriting);
#endif
  // The kernel sends a file's signals to its owner, which may be another process.
  filter.refuseWith(SYS_fcntl, 1, {F_SETOWN, F_SETOWN_EX, F_SETSIG});
  // TIOCSTI and TIOCLINUX can type or paste input into the terminal's shell.
  filter.refuseWith(SYS_ioctl, 1, {FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX});
  constexpr int kUnusedArgument = 5;  // execveat has five, 0 to 4
  filter.refuseUnlessAllOf(SYS_execveat, kUnusedArgument, executionKey);
  filter.refuseUnless(SYS_prlimit64, 0, 0);  // 0: this process
  return filter.finish();
}
#else
std::vector<sock_filter> filterFor(std::uint64_t /*executionKey*/) {
  return {};
}
#endif

}  // namespace

Sandbox::Sandbox(const std::filesystem::path& program,
                 const std::vector<std::filesystem::path>& readable)
    : m_path(program.string()), m_executionKey(randomNumber()) {
  const Descriptor file(open(program.c_str(), O_PATH | O_CLOEXEC));
  if (!file.isOpen()) m_problem = errno;
  m_program = file.beyondStandardStreams();
  if (file.isOpen() && !m_program.isOpen()) m_problem = errno;
  m_filter = filterFor(m_executionKey);
  const long version = syscall(kCreateRuleset, nullptr, 0, kVersionFlag);
  if (version <= 0) return;
  const RulesetAttributes all = allOf(static_cast<int>(version));
  const Descriptor ruleset(
      static_cast<int>(syscall(kCreateRuleset, &all, sizeof all, 0)));
  m_ruleset = ruleset.beyondStandardStreams();
  if (!m_ruleset.isOpen()) return;
  m_landlock = static_cast<int>(version);
  allow(m_ruleset, program);
  for (const std::filesystem::path& path : readable) allow(m_ruleset, path);
}

SandboxReport Sandbox::enter() const {
  constexpr int kNamespaces = CLONE_NEWNET | CLONE_NEWIPC;
  SandboxReport entered;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return entered;
  // In a chroot, creating a user namespace fails; root can create the others without it.
  entered.namespaces =
      unshare(CLONE_NEWUSER | kNamespaces) == 0 || unshare(kNamespaces) == 0;
  if (m_landlock > 0 && syscall(kRestrictSelf, m_ruleset.number(), 0) == 0)
    entered.landlock = m_landlock;
  if (m_filter.empty()) return entered;
  const sock_fprog filter{static_cast<unsigned short>(m_filter.size()),
                          const_cast<sock_filter*>(m_filter.data())};
  entered.seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
  return entered;
}

int Sandbox::execute(const SandboxReport& entered, char* const* arguments,
                     char* const* environment) const {
  if (m_problem != 0) return m_problem;
  if (entered.seccomp)
    syscall(SYS_execveat, m_program.number(), "", arguments, environment, AT_EMPTY_PATH,
            m_executionKey);
  else
    execve(m_path.c_str(), arguments, environment);
  return errno;
}

SandboxReport Sandbox::ofThisMachine() {
  constexpr int kLandlock = 1;
  constexpr int kSeccomp = 2;
  constexpr int kNamespaces = 4;
  const Sandbox sandbox("/", {});
  const pid_t id = fork();
  if (id < 0) return {};
  if (id == 0) {
    const SandboxReport entered = sandbox.enter();
    _exit((entered.landlock > 0 ? kLandlock : 0) | (entered.seccomp ? kSeccomp : 0) |
          (entered.namespaces ? kNamespaces : 0));
  }
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
  }
  const int entered = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return {.landlock = (entered & kLandlock) != 0 ? sandbox.m_landlock : 0,
          .seccomp = (entered & kSeccomp) != 0,
          .namespaces = (entered & kNamespaces) != 0};
}

std::string SandboxReport::sentence() const {
  std::vector<std::string> means;
  if (landlock > 0) means.push_back("Landlock " + std::to_string(landlock));
  if (seccomp) means.emplace_back("seccomp");
  if (namespaces) means.emplace_back("namespaces");
  if (means.empty()) return "none: the system offers no Landlock, seccomp or namespaces";
  std::vector<std::string> kept, open;
  (noFiles() ? kept : open).emplace_back(noFiles() ? "no files" : "files");
  (noNetwork() ? kept : open).emplace_back(noNetwork() ? "no network" : "the network");
  (noProcesses() ? kept : open)
      .emplace_back(noProcesses() ? "no other processes" : "other processes");
  if (kept.empty()) kept.emplace_back("nothing");
  return joined(kept, ", ") + " (" + joined(means, ", ") + ")" +
         (open.empty()
              ? ""
              : "; the system offers too little to forbid " + joined(open, ", "));
}

}  // namespace equipatch
