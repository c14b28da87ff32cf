#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "core/base/error.h"

namespace equipatch {

namespace {

std::filesystem::path placeOfTemporaryFiles() {
  std::error_code problem;
  const auto place = std::filesystem::temp_directory_path(problem);
  if (!problem) return place;
  throw Error(ErrorKind::Resource,
              "there is no folder for temporary files (" + problem.message() +
                  "); let the variable TMPDIR name a folder that can be written");
}

}  // namespace

TemporaryFolder::TemporaryFolder() : TemporaryFolder(placeOfTemporaryFiles()) {}

TemporaryFolder::TemporaryFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "equipatch-XXXXXX").string();
  if (!::mkdtemp(name.data()))
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
