#include "core/base/own_library.h"

#include <dlfcn.h>

#include "core/base/error.h"

namespace equipatch {

std::filesystem::path ownLibraryFolder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&ownLibraryFolder), &here) == 0 ||
      !here.dli_fname)
    return {};
  return std::filesystem::path(here.dli_fname).parent_path();
}

void* ownLibraryFunction(const char* file, const char* function, int flags) {
  const std::filesystem::path path = ownLibraryFolder() / file;
  void* const library = dlopen(path.c_str(), flags);
  void* const found = library ? dlsym(library, function) : nullptr;
  if (found) return found;
  const char* const reason = dlerror();
  throw Error(ErrorKind::Resource, path.string() +
                                       ": this part of the program cannot be loaded (" +
                                       (reason ? reason : "for an unknown reason") +
                                       "); install Equipatch again, or build it again");
}

}  // namespace equipatch
