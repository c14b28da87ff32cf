// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include <dlfcn.h>

#include "core/base/program_files.h"

namespace equipatch {

const Backend& backend() {
  using Entry = const Backend* (*)();
  static const Backend* const loaded = reinterpret_cast<Entry>(ownLibraryFunction(
      "libequipatch_backend.so", "equipatchBackend", RTLD_LAZY | RTLD_LOCAL))();
  return *loaded;
}

}  // namespace equipatch
