#include "core/record/output_file.h"

#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

Error cannotWrite(const std::filesystem::path& path, const std::string& reason) {
  return Error(ErrorKind::Resource, path.string() + ": the file cannot be written" +
                                        (reason.empty() ? "" : " (" + reason + ")") +
                                        "; free some space or choose another place");
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path path)
    : m_path(std::move(path)), m_partial(m_path) {
  m_partial += ".partial";
  m_stream.open(m_partial, std::ios::binary | std::ios::trunc);
  if (!m_stream) throw unwritable(m_path);
}

OutputFile::~OutputFile() {
  if (m_finished) return;
  m_stream.close();
  std::error_code ignored;
  std::filesystem::remove(m_partial, ignored);
}

OutputFile& OutputFile::operator<<(std::string_view text) {
  m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  return *this;
}

void OutputFile::finish() {
  m_stream.close();
  check();
  std::error_code failure;
  std::filesystem::rename(m_partial, m_path, failure);
  if (failure) throw cannotWrite(m_path, failure.message());
  m_finished = true;
}

void OutputFile::check() const {
  if (!m_stream) throw cannotWrite(m_path, "");
}

void makeFolder(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (!isFolder(folder))
    throw Error(ErrorKind::Resource, folder.string() +
                                         ": the folder cannot be made; choose another "
                                         "place");
}

}  // namespace equipatch
