// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/record/file/run_schema.h"
#include "core/record/file/sqlite.h"
#include "core/record/file/step_digest.h"
#include "core/record/run_record.h"

namespace equipatch {

/// Reads the steps of a run file. Checks the number of layers and the lengths of vectors
/// against the header before it allocates memory for them. Choices, layers and matrices
/// must be numbered from 0 without gaps. Compares each part that is read with its
/// recorded digest, if there is one.
class StepReader {
 public:
  /// Both must outlive this.
  StepReader(const SqlDatabase& database, const RunHeader& header);

  /// Reads a step without its factors. @throws Error{BadInput} saying what is missing or
  /// damaged.
  std::shared_ptr<StepRecord> record(StepIndex step);
  /// Vectors that the file lacks stay empty, but a matrix must have both u and w.
  /// @throws Error{BadInput} as `record`.
  std::shared_ptr<const PatchFactors> factors(StepIndex step);

 private:
  void readChoices(const std::string& pass, Choices& choices);
  void readLayers(StepRecord& record);
  void readMatrices(StepRecord& record);
  void readVectors(StepRecord& record);
  void readMatrixFactors(PatchFactors& factors);
  MatrixFactors& matrixAt(PatchFactors& factors, std::int64_t layer, std::int64_t number);
  template <typename Take>
  void eachVector(const std::string& kind, Take take);
  const PatchedParameter& parameter(std::int64_t layer, const std::string& weight) const;
  void verify(StepPart part);

  const RunHeader& m_header;
  std::map<std::string, const PatchedParameter*> m_parameters;       // by canonical name
  RunTable m_stepTable, m_choiceTable, m_layerTable, m_matrixTable;  // of this file
  SqlStatement m_steps, m_choices, m_layers, m_matrices, m_vectors;
  std::optional<SqlStatement> m_recordedDigests;
  StepDigests m_digests;
  std::int64_t m_step = 0;  // being read
};

}  // namespace equipatch
