#include "core/text/sentencepiece_file.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "core/base/error.h"

namespace equipatch {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr std::uint64_t kNormalizerSpec = 3;
constexpr std::uint64_t kDenormalizerSpec = 5;
constexpr std::uint64_t kPrecompiledCharsmap = 2;
constexpr std::uint64_t kAddDummyPrefix = 3;

/// One field of a protobuf message: a number, or bytes.
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
                    " is damaged: it is no SentencePiece model, or one that is "
                    "cut off; copy it again");
  }

  std::string_view m_rest;
  const std::string& m_source;
};

/// The library walks the charsmap's double array (of the kind of Darts) and reads the
/// texts that it points to without looking at their sizes: no step may lead outside.
void checkCharsmap(std::string_view charsmap, const std::string& source) {
  if (charsmap.empty()) return;
  const auto require = [&](bool holds) {
    if (!holds)
      throw badInput(source +
                     " is damaged: its table of characters to normalize points "
                     "outside itself; copy it again");
  };
  std::uint32_t size = 0;
  require(charsmap.size() > sizeof size);
  std::memcpy(&size, charsmap.data(), sizeof size);
  charsmap.remove_prefix(sizeof size);
  require(size < charsmap.size() && size % sizeof(std::uint32_t) == 0 && size > 0);
  const std::string_view texts = charsmap.substr(size);
  require(texts.back() == '\0');

  std::vector<std::uint32_t> units(size / sizeof(std::uint32_t));
  std::memcpy(units.data(), charsmap.data(), size);
  constexpr std::uint32_t kIsValue = std::uint32_t{1} << 31;
  constexpr std::uint32_t kHasValue = std::uint32_t{1} << 8;
  constexpr std::uint32_t kIsFar = std::uint32_t{1} << 9;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t unit = units[i];
    if (unit & kIsValue) continue;
    const std::uint32_t offset = (unit >> 10) << (unit & kIsFar ? 8 : 0);
    const std::size_t child = i ^ offset;
    require((child | 0xFF) < units.size());
    if (unit & kHasValue) require((units[child] & ~kIsValue) < texts.size());
  }
}

}  // namespace

SentencePieceFile SentencePieceFile::inspect(std::string_view bytes,
                                             const std::string& source) {
  SentencePieceFile file;
  for (FieldReader model(bytes, source); !model.atEnd();) {
    const Field spec = model.next();
    if (spec.number != kNormalizerSpec && spec.number != kDenormalizerSpec) continue;
    for (FieldReader fields(spec.bytes, source); !fields.atEnd();) {
      const Field field = fields.next();
      if (field.number == kPrecompiledCharsmap) checkCharsmap(field.bytes, source);
      if (field.number == kAddDummyPrefix && spec.number == kNormalizerSpec)
        file.addsDummyPrefix = field.value != 0;
    }
  }
  return file;
}

}  // namespace equipatch
