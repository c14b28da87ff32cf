// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_limits.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/text/aligned_text.h"

namespace equipatch {

namespace {

/// The largest legitimate growth is that of U+FDFA in a byte-level tokenizer with NFKC:
/// from 3 bytes to 33, then to 66 as byte-level characters.
constexpr std::size_t kMostPerByte = 64;
/// Added to the limit for short texts.
constexpr std::size_t kFreeBytes = 1024;
/// Long texts may grow less, because each of their tokens takes about 64 bytes of memory.
constexpr std::size_t kMostPerByteOfLongTexts = 4;
/// Added to the limit of pieces, because the piece of an unknown token, a byte token
/// ("<0xE2>") or a token without text (BOS) may be longer than the token's text.
constexpr std::size_t kFreePieceBytes = std::size_t{1} << 16;
constexpr std::size_t kMostPieceBytesOfLongTexts = 8;
constexpr double kFreeSeconds = 10.0;
/// Tokenizers read millions of bytes per second.
constexpr double kSlowestBytesPerSecond = 100'000.0;

}  // namespace

TextLimits TextLimits::of(std::size_t size, std::stop_token stop) {
  const std::chrono::duration<double> seconds(kFreeSeconds + static_cast<double>(size) /
                                                                 kSlowestBytesPerSecond);
  return {.bytes = std::min(kFreeBytes + kMostPerByte * size,
                            AlignedText::kLargestSize + kMostPerByteOfLongTexts * size),
          .pieceBytes =
              std::min(kFreePieceBytes + kMostPerByte * size,
                       AlignedText::kLargestSize + kMostPieceBytesOfLongTexts * size),
          .deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds),
          .stop = std::move(stop)};
}

void TextLimits::countPiece(std::size_t size) {
  if (size > pieceBytes)
    throw Error(
        ErrorKind::Resource,
        "the pieces of this text's tokens take more memory than those of any "
        "text should; download the tokenizer's files again from the model's publisher");
  pieceBytes -= size;
}

void TextLimits::throwIfStopped() const {
  if (stop.stop_requested()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

void TextLimits::requireTime() const {
  throwIfStopped();
  if (Clock::now() > deadline)
    throw Error(ErrorKind::Resource,
                "the tokenizer takes longer than any text needs; download its files "
                "again from the model's publisher");
}

void TextLimits::requireSize(std::size_t size) const {
  const std::size_t most = std::min(bytes, AlignedText::kLargestSize);
  if (size > most)
    throw Error(ErrorKind::Resource,
                "a text grows to more than " + std::to_string(most) +
                    " bytes in the tokenizer, the most that is allowed; give a "
                    "shorter text, or download the tokenizer's files again from the "
                    "model's publisher");
}

}  // namespace equipatch
