// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_file.h"

#include <cstdint>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/text/pipeline/charsmap.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

constexpr std::size_t kMostPieces = std::size_t{1} << 22;  // published files: below 2^20

// Field numbers of sentencepiece_model.proto.
namespace model_fields {
constexpr std::uint64_t kPiece = 1;         // pieces
constexpr std::uint64_t kTrainer = 2;       // trainer_spec
constexpr std::uint64_t kNormalizer = 3;    // normalizer_spec
constexpr std::uint64_t kDenormalizer = 5;  // denormalizer_spec
}  // namespace model_fields
namespace piece_fields {
constexpr std::uint64_t kText = 1;  // piece
}
namespace trainer_fields {
constexpr std::uint64_t kAlgorithm = 3;       // model_type
constexpr std::uint64_t kSpaceIsSuffix = 24;  // treat_whitespace_as_suffix
constexpr std::uint64_t kByteFallback = 35;   // byte_fallback
}  // namespace trainer_fields
namespace normalizer_fields {
constexpr std::uint64_t kCharsmap = 2;           // precompiled_charsmap
constexpr std::uint64_t kAddDummyPrefix = 3;     // add_dummy_prefix
constexpr std::uint64_t kRemoveExtraSpaces = 4;  // remove_extra_whitespaces
constexpr std::uint64_t kEscapeSpaces = 5;       // escape_whitespaces
}  // namespace normalizer_fields

enum class WireType { Varint = 0, Fixed64 = 1, LengthDelimited = 2, Fixed32 = 5 };

/// One field of a protobuf message: `value` of a varint, `bytes` of a length-delimited
/// field. The values of fixed-width fields are skipped.
struct Field {
  std::uint64_t number = 0;
  WireType type = WireType::Varint;
  std::uint64_t value = 0;
  std::string_view bytes;

  /// As in protobuf, a known number with another wire type is an unknown field.
  bool isNumber(std::uint64_t wanted) const {
    return number == wanted && type == WireType::Varint;
  }
  bool isBytes(std::uint64_t wanted) const {
    return number == wanted && type == WireType::LengthDelimited;
  }
};

class FieldReader {
 public:
  FieldReader(std::string_view message, const std::string& source)
      : m_rest(message), m_source(source) {}

  bool atEnd() const { return m_rest.empty(); }

  Field next() {
    // Protobuf reads only 32 bits of a tag: there, a larger tag would be another field.
    const std::uint64_t tag = varint();
    if (tag > std::numeric_limits<std::uint32_t>::max() || tag >> 3 == 0) throw damaged();
    Field field{.number = tag >> 3, .type = WireType(tag & 7), .value = 0, .bytes = {}};
    switch (field.type) {
      case WireType::Varint:
        field.value = varint();
        return field;
      case WireType::Fixed64:
        take(8);
        return field;
      case WireType::LengthDelimited:
        field.bytes = take(varint());
        return field;
      case WireType::Fixed32:
        take(4);
        return field;
    }
    throw damaged();
  }

 private:
  std::uint64_t varint() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      result |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return result;
    }
    throw damaged();
  }

  std::string_view take(std::uint64_t count) {
    if (count > m_rest.size()) throw damaged();
    const std::string_view taken = m_rest.substr(0, count);
    m_rest.remove_prefix(count);
    return taken;
  }

  Error damaged() const {
    return badInput(m_source +
                    " is not a SentencePiece model or is truncated; copy it again");
  }

  std::string_view m_rest;
  const std::string& m_source;
};

std::string readPiece(FieldReader piece) {
  std::string text;
  while (!piece.atEnd()) {
    const Field field = piece.next();
    if (field.isBytes(piece_fields::kText)) text = field.bytes;
  }
  return text;
}

void requireUsual(const std::string& piece, const std::string& source) {
  if (piece.empty())
    throw badInput(
        source + " has an empty piece; use the tokenizer file published with the model");
  if (piece.size() > Vocabulary::kLongestPiece)
    throw badInput(source + " has a piece of " + std::to_string(piece.size()) +
                   " bytes, expected at most " +
                   std::to_string(Vocabulary::kLongestPiece) +
                   "; use the tokenizer file published with the model");
}

void readTrainer(FieldReader fields, SentencePieceFile& file) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    if (field.isNumber(trainer_fields::kAlgorithm))
      file.algorithm = static_cast<SentencePieceFile::Algorithm>(field.value);
    if (field.isNumber(trainer_fields::kSpaceIsSuffix))
      file.spaceIsSuffix = field.value != 0;
    if (field.isNumber(trainer_fields::kByteFallback))
      file.byteFallback = field.value != 0;
  }
}

void readNormalizer(FieldReader fields, SentencePieceFile& file) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    const bool isSet = field.value != 0;
    if (field.isBytes(normalizer_fields::kCharsmap))
      file.replacesCharacters = !field.bytes.empty();
    if (field.isNumber(normalizer_fields::kAddDummyPrefix)) file.addsDummyPrefix = isSet;
    if (field.isNumber(normalizer_fields::kRemoveExtraSpaces))
      file.removesExtraSpaces = isSet;
    if (field.isNumber(normalizer_fields::kEscapeSpaces)) file.escapesSpaces = isSet;
  }
}

/// The SentencePiece library reads these tables of characters without bounds checks.
void checkCharsmaps(FieldReader fields, const std::string& source) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    if (field.isBytes(normalizer_fields::kCharsmap)) Charsmap::parse(field.bytes, source);
  }
}

}  // namespace

SentencePieceFile SentencePieceFile::inspect(std::string_view bytes,
                                             const std::string& source,
                                             const Progress& progress) {
  SentencePieceFile file;
  StopCheck steps(progress);
  for (FieldReader model(bytes, source); !model.atEnd();) {
    const Field part = model.next();
    steps.count(1 + part.bytes.size());
    const FieldReader fields(part.bytes, source);
    if (part.isBytes(model_fields::kPiece)) {
      if (file.pieces.size() == kMostPieces)
        throw badInput(source + " has more than " + std::to_string(kMostPieces) +
                       " pieces; use the tokenizer file published with the model");
      file.pieces.push_back(readPiece(fields));
      requireUsual(file.pieces.back(), source);
    }
    if (part.isBytes(model_fields::kTrainer)) readTrainer(fields, file);
    if (part.isBytes(model_fields::kNormalizer)) readNormalizer(fields, file);
    if (part.isBytes(model_fields::kNormalizer) ||
        part.isBytes(model_fields::kDenormalizer))
      checkCharsmaps(fields, source);
  }
  return file;
}

}  // namespace equipatch
