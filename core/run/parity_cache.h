#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch {

/// Keeps on disk which architectures were equal to Hugging Face, so that listing models
/// does not load libtorch and check them again. An entry holds as long as all that it
/// depends on is the same: the program's libraries, libtorch's, the golden checkpoints
/// (by size and time of change) and the processor. What was different is checked anew.
class ParityCache {
 public:
  using Folders = std::vector<std::filesystem::path>;

  /// Below the user's cache folder; empty when there is none.
  static std::filesystem::path defaultFile();

  /// @param file is read at every call; empty: nothing is kept
  explicit ParityCache(std::filesystem::path file) : m_file(std::move(file)) {}

  /// The largest difference that was found when the golden folders were checked; nothing
  /// when they have to be checked again.
  std::optional<double> find(const std::string& architecture,
                             const Folders& golden) const;

  /// @param torchLibrary the file of the libtorch that computed
  /// A file that cannot be written is no failure.
  void keep(const std::string& architecture, const Folders& golden, double largest,
            const std::filesystem::path& torchLibrary) const;

 private:
  std::filesystem::path m_file;
};

}  // namespace equipatch
