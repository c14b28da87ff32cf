#pragma once

#include "core/kernel/vector_code.h"

namespace equipatch::test {

/// Checks of QtTest kind that each variant's code must pass.

/// Every float16 and bfloat16, times one.
void checkHalves(const VectorCode& code);
/// Element i of x meets element i of a row of weights, for rows longer than some blocks.
void checkPacking(const VectorCode& code);
/// Numbers of every size from underflow to overflow, in rows around a vector's width.
void checkRounding(const VectorCode& code);
/// Chunks of all lengths around a vector's width.
void checkLogits(const VectorCode& code);
void checkGates(const VectorCode& code);
void checkSearch(const VectorCode& code);

}  // namespace equipatch::test
