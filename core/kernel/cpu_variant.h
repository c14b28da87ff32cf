#pragma once

#include <optional>

namespace equipatch {

/// The instruction sets that the vector code is compiled for.
enum class InstructionSet {
  Plain,   ///< whatever the compiler's target has: SSE2 on x86-64
  Avx2,    ///< with FMA and F16C
  Avx512,  ///< F and BW
};

bool cpuSupports(InstructionSet set);

/// The instruction set in use: the widest that this CPU supports, unless one was forced.
InstructionSet instructionSet();

/// For tests and measurements; nothing returns to the widest. Must be supported.
void forceInstructionSet(std::optional<InstructionSet> set);

}  // namespace equipatch
