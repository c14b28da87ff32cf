#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/run/parity.h"
#include "core/run/parity_cache.h"

namespace equipatch {

enum class ParityState {
  Unknown,      ///< not checked yet
  NoReference,  ///< no golden checkpoint of this architecture comes with the program
  Equal,
  Different,
};

/// What the golden checks of an architecture say, in this build and on this machine.
struct ParityBadge {
  ParityState state = ParityState::Unknown;
  double largest = 0.0;                  ///< difference of any number
  std::string problem;                   ///< why a check could not be made
  std::string text = "not checked yet";  ///< as badgeText says it
};

/// "✓ equals Hugging Face within 2e-06", "✗ differs from Hugging Face by 0.3",
/// "no reference".
std::string badgeText(const ParityBadge& badge);

/// Folders with a golden checkpoint among the program's own files, sorted.
std::vector<std::filesystem::path> goldenFolders();

/// Runs the golden checks of an architecture when first asked, and keeps what they said.
/// One thread at a time.
class ParityBook {
 public:
  /// @param cache what was equal before, in this very build
  explicit ParityBook(std::vector<std::filesystem::path> folders = goldenFolders(),
                      ParityCache cache = ParityCache(ParityCache::defaultFile()));

  /// @param architecture as ModelSpec names it. @throws Error{Cancelled} only.
  ParityBadge badge(const std::string& architecture, Progress& progress);
  /// Without running anything.
  ParityBadge known(const std::string& architecture) const;

 private:
  using Folders = std::vector<std::filesystem::path>;
  void sortByArchitecture();
  ParityBadge check(const std::string& architecture, Progress& progress) const;

  Folders m_folders;  ///< not yet looked into
  ParityCache m_cache;
  std::map<std::string, Folders> m_byArchitecture;
  std::map<std::string, ParityBadge> m_badges;
};

}  // namespace equipatch
