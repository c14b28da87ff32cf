// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"

#include <utility>

namespace equipatch::test {

std::vector<Entry>& entries() {
  static std::vector<Entry> all;
  return all;
}

Registration::Registration(const char* name,
                           std::function<std::unique_ptr<QObject>()> make) {
  entries().push_back({name, std::move(make)});
}

}  // namespace equipatch::test
