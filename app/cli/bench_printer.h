#pragma once

#include "core/run/bench/bench_report.h"
#include "core/run/session.h"

namespace equipatch::cli {

/// A table of times and ratios for people.
void printTable(const Session& session, const BenchReport& report);

/// One JSON object a timing, then one "summary".
void printJson(const BenchReport& report);

}  // namespace equipatch::cli
