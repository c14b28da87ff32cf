#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "core/record/lab_result.h"

namespace equipatch {

/// A result as JSON; docs/lab.md describes the keys. NaN and infinities become null.
nlohmann::ordered_json toJson(const LabResult& result);

/// @throws Error{Resource} when the file cannot be written.
void saveLabResult(const LabResult& result, const std::filesystem::path& path);

/// Reads what anyone may have written; null becomes NaN.
/// @throws Error{BadInput} naming the file, the key, what was expected and what was
/// found.
LabResult readLabResult(const std::filesystem::path& path);

}  // namespace equipatch
