#include "core/record/output_place.h"

#include <fstream>
#include <ostream>
#include <vector>

#include "core/base/error.h"

namespace equipatch {

bool meansStandardOutput(std::string_view word) {
  return word == "-";
}

std::string notToStandardOutput(std::string_view what) {
  return "\"-\" means standard output, where " + std::string(what) +
         " cannot be written; give a name, ./- for one that is called -";
}

OutputPlace::OutputPlace(const std::string& word) : m_path(word) {
  if (!meansStandardOutput(word)) return;
  m_folder = std::make_unique<TemporaryFolder>();
  m_path = m_folder->path() / "output";
}

void OutputPlace::deliver(std::ostream& standardOutput) {
  if (!m_folder) return;
  std::ifstream file(m_path, std::ios::binary);
  // A reader that leaves early ends the program on the spot, which must leave nothing.
  m_folder.reset();
  std::vector<char> piece(std::size_t{1} << 20);
  while (standardOutput &&
         (file.read(piece.data(), std::ssize(piece)), file.gcount() > 0))
    standardOutput.write(piece.data(), file.gcount());
  standardOutput.flush();
  if (file.bad() || !standardOutput)
    throw Error(ErrorKind::Resource,
                "the file could not be passed on to standard output; is the disk full?");
}

}  // namespace equipatch
