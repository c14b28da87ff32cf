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
  Factors,  ///< those of the patch; if recorded, they take most of the file
};

/// Digests of a step's parts, 64 hexadecimal digits each; `factors` is empty if the file
/// has no factors of the step.
struct StepDigest {
  std::string record, factors;
};

/// Computes digests of a step's rows: SHA-256 over all columns of the file, including
/// those that a later version added. If a disk or a program overwrites a value, the
/// digest changes, while SQLite may not notice. docs/run-files.md defines digests.
class StepDigests {
 public:
  /// The database must outlive this.
  explicit StepDigests(const SqlDatabase& database);
  /// 64 hexadecimal digits, also for a part without rows.
  std::string of(StepIndex step, StepPart part);

 private:
  /// The rows of a table that belong to a part.
  struct PartRows {
    StepPart part;
    std::string table;
    SqlStatement select;  ///< by step
  };
  std::vector<PartRows> m_rows;
};

/// @param recorded digest of the part; empty: there is none to compare with
/// @throws Error{BadInput} unless the rows have this digest
void requireDigest(StepDigests& digests, StepIndex step, StepPart part,
                   const std::string& recorded);

}  // namespace equipatch
