// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/record/file/sqlite.h"

namespace equipatch {

/// The parts of a step that are read and digested separately.
enum class StepPart {
  Record,   ///< everything but the factors
  Factors,  ///< PatchFactors; most of a file that records them
};

/// Digests of a step's parts, 64 hexadecimal digits each; `factors` is empty if the file
/// has no factors of the step.
struct StepDigest {
  std::string record, factors;
};

/// Computes the SHA-256 digests that docs/run-files.md defines. They cover all columns of
/// the file, including those that a later version added, and reveal overwritten values,
/// which SQLite may not notice.
class StepDigests {
 public:
  /// The database must outlive this.
  explicit StepDigests(const SqlDatabase& database);
  /// Not empty for a part without rows.
  std::string of(StepIndex step, StepPart part);

 private:
  struct PartRows {
    StepPart part;
    std::string table;
    SqlStatement select;  ///< by step
  };
  std::vector<PartRows> m_rows;
};

/// @param recorded digest of the part; empty: nothing is checked
/// @throws Error{BadInput} unless the rows have this digest
void requireDigest(StepDigests& digests, StepIndex step, StepPart part,
                   const std::string& recorded);

}  // namespace equipatch
