#pragma once

#include <QString>

#include "core/record/lab_result.h"

namespace equipatch {

/// An experiment's key numbers beside the paper's, and its notes, as rich text.
QString findingsText(const LabResult& result);

}  // namespace equipatch
