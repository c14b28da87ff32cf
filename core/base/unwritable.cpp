#include "core/base/unwritable.h"

#include "core/base/path_kind.h"

namespace equipatch {

Error unwritable(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && isAbsent(folder))
    return Error(ErrorKind::Resource, path.string() + ": there is no folder " +
                                          folder.string() +
                                          "; make it or choose another place");
  return Error(ErrorKind::Resource, path.string() +
                                        ": the file cannot be written; choose a place "
                                        "where you may write");
}

}  // namespace equipatch
