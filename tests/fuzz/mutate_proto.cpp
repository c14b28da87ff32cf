// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <optional>

#include "tests/fuzz/mutate.h"

namespace equipatch::fuzz {
namespace {

constexpr int kDeepest = 3;

/// A field of a message of Protocol Buffers.
struct ProtoField {
  std::uint64_t tag = 0;     ///< the field's number and wire type
  std::uint64_t number = 0;  ///< the value of a varint
  std::string bytes;         ///< of any other type
};

std::optional<std::uint64_t> takeVarint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

std::optional<ProtoField> takeField(std::string_view& rest) {
  const auto tag = takeVarint(rest);
  if (!tag) return std::nullopt;
  ProtoField field{.tag = *tag, .number = 0, .bytes = {}};
  std::uint64_t size = 0;
  const std::uint64_t type = *tag & 7;
  if (type == 0 || type == 2) {
    const auto number = takeVarint(rest);
    if (!number) return std::nullopt;
    (type == 0 ? field.number : size) = *number;
  } else if (type == 1 || type == 5) {
    size = type == 1 ? 8 : 4;
  } else {
    return std::nullopt;
  }
  if (size > rest.size()) return std::nullopt;
  field.bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  return field;
}

std::vector<ProtoField> fieldsOf(std::string_view message) {
  std::vector<ProtoField> fields;
  while (!message.empty()) {
    auto field = takeField(message);
    if (!field) return {};
    fields.push_back(*std::move(field));
  }
  return fields;
}

std::string written(const std::vector<ProtoField>& fields) {
  std::string message;
  for (const ProtoField& field : fields) {
    message += varint(field.tag);
    if ((field.tag & 7) == 0) message += varint(field.number);
    if ((field.tag & 7) == 2) message += varint(field.bytes.size());
    message += field.bytes;
  }
  return message;
}

std::string changed(std::string_view message, Random& random, int depth);

void changeField(ProtoField& field, Random& random, int depth) {
  constexpr std::uint64_t kNumbers[] = {
      0, 1, 2, 3, 4, 5, 6, 127, 0xFFFFFFFF, 1u << 31, INT64_MAX, UINT64_MAX};
  if ((field.tag & 7) == 0)
    field.number = random.chance(0.5) ? kNumbers[random.below(std::size(kNumbers))]
                                      : field.number ^ (1u << random.below(8));
  else if ((field.tag & 7) == 2 && random.chance(0.7))
    field.bytes = changed(field.bytes, random, depth + 1);
  else if (const std::string bytes = mutateBytes(field.bytes);
           (field.tag & 7) == 2 || bytes.size() == field.bytes.size())
    field.bytes = bytes;
}

std::string changed(std::string_view message, Random& random, int depth) {
  std::vector<ProtoField> fields = fieldsOf(message);
  if (fields.empty() || depth > kDeepest) return mutateBytes(message);
  const std::size_t place = random.below(fields.size());
  switch (random.below(8)) {
    case 0:
      fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(place));
      break;
    case 1:
      fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(place),
                    ProtoField(random.pick(fields)));
      break;
    case 2:
      std::swap(fields[place], fields[random.below(fields.size())]);
      break;
    case 3:  // another field of the same type
      fields[place].tag = (random.below(50) << 3) | (fields[place].tag & 7);
      break;
    case 4:  // a varint field that the message may lack
      fields.push_back(
          {.tag = random.below(50) << 3, .number = random.below(6), .bytes = {}});
      break;
    default:
      changeField(fields[place], random, depth);
  }
  return written(fields);
}

}  // namespace

std::string mutateProto(std::string_view input, Random& random) {
  return fieldsOf(input).empty() ? std::string() : changed(input, random, 0);
}

}  // namespace equipatch::fuzz
