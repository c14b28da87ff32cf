#include "core/kernel/row_operations.h"

#include <bit>
#include <cstdint>

namespace equipatch {
namespace {

/// By their bits, without an early end: that is what compilers make vectors of.
template <typename Word, typename Real>
bool noExponentIs(Word infinite, std::span<const Real> numbers) {
  Word found = 0;
  for (const Real number : numbers)
    found |= Word{(std::bit_cast<Word>(number) & infinite) == infinite};
  return found == 0;
}

}  // namespace

bool allFinite(std::span<const float> numbers) {
  return noExponentIs<std::uint32_t>(0x7f800000u, numbers);
}

bool allFinite(std::span<const double> numbers) {
  return noExponentIs<std::uint64_t>(0x7ff0000000000000u, numbers);
}

}  // namespace equipatch
