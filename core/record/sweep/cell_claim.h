// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/record/sweep/sweep_plan.h"

namespace equipatch {

// Several programs, on one machine or on several that share a disk, may fill one folder.
// They use no file locks, which shared file systems may lack:
//
// - A program claims a cell by creating work/CELL.claim.1, which only one program can,
//   and touches this file every few seconds. When a claim is abandoned, another program
//   takes the cell over by creating CELL.claim.2, and so on; the highest claim's creator
//   owns the cell. At its end the owner removes the lower claims first and its own last.
// - The owner records the cell in work/CELL.TOKEN.eqrun, a file of its own, and renames
//   the complete file to its place.
// - An owner that was suspended may find a higher claim, or its own claim gone. It then
//   gives up. If it looks too late, two programs finish the cell, and one complete file
//   replaces the other.

/// A process that computes cells.
struct Claimant {
  std::string host;
  std::int64_t process = 0;
  /// Slurm's "JOB_INDEX", which a requeue keeps; empty outside an array of jobs.
  std::string task;

  static Claimant self();
};

/// A claim that nobody has touched for longer than this is abandoned.
inline constexpr std::chrono::seconds kClaimSilence{120};

/// The right to compute a cell of a sweep. The destructor gives up this right and removes
/// an unpublished recording.
class CellClaim {
 public:
  /// Claims the cell, without checking whether it is finished.
  /// @returns nothing when another program computes the cell, or has just published it.
  /// @throws Error{Resource} when the folder cannot be written.
  static std::optional<CellClaim> take(const std::filesystem::path& folder,
                                       const SweepCell& cell,
                                       const Claimant& claimant = Claimant::self());
  CellClaim(CellClaim&& other) noexcept;
  CellClaim& operator=(CellClaim&&) = delete;
  ~CellClaim();

  /// The file to record the run in; no other program writes to it.
  const std::filesystem::path& recording() const { return m_recording; }

  /// Shows other programs that the owner is running. Call it often; it accesses the file
  /// only every few seconds. @returns whether this claim still owns the cell.
  bool beat();
  /// As `beat`, but accesses the file at every call.
  bool isOurs();

  /// Moves the complete recording to the cell's place, where it replaces any file.
  /// @returns false, and changes nothing, when this claim no longer owns the cell.
  /// @throws Error{Resource} when the recording cannot be moved.
  bool publish();

  /// Removes the files of a program that died after it had published the cell. Does
  /// nothing while a claim of the cell is valid. Call it for finished cells only.
  /// @throws Error{Resource} when the folder cannot be written.
  static void removeRemains(const std::filesystem::path& folder, const SweepCell& cell);

  /// Notes why the cell could not be computed. `publish` removes this note.
  void noteFailure(const Error& error);

 private:
  CellClaim(std::filesystem::path folder, std::string cell);
  bool createAfterAbandoned(const std::filesystem::path& own, const std::string& text,
                            const Claimant& claimant);

  std::filesystem::path m_folder;
  std::string m_cell;   ///< the name of the cell's run file without ".eqrun"
  std::string m_token;  ///< empty: there is nothing to give up
  std::int64_t m_number = 0;
  std::filesystem::path m_recording;
  std::chrono::steady_clock::time_point m_lastLook;
  bool m_ours = true;
};

/// A claim as its file shows it.
struct ClaimView {
  std::int64_t number = 0;
  std::string token;
  Claimant claimant;
  std::chrono::seconds silence{0};  ///< since the file was last touched; ≥ 0

  /// True if the owner has been silent for too long, or is known to be dead.
  /// @param self the process that asks. A Slurm task that runs as `self` was started
  /// again: its earlier process is dead.
  bool isAbandoned(const Claimant& self) const;
};

/// Claims and failures in a sweep's folder `work`. The keys are names of run files.
struct CellNotes {
  std::map<std::string, ClaimView> claims;      ///< the highest of each cell
  std::map<std::string, std::string> failures;  ///< sentences
};
/// @param folder of the sweep
CellNotes readCellNotes(const std::filesystem::path& folder);

}  // namespace equipatch
