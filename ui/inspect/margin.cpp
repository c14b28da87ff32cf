#include "ui/inspect/margin.h"

#include <QCoreApplication>

#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Verdict", text);
}

}  // namespace

Verdict verdict(const StepRecord& record) {
  const double linf = record.patchedDistance.linf;
  const bool canChange = record.margin <= 2.0 * linf;
  if (!record.match) return canChange ? Verdict::NearTie : Verdict::Contradiction;
  if (linf == 0.0) return Verdict::Exact;
  return canChange ? Verdict::Lucky : Verdict::Safe;
}

QString verdictText(const StepRecord& record) {
  const QString linf = numberText(record.patchedDistance.linf);
  const QString margin = numberText(record.margin);
  switch (verdict(record)) {
    case Verdict::Exact:
      return tr("Match. Not one logit differs.");
    case Verdict::Safe:
      return tr("Match. L∞ %1 is below half the margin %2: it cannot change the choice.")
          .arg(linf, margin);
    case Verdict::Lucky:
      return tr("Match, but only just: L∞ %1 is at least half the margin %2.")
          .arg(linf, margin);
    case Verdict::NearTie:
      return tr("Mismatch at a near-tie: the margin %2 is at most twice L∞ %1.")
          .arg(linf, margin);
    case Verdict::Contradiction:
      break;
  }
  return tr("Mismatch, although L∞ %1 is below half the margin %2: the record "
            "contradicts "
            "itself.")
      .arg(linf, margin);
}

}  // namespace equipatch
