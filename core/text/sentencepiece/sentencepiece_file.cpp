// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_file.h"

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/base/stop_check.h"
#include "core/text/pipeline/charsmap.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

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

/// One field of a protobuf message: `value` if it is a varint, `bytes` if it is
/// length-delimited. The values of fixed-width fields are skipped.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
};

/// Reads protobuf's wire format.
class FieldReader {
 public:
  FieldReader(std::string_view message, const std::string& source)
      : m_rest(message), m_source(source) {}

  bool atEnd() const { return m_rest.empty(); }

  Field next() {
    const std::uint64_t tag = varint();
    Field field{.number = tag >> 3, .value = 0, .bytes = {}};
    switch (tag & 7) {
      case 0:
        field.value = varint();
        break;
      case 1:
        take(8);
        break;
      case 2:
        field.bytes = take(varint());
        break;
      case 5:
        take(4);
        break;
      default:
        throw damaged();
    }
    return field;
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
    if (field.number == piece_fields::kText) text = field.bytes;
  }
  return text;
}

void requireShort(const std::string& piece, const std::string& source) {
  if (piece.size() > Vocabulary::kLongestPiece)
    throw badInput(source + " has a piece of " + std::to_string(piece.size()) +
                   " bytes, expected at most " +
                   std::to_string(Vocabulary::kLongestPiece) +
                   "; use the tokenizer file published with the model");
}

void readTrainer(FieldReader fields, SentencePieceFile& file) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    if (field.number == trainer_fields::kAlgorithm)
      file.algorithm = static_cast<SentencePieceFile::Algorithm>(field.value);
    if (field.number == trainer_fields::kSpaceIsSuffix)
      file.spaceIsSuffix = field.value != 0;
    if (field.number == trainer_fields::kByteFallback)
      file.byteFallback = field.value != 0;
  }
}

void readNormalizer(FieldReader fields, SentencePieceFile& file) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    const bool isSet = field.value != 0;
    if (field.number == normalizer_fields::kCharsmap)
      file.replacesCharacters = !field.bytes.empty();
    if (field.number == normalizer_fields::kAddDummyPrefix) file.addsDummyPrefix = isSet;
    if (field.number == normalizer_fields::kRemoveExtraSpaces)
      file.removesExtraSpaces = isSet;
    if (field.number == normalizer_fields::kEscapeSpaces) file.escapesSpaces = isSet;
  }
}

/// Checks the tables of characters, which the SentencePiece library reads without bounds
/// checks.
void checkCharsmaps(FieldReader fields, const std::string& source) {
  while (!fields.atEnd()) {
    const Field field = fields.next();
    if (field.number == normalizer_fields::kCharsmap)
      Charsmap::parse(field.bytes, source);
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
    if (part.number == model_fields::kPiece) {
      file.pieces.push_back(readPiece(fields));
      requireShort(file.pieces.back(), source);
    }
    if (part.number == model_fields::kTrainer) readTrainer(fields, file);
    if (part.number == model_fields::kNormalizer) readNormalizer(fields, file);
    if (part.number == model_fields::kNormalizer ||
        part.number == model_fields::kDenormalizer)
      checkCharsmaps(fields, source);
  }
  return file;
}

}  // namespace equipatch
