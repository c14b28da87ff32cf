// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/dtype.h"
#include "core/base/progress.h"

namespace equipatch {

/// Differences of this build's results from those of Hugging Face transformers for one
/// golden checkpoint (config.json, weights, golden.safetensors; of a vision model also
/// image0.png, image1.png …), all in float32. A difference is the largest |Δ| of the
/// values of a site, divided by the reference's largest |value| if that is above 1.
struct GoldenResult {
  std::string name;  ///< the folder's last part
  std::string architecture;
  double logits = 0.0;  ///< of all positions, also those of further prompts
  /// of the layers' inputs and after the final norm; also of the pixels, the vision
  /// tower's layers and the images' rows
  double hidden = 0.0;
  double modules = 0.0;  ///< of attention's and feed-forward's outputs
  /// The greedy continuation is the same, token by token; empty: the reference has none.
  std::optional<bool> greedy = {};

  double largest() const;
  bool equal() const;  ///< largest() ≤ kGoldenTolerance, and the same greedy tokens
};

/// The reference was computed with weights rounded to the stored dtype. Results therefore
/// differ only by the order of float32 sums, which also depends on the processor.
inline constexpr double kGoldenTolerance = 1e-4;

/// How well the papers' claim holds on a golden checkpoint: the result of a comparison
/// run with the default patch in a closed loop and all context absorbed.
struct PatchResult {
  DType dtype = DType::F32;
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  double linf = 0.0;      ///< largest of all steps
  double bareLinf = 0.0;  ///< the bare pass's (the control's) L∞, median over steps
  double floor = 0.0;     ///< the run's noise floor; measured in 16-bit dtypes only

  double ratio() const;       ///< linf / bareLinf; 0 where linf is 0
  double floorShare() const;  ///< linf / floor; 0 where linf is 0
  /// In float32 and float64: all tokens match, and the ratio is at most 1e-4 or 1e-10.
  /// In 16-bit dtypes: L∞ is at most the noise floor, even if tokens differ at near ties.
  /// False if there is no step.
  bool passes() const;
};

struct PatchCheck {
  std::filesystem::path folder;
  DType dtype = DType::F32;
  /// At most as many as the model has positions; the prompt is shortened to make room.
  std::int64_t steps = 64;
};

/// Stores which architectures were equal to Hugging Face, so that listing models does not
/// load libtorch and check them again. An entry is valid while the processor and these
/// files (by size and time of change) stay the same: the program's libraries, libtorch's
/// main library and the golden checkpoints. Only equal architectures are stored; the
/// program checks all others again when it next runs.
class ParityCache {
 public:
  using Folders = std::vector<std::filesystem::path>;

  /// Below the user's cache folder; empty when there is none.
  static std::filesystem::path defaultFile();

  /// @param file is read at every call; empty: nothing is kept
  explicit ParityCache(std::filesystem::path file) : m_file(std::move(file)) {}

  /// The largest difference found by the check of these golden folders; nothing when they
  /// have to be checked again.
  std::optional<double> find(const std::string& architecture,
                             const Folders& golden) const;

  /// Stores that the check of these golden folders found no difference above `largest`.
  /// A write error is ignored: the check is repeated next time.
  /// @param torchLibrary the library file of the libtorch that ran the check; if there is
  /// no such file, nothing is stored
  void keep(const std::string& architecture, const Folders& golden, double largest,
            const std::filesystem::path& torchLibrary) const;

 private:
  std::filesystem::path m_file;
};

enum class ParityState {
  Unknown,      ///< not checked yet
  NoReference,  ///< the program has no golden checkpoint of this architecture
  Equal,
  Different,  ///< or a check could not run, see ParityBadge::problem
};

/// The result of an architecture's golden checks with this build on this machine.
struct ParityBadge {
  ParityState state = ParityState::Unknown;
  double largest = 0.0;  ///< the largest difference of all values compared
  std::string problem;   ///< why a check could not run; empty: all ran
  std::string text = "not checked yet";  ///< as badgeText says it
};

/// Such as "✓ architecture equals Hugging Face's within 2e-06", "✗ differs from Hugging
/// Face by 3e-01", "✗ could not be checked" or "no reference".
std::string badgeText(const ParityBadge& badge);

/// Folders with a golden checkpoint among the program's own files, sorted.
std::vector<std::filesystem::path> goldenFolders();

/// Runs an architecture's golden checks when its badge is first asked for, and keeps the
/// result. One thread at a time.
class ParityBook {
 public:
  /// @param cache of this build's earlier results
  explicit ParityBook(std::vector<std::filesystem::path> folders = goldenFolders(),
                      ParityCache cache = ParityCache(ParityCache::defaultFile()));

  /// @param architecture as ModelSpec names it. @throws Error{Cancelled} only.
  ParityBadge badge(const std::string& architecture, Progress& progress);
  /// The kept result; runs no check.
  ParityBadge known(const std::string& architecture) const;

 private:
  using Folders = std::vector<std::filesystem::path>;
  void sortByArchitecture();
  ParityBadge check(const std::string& architecture, Progress& progress) const;

  Folders m_folders;  ///< whose architectures are not read yet
  ParityCache m_cache;
  std::map<std::string, Folders> m_byArchitecture;
  std::map<std::string, ParityBadge> m_badges;
};

}  // namespace equipatch
