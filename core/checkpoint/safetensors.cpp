// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/base/write_failure.h"

namespace equipatch {

std::int64_t TensorView::elements() const {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
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
              "views return the file's little-endian bytes as they are");

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMostHeaderBytes =
    100'000'000;  // the limit of the reference implementation
constexpr std::size_t kMaxRank = 64;
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kFetchAgain =
    "; the file is damaged or its download was cut short, fetch it again";

/// Stated position of a tensor, relative to the end of the header.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string name;
};

std::string_view headerOf(std::span<const std::byte> bytes, const std::string& source) {
  if (bytes.size() < kLengthBytes)
    throw badInput(source + ": expected at least 8 bytes of a safetensors file, found " +
                   std::to_string(bytes.size()) + kFetchAgain);
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  if (length > kMostHeaderBytes)
    throw badInput(source + ": the header claims " + std::to_string(length) +
                   " bytes, at most " + std::to_string(kMostHeaderBytes) +
                   " are allowed; this is not a safetensors file");
  if (length > bytes.size() - kLengthBytes)
    throw badInput(source + ": the header claims " + std::to_string(length) +
                   " bytes, the file has only " +
                   std::to_string(bytes.size() - kLengthBytes) + " after its length" +
                   kFetchAgain);
  return {reinterpret_cast<const char*>(bytes.data()) + kLengthBytes,
          static_cast<std::size_t>(length)};
}

std::vector<std::int64_t> extents(const JsonObject& entry, const Json& list) {
  if (!list.is_array() || list.size() > kMaxRank)
    throw badInput(entry.source() + ": \"shape\" should be a list of at most " +
                   std::to_string(kMaxRank) + " dimensions" + kFetchAgain);
  std::vector<std::int64_t> shape;
  for (const Json& extent : list) {
    if (!extent.is_number_unsigned() ||
        extent.get<std::uint64_t>() > static_cast<std::uint64_t>(kMaxInteger))
      throw badInput(entry.source() +
                     ": \"shape\" should hold integers from 0 to 2^63 - 1" + ", found " +
                     (extent.is_number() ? extent.dump() : "no number") + kFetchAgain);
    shape.push_back(extent.get<std::int64_t>());
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

std::uint64_t bytesNeeded(const TensorView& tensor, const std::string& source) {
  std::uint64_t bytes = byteSize(tensor.dtype);
  // An extent of 0 makes the product 0, even where the others overflow.
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) != tensor.shape.end())
    return 0;
  for (const std::int64_t extent : tensor.shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes))
      throw badInput(source + ": shape " + shapeText(tensor.shape) + " of " +
                     std::string(safetensorsName(tensor.dtype)) +
                     " is more bytes than 64 bits can count" + kFetchAgain);
  return bytes;
}

/// Reads a header entry and checks it, except against other entries.
ByteRange readEntry(JsonObject& entry, std::uint64_t dataBytes, TensorView& tensor) {
  tensor.dtype = dtypeOf(entry);
  const Json* shape = entry.member("shape");
  const auto offsets = entry.integers("data_offsets", 0, kMaxInteger);
  if (!shape || offsets.size() != 2)
    throw badInput(
        entry.source() + ": expected \"shape\" and two \"data_offsets\", found " +
        (shape ? std::to_string(offsets.size()) + " offsets" : "no shape") + kFetchAgain);
  tensor.shape = extents(entry, *shape);
  const auto begin = static_cast<std::uint64_t>(offsets[0]);
  const auto end = static_cast<std::uint64_t>(offsets[1]);
  const std::string range =
      "bytes " + std::to_string(begin) + " to " + std::to_string(end);
  if (begin > end)
    throw badInput(entry.source() + ": its offsets are reversed, " + range + kFetchAgain);
  if (end > dataBytes)
    throw badInput(entry.source() + ": is at " + range + ", but the file has only " +
                   std::to_string(dataBytes) + " bytes of data" + kFetchAgain);
  const std::uint64_t needed = bytesNeeded(tensor, entry.source());
  if (needed != end - begin)
    throw badInput(entry.source() + ": shape " + shapeText(tensor.shape) + " of " +
                   std::string(safetensorsName(tensor.dtype)) + " needs " +
                   std::to_string(needed) + " bytes, but it has " + range +
                   ", which is " + std::to_string(end - begin) + kFetchAgain);
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
      throw badInput(source + ": \"__metadata__\" should hold strings only, but " +
                     inQuotes(key) + " is none" + kFetchAgain);
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
  file.m_header = headerOf(file.m_file->bytes(), source);
  const auto data = file.m_file->bytes().subspan(kLengthBytes + file.m_header.size());
  if (!file.m_header.starts_with('{'))
    throw badInput(source +
                   ": the header should begin with '{', as a JSON object does; " +
                   "this is not a safetensors file");
  const Json header =
      parseJson(file.m_header, source + " (header)", RepeatedKeys::Refuse);

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

namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they are in memory");

constexpr std::size_t kAlignment = 8;

void checkName(const std::string& name) {
  if (name.empty() || name == "__metadata__" ||
      firstInvalidUtf8(name) != std::string_view::npos)
    throw badInput("a tensor cannot be written under the name " + inQuotes(name) +
                   "; expected UTF-8 text other than __metadata__");
}

std::uint64_t plannedBytes(const TensorPlan& tensor) {
  std::uint64_t bytes = byteSize(tensor.dtype);
  for (const std::int64_t extent : tensor.shape)
    if (extent < 0 ||
        __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes))
      throw badInput(
          "tensor " + inQuotes(tensor.name) +
          " cannot be written: an extent is negative or its bytes are more than "
          "64 bits can count");
  return bytes;
}

}  // namespace

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::vector<TensorPlan>& plan,
                                     const Metadata& metadata)
    : m_path(path), m_partial(path) {
  m_partial += ".partial";
  refusePipeOrDevice(m_path);
  refusePipeOrDevice(m_partial);
  m_stream.open(m_partial, std::ios::binary | std::ios::trunc);
  if (!m_stream) throw unwritable(m_path);
  try {
    writeHeader(plan, metadata);
  } catch (...) {  // the destructor does not run for an incomplete object
    std::error_code ignored;
    std::filesystem::remove(m_partial, ignored);
    throw;
  }
}

SafetensorsWriter::~SafetensorsWriter() {
  if (m_finished) return;
  m_stream.close();
  std::error_code ignored;
  std::filesystem::remove(m_partial, ignored);
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
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const TensorPlan& tensor : ordered) {
    checkName(tensor.name);
    const std::uint64_t end = offset + plannedBytes(tensor);
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
  m_stream.close();
  checkStream();
  std::error_code failure;
  std::filesystem::rename(m_partial, m_path, failure);
  if (failure)
    throw Error(ErrorKind::Resource, m_path.string() +
                                         ": the file cannot be put in place (" +
                                         failure.message() + "); choose another place");
  m_finished = true;
}

void SafetensorsWriter::checkStream() {
  if (m_stream) return;
  const std::string reason =
      errno ? std::generic_category().message(errno) : "unknown reason";
  throw writeFailed(m_path, "the file cannot be written", reason, errno, m_partial);
}

}  // namespace equipatch
