// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/step_digest.h"

#include <bit>
#include <utility>
#include <variant>

#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"

namespace equipatch {
namespace {

/// The bytes of a row for its digest: each value as a letter for its type and 8 bytes,
/// little-endian, with the number or the length of the text or blob that follows.
class RowBytes {
 public:
  void add(const std::string& text) {
    add('t', text.size());
    m_bytes += text;
  }
  void add(std::span<const std::byte> blob) {
    add('b', blob.size());
    m_bytes.append(reinterpret_cast<const char*>(blob.data()), blob.size());
  }
  void add(std::int64_t number) { add('i', static_cast<std::uint64_t>(number)); }
  void add(double number) { add('f', std::bit_cast<std::uint64_t>(number)); }
  void add(std::nullptr_t) {}
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_bytes)); }

 private:
  void add(char type, std::uint64_t number) {
    m_bytes += type;
    for (int shift = 0; shift < 64; shift += 8)
      m_bytes += static_cast<char>(number >> shift & 0xff);
  }

  std::string m_bytes;
};

/// NULL adds nothing, so that recorded digests stay valid when a column is added.
RowBytes bytesOf(const std::string& table, const SqlStatement& row) {
  RowBytes bytes;
  bytes.add(table);
  for (int column = 0; column < row.columns(); ++column) {
    const bool isBlob = row.isBlob(column);
    const SqlValue value = isBlob ? SqlValue(nullptr) : row.value(column);
    if (!isBlob && std::holds_alternative<std::nullptr_t>(value)) continue;
    bytes.add(row.columnName(column));
    if (isBlob)
      bytes.add(row.blob(column));
    else
      std::visit([&](const auto& cell) { bytes.add(cell); }, value);
  }
  return bytes;
}

}  // namespace

StepDigests::StepDigests(const SqlDatabase& database) {
  const RunSchema& schema = runSchema();
  const auto add = [&](StepPart part, const RunTable& table, const std::string& which) {
    m_rows.push_back(
        {part, table.name,
         database.prepareToHash("SELECT * FROM " + table.name + " WHERE step = ?" +
                                which + " ORDER BY " + joined(table.keys))});
  };
  for (const RunTable* table :
       {&schema.steps, &schema.choices, &schema.layers, &schema.matrices})
    add(StepPart::Record, *table, "");
  const std::string ofRecord = "IN ('" + VectorKind::kScaleDelta + "', '" +
                               VectorKind::kLayerNoise + "', '" +
                               VectorKind::kLayerRounding + "')";
  add(StepPart::Record, schema.vectors, " AND kind " + ofRecord);
  add(StepPart::Factors, schema.vectors, " AND kind NOT " + ofRecord);
}

std::string StepDigests::of(StepIndex step, StepPart part) {
  Sha256 hash;
  for (PartRows& of : m_rows) {
    if (of.part != part) continue;
    for (Rows rows(of.select, step.value); rows.next();)
      hash.add(bytesOf(of.table, of.select).bytes());
  }
  return hash.digest();
}

void requireDigest(StepDigests& digests, StepIndex step, StepPart part,
                   const std::string& recorded) {
  if (!recorded.empty() && digests.of(step, part) != recorded)
    throw badInput("its values were changed after they were recorded");
}

}  // namespace equipatch
