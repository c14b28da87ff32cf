#include "ui/inspect/margin.h"

#include "ui/chart/number_text.h"
#include "ui/chart/translated.h"

namespace equipatch {

MarginState marginState(const StepRecord& record) {
  const double linf = record.patchedDistance.linf;
  const bool canChange = record.margin <= 2.0 * linf;
  if (!record.match)
    return canChange ? MarginState::Explained : MarginState::Contradiction;
  if (linf == 0.0) return MarginState::Exact;
  return canChange ? MarginState::Lucky : MarginState::Safe;
}

QString marginText(const StepRecord& record) {
  const QString linf = numberText(record.patchedDistance.linf);
  const QString margin = numberText(record.margin);
  switch (marginState(record)) {
    case MarginState::Exact:
      return tr("Match. Not one logit differs.");
    case MarginState::Safe:
      return tr("Match. L∞ %1 is below half the margin %2: it cannot change the choice.")
          .arg(linf, margin);
    case MarginState::Lucky:
      return tr("Match, but only just: L∞ %1 is at least half the margin %2.")
          .arg(linf, margin);
    case MarginState::Explained:
      return tr("Mismatch: the margin %2 is at most twice L∞ %1, which can change the "
                "choice.")
          .arg(linf, margin);
    case MarginState::Contradiction:
      break;
  }
  return tr("Mismatch, although L∞ %1 is below half the margin %2: the record "
            "contradicts "
            "itself.")
      .arg(linf, margin);
}

}  // namespace equipatch
