// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTest>
#include <algorithm>
#include <string>

#include "core/base/dtype.h"
#include "core/record/run_record.h"

namespace equipatch::test {

/// Test data for a prompt with two images: each row has a dtype and the part to absorb.
inline void addAbsorbedParts() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<QString>("absorb");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16})
    for (const char* absorb : {"all", "images", "image:1", "image:2", "text", "none"})
      QTest::addRow("%s, %s", std::string(torchName(dtype)).c_str(), absorb)
          << int(dtype) << absorb;
}

/// Checks in every step that the patched pass and the audit are close to the contextual
/// pass and that the tokens match (except near ties in bfloat16), and that the bare pass
/// differs from the contextual pass in some step. If nothing is absorbed, the patched and
/// the bare pass must equal the contextual pass.
/// @param steps with the bare pass and an audit
/// @returns "", or the distances that fail the check
inline QString restoringProblem(const Steps& steps, DType dtype, bool absorbs) {
  double bare = 0.0;
  for (const auto& step : steps) bare = std::max(bare, step->bareDistance->linf);
  if ((bare > 0.0) != absorbs) return QString("bare %1").arg(bare);
  const bool rounds = dtype == DType::BF16;
  const double share = rounds ? 0.1 : dtype == DType::F32 ? 1e-4 : 1e-12;
  for (const auto& step : steps) {
    const double linf = step->patchedDistance.linf, audit = step->auditDistance->linf;
    const bool match = step->match || (rounds && step->margin <= 2.0 * linf);
    const bool near = linf <= share * bare && audit <= share * bare;
    if (absorbs ? match && near : linf == 0.0) continue;
    return QString("step %1: L∞ %2, audit %3, bare %4")
        .arg(step->step.value)
        .arg(linf)
        .arg(audit)
        .arg(bare);
  }
  return {};
}

}  // namespace equipatch::test
