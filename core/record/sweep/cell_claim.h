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
// They do not rely on file locks, because shared file systems may lack them:
//
// - A cell is recorded in its own file, work/CELL.TOKEN.eqrun, which no other program
//   writes to, and renamed to its place when it is complete.
// - A program first claims a cell: it creates work/CELL.claim.1, which only one program
//   can. It touches that file every few seconds. When a claim is abandoned, others take
//   the cell over by creating CELL.claim.2, which again only one can; the program that
//   created the highest number owns the cell. At its end the owner removes the lower
//   claims first and its own last.
// - An owner that was suspended while another program took its cell over finds a claim
//   with a higher number, or its own claim gone. It then gives up. If it looks too late,
//   two programs finish the cell, and one complete file replaces the other.

/// The process that computes a cell.
struct Claimant {
  std::string host;
  std::int64_t process = 0;
  /// Slurm's "JOB_INDEX", which a requeue keeps; empty outside an array of jobs.
  std::string task;

  static Claimant self();
};

/// A claim that nobody has touched for longer than this is abandoned.
inline constexpr std::chrono::seconds kClaimSilence{120};

/// The right to compute a cell of a sweep. The destructor gives it up, and removes the
/// recording unless it was published.
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

  /// The file to record the run in; only this claim's owner writes to it.
  const std::filesystem::path& recording() const { return m_recording; }

  /// Shows others that the owner is running. Call it often; it accesses the file only
  /// every few seconds. @returns whether the cell is still this claim's.
  bool beat();
  /// As `beat`, but accesses the file at every call.
  bool isOurs();

  /// Moves the complete recording to the cell's place, where it replaces an incomplete
  /// file.
  /// @returns false, and changes nothing, when the cell is no longer this claim's.
  /// @throws Error{Resource} when it cannot be moved there.
  bool publish();

  /// Removes the files of a program that died after it had published the cell. Does
  /// nothing while a claim of the cell is valid. Call it for finished cells only.
  /// @throws Error{Resource} when the folder cannot be written.
  static void removeRemains(const std::filesystem::path& folder, const SweepCell& cell);

  /// Writes down, for `--status`, why the cell could not be computed. `publish` removes
  /// this note.
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

/// A claim as others see it.
struct ClaimView {
  std::int64_t number = 0;
  std::string token;
  Claimant claimant;
  std::chrono::seconds silence{0};  ///< since the owner last touched it, never negative

  /// True if the claim's owner is known to be dead, or has been silent for too long.
  /// @param self the process that asks; if it runs the same Slurm task as the owner, the
  /// task was started again and the owner is dead
  bool isAbandoned(const Claimant& self) const;
};

/// Claims and failures in a sweep's folder `work`, by the names of the cells' run files.
struct CellNotes {
  std::map<std::string, ClaimView> claims;      ///< the highest of each cell
  std::map<std::string, std::string> failures;  ///< sentences
};
/// @param folder of the sweep
CellNotes readCellNotes(const std::filesystem::path& folder);

}  // namespace equipatch
