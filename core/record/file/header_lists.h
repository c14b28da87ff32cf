// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/record/file/sql_fields.h"

namespace equipatch {

// The columns of the tables for the lists in a RunHeader and its request. Each function
// calls `at(name, field)` for every column, as in run_tables.h.

template <typename At, typename Token>
void tokenColumns(At& at, Token& token) {
  at("id", token.id);
  at("piece", token.piece);
  at("span_begin", token.span.begin);  // bytes of the prompt's text
  at("span_end", token.span.end);
  at("special", token.special);
}

template <typename At, typename File>
void tensorFileColumns(At& at, File& file) {
  at("file", file.file);
  at("header_sha256", file.headerSha256);
  at(added("data_sample_sha256"), file.dataSampleSha256);
}

template <typename At, typename Row>
void continuationColumns(At& at, Row& continuation) {
  at("first_step", continuation.firstStep);
  at("repeats", continuation.repeats);
  at("program_version", continuation.program);
  at("libtorch_version", continuation.torch);
  at("processor", continuation.processor);
  at("threads", continuation.threads);
  at("start_time", continuation.startTime);
}

template <typename At, typename Parameter>
void parameterColumns(At& at, Parameter& parameter) {
  at("name", parameter.name);
  at("tensor", parameter.tensor);
  at("module", parameter.module);
  at("shape", parameter.shape);
  at("transposed", parameter.part.transposed);
  at("groups", parameter.part.groups);
  at("parts", parameter.part.parts);
  at("part", parameter.part.index);
  at("stored_minus_one", parameter.storedMinusOne);
}

}  // namespace equipatch
