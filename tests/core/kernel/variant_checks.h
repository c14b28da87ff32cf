#pragma once

#include "core/kernel/kernel_table.h"

namespace equipatch::test {

/// Checks of QtTest kind that the kernels of each instruction set must pass.

/// Every float16 and bfloat16, times one.
void checkHalves(const KernelTable& code);
/// Element i of x meets element i of a row of weights, for rows longer than some blocks.
void checkPacking(const KernelTable& code);
/// Numbers of every size from underflow to overflow, in rows around a vector's width.
void checkRounding(const KernelTable& code);
/// Chunks of all lengths around a vector's width.
void checkLogits(const KernelTable& code);
void checkGates(const KernelTable& code);
void checkSearch(const KernelTable& code);

}  // namespace equipatch::test
