#pragma once

#include "core/record/run_record.h"
#include "core/record/sqlite.h"

namespace equipatch {

/// How a recorded run came to its end.
enum class RunEnding {
  Interrupted,  ///< it did not: the program was killed, or it goes on right now
  Complete,     ///< all its steps were taken, or a token ended the sequence
  Stopped,      ///< on request, or by an error
};

/// All of a run file but its steps: manifest, prompt, tensor files, parameters.
void writeHeader(const SqlDatabase& database, const RunHeader& header);
/// @throws Error{BadInput} when something is missing or contradicts the rest.
RunHeader readHeader(const SqlDatabase& database);

/// To be written once, when nothing will follow.
void writeEnding(const SqlDatabase& database, RunEnding ending);
RunEnding readEnding(const SqlDatabase& database);

}  // namespace equipatch
