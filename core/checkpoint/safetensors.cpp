// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/base/write_failure.h"

namespace equipatch {

bool isShardName(std::string_view name) {
  constexpr std::string_view kSuffix = ".safetensors";
  return name.size() > kSuffix.size() && name.ends_with(kSuffix) &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

std::int64_t TensorView::elements() const {
  return static_cast<std::int64_t>(bytes.size() / byteSize(dtype));
}

bool TensorView::aligned() const {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % byteSize(dtype) == 0;
}

std::string shapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are read and written as they are in memory");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes =
    100'000'000;  // the limit of the reference implementation
constexpr std::size_t kMaxRank = 64;
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kFetchAgain =
    "; the file is damaged or truncated; download it again";

/// A tensor's byte range, relative to the header's end.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;
};

/// The header's bytes in the mapping. Reads the header's length with FileMap::read,
/// because the mapping uses large pages: touching it would fetch megabytes of tensors.
std::span<const std::byte> placeOfHeader(const FileMap& file, const std::string& source) {
  const std::span<const std::byte> bytes = file.bytes();
  if (bytes.size() < kLengthBytes)
    throw badInput(source + ": expected at least 8 bytes of a safetensors file, found " +
                   std::to_string(bytes.size()) + kFetchAgain);
  std::uint64_t length = 0;
  file.read(bytes.first(kLengthBytes), std::as_writable_bytes(std::span(&length, 1)));
  if (length > kMaxHeaderBytes)
    throw badInput(source + ": the header claims " + std::to_string(length) +
                   " bytes, at most " + std::to_string(kMaxHeaderBytes) +
                   " are allowed; this is not a safetensors file");
  if (length > bytes.size() - kLengthBytes)
    throw badInput(source + ": the header claims " + std::to_string(length) +
                   " bytes, the file has only " +
                   std::to_string(bytes.size() - kLengthBytes) + " after its length" +
                   kFetchAgain);
  return bytes.subspan(kLengthBytes, static_cast<std::size_t>(length));
}

std::vector<std::int64_t> shapeOf(const JsonObject& entry, const Json& list) {
  if (!list.is_array() || list.size() > kMaxRank)
    throw badInput(entry.source() + ": \"shape\" should be a list of at most " +
                   std::to_string(kMaxRank) + " dimensions" + kFetchAgain);
  std::vector<std::int64_t> shape;
  for (const Json& size : list) {
    if (!size.is_number_unsigned() ||
        size.get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxInteger))
      throw badInput(entry.source() +
                     ": \"shape\" should hold integers from 0 to 2^63 - 1" + ", found " +
                     foundNumber(size) + kFetchAgain);
    shape.push_back(size.get<std::int64_t>());
  }
  return shape;
}

DType dtypeOf(JsonObject& entry) {
  const std::string name = entry.string("dtype");
  const auto dtype = dtypeFromSafetensorsName(name);
  if (!dtype)
    throw unsupported(
        entry.source() + ": dtype " + inQuotes(name) +
        " is not supported; convert the checkpoint to F64, F32, F16, BF16, I64, "
        "I32, I16, I8, U8 or BOOL");
  return *dtype;
}

/// nullopt if 64 bits cannot count the bytes. A tensor with a size of 0 has 0 bytes, even
/// if the product of its other sizes overflows.
/// @param shape no size is negative
std::optional<std::uint64_t> byteCount(DType dtype, std::span<const std::int64_t> shape) {
  if (std::ranges::count(shape, 0) > 0) return 0;
  std::uint64_t bytes = byteSize(dtype);
  for (const std::int64_t size : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes))
      return std::nullopt;
  return bytes;
}

/// Reads one header entry and checks it, but not against other entries.
ByteRange readEntry(JsonObject& entry, std::uint64_t dataBytes, TensorView& tensor) {
  tensor.dtype = dtypeOf(entry);
  const Json* shape = entry.member("shape");
  const auto offsets = entry.integers("data_offsets", 0, kMaxInteger);
  if (!shape || offsets.size() != 2)
    throw badInput(
        entry.source() + ": expected \"shape\" and two \"data_offsets\", found " +
        (shape ? std::to_string(offsets.size()) + " offsets" : "no shape") + kFetchAgain);
  tensor.shape = shapeOf(entry, *shape);
  const auto begin = static_cast<std::uint64_t>(offsets[0]);
  const auto end = static_cast<std::uint64_t>(offsets[1]);
  const std::string range =
      "bytes " + std::to_string(begin) + " to " + std::to_string(end);
  if (begin > end)
    throw badInput(entry.source() + ": its offsets are reversed, " + range + kFetchAgain);
  if (end > dataBytes)
    throw badInput(entry.source() + ": its data is " + range +
                   ", but the file has only " + std::to_string(dataBytes) +
                   " bytes of data" + kFetchAgain);
  const auto needed = byteCount(tensor.dtype, tensor.shape);
  if (needed != end - begin)
    throw badInput(entry.source() + ": shape " + shapeText(tensor.shape) + " of " +
                   std::string(safetensorsName(tensor.dtype)) + " needs " +
                   (needed ? std::to_string(*needed) : "at least 2^64") +
                   " bytes, but it has " + range + ", which is " +
                   std::to_string(end - begin) + kFetchAgain);
  return {begin, end, {}};
}

void checkTiling(std::vector<ByteRange> ranges, std::uint64_t dataBytes,
                 const std::string& source) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange& a, const ByteRange& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t reached = 0;
  for (const ByteRange& range : ranges) {
    const std::string at = ": tensor " + inQuotes(range.name) + " begins at byte " +
                           std::to_string(range.begin);
    if (range.begin < reached)
      throw badInput(source + at + " and overlaps the tensor that ends at byte " +
                     std::to_string(reached) + kFetchAgain);
    if (range.begin > reached)
      throw badInput(source + at + " and leaves a hole after byte " +
                     std::to_string(reached) + kFetchAgain);
    reached = range.end;
  }
  if (reached != dataBytes)
    throw badInput(source + ": the tensors end at byte " + std::to_string(reached) +
                   " of the data, but " + std::to_string(dataBytes - reached) +
                   " more bytes follow" + kFetchAgain);
}

std::map<std::string, std::string> readMetadata(const Json& value,
                                                const std::string& source) {
  std::map<std::string, std::string> metadata;
  if (value.is_null()) return metadata;
  if (!value.is_object())
    throw badInput(source + ": \"__metadata__\" should be an object of strings" +
                   kFetchAgain);
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string())
      throw badInput(source +
                     ": \"__metadata__\" should hold strings only, but the value of " +
                     inQuotes(key) + " is not a string" + kFetchAgain);
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

}  // namespace

SafetensorsFile SafetensorsFile::open(const std::filesystem::path& path) {
  const std::string source = path.string();
  SafetensorsFile file;
  file.m_path = path;
  file.m_file = FileMap::open(path);
  const std::span<const std::byte> place = placeOfHeader(*file.m_file, source);
  file.m_header = {reinterpret_cast<const char*>(place.data()), place.size()};
  std::string text(place.size(), '\0');
  file.m_file->read(place, std::as_writable_bytes(std::span(text)));
  const auto data = file.data();
  if (!text.starts_with('{'))
    throw badInput(source +
                   ": the header should begin with '{', as a JSON object does; " +
                   "this is not a safetensors file");
  const Json header = parseJson(text, source + " (header)", RepeatedKeys::Refuse);

  std::vector<ByteRange> ranges;
  for (const auto& [name, value] : header.items()) {
    if (name == kMetadata) {
      file.m_metadata = readMetadata(value, source);
      continue;
    }
    JsonObject entry(value, source + ": tensor " + inQuotes(name));
    TensorView& tensor = file.m_tensors[name];
    ByteRange range = readEntry(entry, data.size(), tensor);
    tensor.bytes = data.subspan(static_cast<std::size_t>(range.begin),
                                static_cast<std::size_t>(range.end - range.begin));
    tensor.owner = file.m_file;
    range.name = name;
    ranges.push_back(std::move(range));
  }
  checkTiling(std::move(ranges), data.size(), source);
  return file;
}

std::span<const std::byte> SafetensorsFile::data() const {
  return m_file->bytes().subspan(kLengthBytes + m_header.size());
}

std::string SafetensorsFile::dataSampleSha256() const {
  constexpr std::size_t kPieces = 256, kPieceBytes = std::size_t{1} << 16;
  const auto all = data();
  std::vector<std::byte> sample(std::min(all.size(), kPieces * kPieceBytes));
  if (sample.size() == all.size()) {
    m_file->read(all, sample);
    return sha256(sample);
  }
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    const std::size_t begin = piece * (all.size() - kPieceBytes) / (kPieces - 1);
    m_file->read(all.subspan(begin, kPieceBytes),
                 std::span(sample).subspan(piece * kPieceBytes, kPieceBytes));
  }
  return sha256(sample);
}

namespace {

constexpr std::size_t kAlignment = 8;

void checkName(const std::string& name) {
  if (name.empty() || name == kMetadata ||
      firstInvalidUtf8(name) != std::string_view::npos)
    throw badInput("a tensor cannot be written under the name " + inQuotes(name) +
                   "; expected non-empty UTF-8 text other than __metadata__");
}

std::uint64_t plannedBytes(const TensorPlan& tensor) {
  const bool isNegative =
      std::ranges::any_of(tensor.shape, [](std::int64_t size) { return size < 0; });
  const auto bytes = isNegative ? std::nullopt : byteCount(tensor.dtype, tensor.shape);
  if (!bytes)
    throw badInput("tensor " + inQuotes(tensor.name) +
                   " cannot be written: a dimension is negative, or 64 bits cannot count "
                   "the tensor's bytes");
  return *bytes;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<TensorPlan>& plan,
                                     const Metadata& metadata)
    : m_file(path), m_stream(m_file.path(), std::ios::binary) {
  if (!m_stream) throw unwritable(path, errno);
  writeHeader(plan, metadata);
}

void SafetensorsWriter::writeHeader(const std::vector<TensorPlan>& plan,
                                    const Metadata& metadata) {
  // Wide elements first, so that every tensor is aligned to its element size.
  std::vector<TensorPlan> ordered = plan;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const TensorPlan& a, const TensorPlan& b) {
                     return byteSize(a.dtype) > byteSize(b.dtype);
                   });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  std::uint64_t offset = 0;
  for (const TensorPlan& tensor : ordered) {
    checkName(tensor.name);
    std::uint64_t end = 0;
    if (__builtin_add_overflow(offset, plannedBytes(tensor), &end))
      throw badInput(m_file.target().string() +
                     ": 64 bits cannot count the tensors' bytes");
    if (!m_regions.try_emplace(tensor.name, Region{offset, end}).second)
      throw badInput("two tensors cannot both be written under the name " +
                     inQuotes(tensor.name));
    header[tensor.name] = {{"dtype", safetensorsName(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text =
      header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  const std::uint64_t length = text.size();
  errno = 0;
  m_stream.write(reinterpret_cast<const char*>(&length), sizeof length);
  m_stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  checkStream();
  for (auto& [name, region] : m_regions) {
    region.next += sizeof length + length;
    region.end += sizeof length + length;
  }
}

void SafetensorsWriter::append(const std::string& name,
                               std::span<const std::byte> bytes) {
  const auto found = m_regions.find(name);
  if (found == m_regions.end()) throw std::logic_error("unplanned tensor " + name);
  Region& region = found->second;
  if (bytes.size() > region.end - region.next)
    throw std::logic_error("more bytes than planned for tensor " + name);
  errno = 0;
  m_stream.seekp(static_cast<std::streamoff>(region.next));
  m_stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
  checkStream();
  region.next += bytes.size();
}

void SafetensorsWriter::finish() {
  for (const auto& [name, region] : m_regions)
    if (region.next != region.end)
      throw std::logic_error("tensor " + name + " is not full");
  errno = 0;
  m_stream.close();
  checkStream();
  if (const std::error_code failure = m_file.putInPlace())
    throw Error(ErrorKind::Resource, m_file.target().string() +
                                         ": the file cannot be put in place (" +
                                         failure.message() + "); choose another place");
}

void SafetensorsWriter::checkStream() {
  if (m_stream) return;
  const int code = errno;
  const std::string reason =
      code ? std::generic_category().message(code) : "unknown reason";
  throw writeFailed(m_file.target(), "the file cannot be written", reason, code,
                    m_file.path());
}

}  // namespace equipatch
