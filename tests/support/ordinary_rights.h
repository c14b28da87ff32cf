// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <future>

namespace equipatch::test {

/// Calls `action` on a thread of its own, on which permissions of files and folders also
/// apply to root. They apply to the programs that it starts, too.
/// @returns what `action` returns; throws what it throws
template <typename Action>
auto withOrdinaryRights(Action action) {
  const auto limited = [&action] {
    __user_cap_header_struct thread{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3] = {};
    ::syscall(SYS_capget, &thread, rights);
    for (const int right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
      ::prctl(PR_CAPBSET_DROP, right);  // or root's programs would get it back
      rights[CAP_TO_INDEX(right)].effective &= ~CAP_TO_MASK(right);
      rights[CAP_TO_INDEX(right)].permitted &= ~CAP_TO_MASK(right);
    }
    ::syscall(SYS_capset, &thread, rights);
    return action();
  };
  return std::async(std::launch::async, limited).get();
}

}  // namespace equipatch::test
