// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors_writer.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/base/write_failure.h"

namespace equipatch {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

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
      throw badInput("two tensors cannot be written under the one name " +
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
