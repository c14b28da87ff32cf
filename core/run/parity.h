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

/// Differences between this build's results and those of Hugging Face transformers for
/// one golden checkpoint (config.json, weights, golden.safetensors; of a vision model
/// also image0.png, image1.png …), in float32. The difference of a site is its largest
/// |Δ| divided by max(1, the reference's largest |value|).
struct GoldenResult {
  std::string name;  ///< the folder's last part
  std::string architecture;
  double logits = 0.0;  ///< of all positions of all prompts
  /// Of the layers' inputs, the final norm's output, the pixels, the vision tower's
  /// layers and the images' rows.
  double hidden = 0.0;
  double modules = 0.0;  ///< of attention's and feed-forward's outputs
  /// Whether the greedy tokens are the same; empty if the reference has none.
  std::optional<bool> greedy = {};

  double largest() const;
  bool equal() const;  ///< largest() ≤ kGoldenTolerance, and the same greedy tokens
};

/// The reference was computed with the weights as stored. Results therefore differ only
/// by the order of float32 sums, which also depends on the processor.
inline constexpr double kGoldenTolerance = 1e-4;

/// The result of a comparison run on a golden checkpoint, with the default patch in a
/// closed loop and the whole context absorbed.
struct PatchResult {
  DType dtype = DType::F32;
  std::int64_t steps = 0;
  std::int64_t matches = 0;
  double linf = 0.0;      ///< the patched pass's L∞, largest of all steps
  double bareLinf = 0.0;  ///< the bare pass's L∞, median over steps
  double floor = 0.0;     ///< the run's noise floor; measured in 16-bit dtypes only

  double ratio() const;       ///< linf / bareLinf; 0 where linf is 0
  double floorShare() const;  ///< linf / floor; 0 where linf is 0
  /// In float32 and float64: all tokens match, and ratio() is at most 1e-4 or 1e-10.
  /// In 16-bit dtypes: linf is at most `floor`; tokens may differ at near ties.
  bool passes() const;
};

struct PatchCheck {
  std::filesystem::path folder;
  DType dtype = DType::F32;
  /// Reduced to the model's number of positions; the prompt is shortened to make room.
  std::int64_t steps = 64;
};

/// Stores which architectures were equal to Hugging Face's, so that listing models need
/// not load libtorch. An entry is valid while the processor and these files (by size and
/// time of change) stay the same: the program's libraries, libtorch's main library and
/// the golden checkpoints.
class ParityCache {
 public:
  using Folders = std::vector<std::filesystem::path>;

  /// Below the user's cache folder; empty when there is none.
  static std::filesystem::path defaultFile();

  /// @param file is read at every call; empty: nothing is kept
  explicit ParityCache(std::filesystem::path file) : m_file(std::move(file)) {}

  /// The largest difference that was stored; nothing without a valid entry.
  std::optional<double> find(const std::string& architecture,
                             const Folders& golden) const;

  /// Call only if all checks found the architecture equal. Ignores write errors.
  /// @param torchLibrary the file of the libtorch that ran the check; if there is no such
  /// file, nothing is stored
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

struct ParityBadge {
  ParityState state = ParityState::Unknown;
  double largest = 0.0;                  ///< GoldenResult::largest, over all checks
  std::string problem;                   ///< why a check could not run; empty: all ran
  std::string text = "not checked yet";  ///< from `badgeText`
};

/// "✓ architecture equals Hugging Face's within 2e-06".
std::string badgeText(const ParityBadge& badge);

/// The program's golden checkpoints, sorted.
std::vector<std::filesystem::path> goldenFolders();

/// Runs an architecture's golden checks when its badge is first requested, and keeps the
/// result. Use it from one thread at a time.
class ParityBook {
 public:
  explicit ParityBook(std::vector<std::filesystem::path> folders = goldenFolders(),
                      ParityCache cache = ParityCache(ParityCache::defaultFile()));

  /// @param architecture as ModelSpec names it. @throws Error{Cancelled} only.
  ParityBadge badge(const std::string& architecture, Progress& progress);
  /// Runs no check: Unknown until `badge` was called.
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
