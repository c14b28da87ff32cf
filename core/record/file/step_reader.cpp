// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/file/step_reader.h"

#include <cstring>

#include "core/record/file/run_rows.h"
#include "core/record/file/run_schema.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

template <typename Entry>
Entry& entryAt(std::vector<Entry>& entries, std::int64_t layer) {
  if (layer >= std::ssize(entries))
    throw badInput("there is no layer " + std::to_string(layer));
  return entries[static_cast<std::size_t>(layer)];
}

/// @param length the required number of elements
template <typename Number>
std::vector<Number> numbersOf(const SqlStatement& row, std::int64_t length) {
  constexpr int kDTypeColumn = 3, kDataColumn = 4;  // after layer, number, weight
  const std::string dtype(
      safetensorsName(sizeof(Number) == sizeof(float) ? DType::F32 : DType::F64));
  if (row.value(kDTypeColumn) != SqlValue(dtype))
    throw badInput("expected a vector of dtype " + dtype);
  const std::span<const std::byte> bytes = row.blob(kDataColumn);
  if (bytes.size() % sizeof(Number) != 0 ||
      static_cast<std::int64_t>(bytes.size() / sizeof(Number)) != length)
    throw badInput("expected a vector of " + std::to_string(length) + " numbers, found " +
                   std::to_string(bytes.size()) + " bytes");
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

StepReader::StepReader(const SqlDatabase& database, const RunHeader& header)
    : m_header(header),
      m_stepTable(runSchema().steps.in(database)),
      m_choiceTable(runSchema().choices.in(database)),
      m_layerTable(runSchema().layers.in(database)),
      m_matrixTable(runSchema().matrices.in(database)),
      m_steps(database.prepare(m_stepTable.selectSql(1))),
      m_choices(database.prepare(m_choiceTable.selectSql(2))),
      m_layers(database.prepare(m_layerTable.selectSql(1))),
      m_matrices(database.prepare(m_matrixTable.selectSql(1))),
      m_vectors(database.prepare(runSchema().vectors.selectSql(2))),
      m_digests(database) {
  if (const RunTable& table = runSchema().digests; table.isIn(database))
    m_recordedDigests = database.prepareToHash(table.selectSql(1));
  for (const PatchedParameter& parameter : header.parameters)
    m_parameters[parameter.name] = &parameter;
}

std::shared_ptr<StepRecord> StepReader::record(StepIndex step) {
  m_step = step.value;
  auto record = std::make_shared<StepRecord>();
  record->step = step;
  {
    Rows rows(m_steps, m_step);
    if (!rows.next()) throw badInput("it is missing");
    RowReader at(m_steps, 0, m_stepTable.columns);
    stepColumns(at, *record);
  }
  // Files of earlier versions lack sampledMatch. Without sampling, sampledMatchOf returns
  // none, even if the file has a value.
  if (!record->sampledMatch || !m_header.request.samples())
    record->sampledMatch = sampledMatchOf(*record, m_header.request);
  readChoices("contextual", record->contextual);
  readChoices("patched", record->patched);
  readChoices("bare", record->bare);
  readChoices("ablated", record->ablated);
  readLayers(*record);
  readMatrices(*record);
  readVectors(*record);
  verify(StepPart::Record);
  return record;
}

void StepReader::verify(StepPart part) {
  if (!m_recordedDigests) return;
  std::string recorded;
  {
    Rows rows(*m_recordedDigests, m_step);
    if (!rows.next()) return;
    const SqlValue cell = m_recordedDigests->value(part == StepPart::Record ? 0 : 1);
    if (cell != SqlValue(nullptr)) fromSql(cell, recorded);
  }
  requireDigest(m_digests, StepIndex(m_step), part, recorded);
}

void StepReader::readChoices(const std::string& pass, Choices& choices) {
  for (Rows rows(m_choices, m_step, pass); rows.next();) {
    rows.expectKey(0, choices.size());
    RowReader at(m_choices, 1, m_choiceTable.columns);
    choiceColumns(at, choices.emplace_back());
  }
}

void StepReader::readLayers(StepRecord& record) {
  for (Rows rows(m_layers, m_step); rows.next();) {
    rows.expectKey(0, record.layers.size());
    if (std::ssize(record.layers) == m_header.layers)
      throw badInput("it has more layers than the model");
    RowReader at(m_layers, 1, m_layerTable.columns);
    layerColumns(at, record.layers.emplace_back());
  }
  if (std::ssize(record.layers) != m_header.layers)
    throw badInput("expected " + std::to_string(m_header.layers) + " layers, found " +
                   std::to_string(record.layers.size()));
}

void StepReader::readMatrices(StepRecord& record) {
  for (Rows rows(m_matrices, m_step); rows.next();) {
    LayerRecord& layer = entryAt(record.layers, rows.key(0));
    rows.expectKey(1, layer.matrices.size());
    RowReader at(m_matrices, 2, m_matrixTable.columns);
    matrixColumns(at, layer.matrices.emplace_back());
  }
}

/// Calls `take(layer, number)` for each vector of the kind, with m_vectors at its row.
template <typename Take>
void StepReader::eachVector(const std::string& kind, Take take) {
  for (Rows rows(m_vectors, m_step, kind); rows.next();) take(rows.key(0), rows.key(1));
}

void StepReader::readVectors(StepRecord& record) {
  eachVector(VectorKind::kScaleDelta, [&](std::int64_t layer, std::int64_t) {
    entryAt(record.layers, layer).scaleDelta =
        numbersOf<float>(m_vectors, m_header.width);
  });
  eachVector(VectorKind::kLayerNoise, [&](std::int64_t, std::int64_t) {
    record.layerNoise = numbersOf<double>(m_vectors, m_header.layers);
  });
  eachVector(VectorKind::kLayerRounding, [&](std::int64_t, std::int64_t) {
    record.layerRounding = numbersOf<double>(m_vectors, m_header.layers);
  });
}

std::shared_ptr<const PatchFactors> StepReader::factors(StepIndex step) {
  m_step = step.value;
  auto factors = std::make_shared<PatchFactors>(std::size_t(m_header.layers));
  readMatrixFactors(*factors);
  for (const LayerVector& vector : kLayerVectors)
    eachVector(vector.kind, [&](std::int64_t layer, std::int64_t) {
      entryAt(*factors, layer).*vector.field =
          numbersOf<double>(m_vectors, m_header.width);
    });
  verify(StepPart::Factors);
  return factors;
}

void StepReader::readMatrixFactors(PatchFactors& factors) {
  eachVector(VectorKind::kU, [&](std::int64_t layer, std::int64_t number) {
    auto& matrices = entryAt(factors, layer).matrices;
    if (number != std::ssize(matrices)) throw badInput("a matrix's factors are missing");
    MatrixFactors& matrix = matrices.emplace_back();
    fromSql(m_vectors.value(2), matrix.weight);
    matrix.u = numbersOf<double>(m_vectors, parameter(layer, matrix.weight).shape[0]);
  });
  eachVector(VectorKind::kW, [&](std::int64_t layer, std::int64_t number) {
    MatrixFactors& matrix = matrixAt(factors, layer, number);
    matrix.w = numbersOf<double>(m_vectors, parameter(layer, matrix.weight).shape[1]);
  });
  for (const LayerFactors& layer : factors)
    for (const MatrixFactors& matrix : layer.matrices)
      if (matrix.w.empty()) throw badInput("a matrix's factors are missing");
}

MatrixFactors& StepReader::matrixAt(PatchFactors& factors, std::int64_t layer,
                                    std::int64_t number) {
  auto& matrices = entryAt(factors, layer).matrices;
  if (number >= std::ssize(matrices)) throw badInput("a matrix's factors are missing");
  return matrices[static_cast<std::size_t>(number)];
}

const PatchedParameter& StepReader::parameter(std::int64_t layer,
                                              const std::string& weight) const {
  const auto found = m_parameters.find(layerWeight(layer, weight));
  if (found == m_parameters.end() || found->second->shape.size() != 2)
    throw badInput("the model has no matrix " + inQuotes(weight) + " in layer " +
                   std::to_string(layer));
  return *found->second;
}

}  // namespace equipatch
