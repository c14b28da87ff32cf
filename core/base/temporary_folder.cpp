#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "core/base/error.h"

namespace equipatch {

TemporaryFolder::TemporaryFolder() {
  std::error_code problem;
  const auto parent = std::filesystem::temp_directory_path(problem);
  std::string name = (parent / "equipatch-XXXXXX").string();
  if (problem || !::mkdtemp(name.data()))
    throw Error(ErrorKind::Resource,
                "no temporary folder can be made in " + parent.string() +
                    "; let the variable TMPDIR name a folder that can be written");
  m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

}  // namespace equipatch
