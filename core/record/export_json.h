#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "core/record/run_file.h"

namespace equipatch {

/// A run's settings and provenance under the names of docs/run-files.md.
nlohmann::ordered_json runSettings(const RunHeader& header);

/// Writes one JSON document {"run": {setting: value}, "prompt_ids": […], "steps": […],
/// "summary": {…}}, steps with their layers, under the keys of `compare --json`.
/// @throws Error{Resource} when the file cannot be written.
void exportJson(const StoredRun& run, const std::filesystem::path& path);

}  // namespace equipatch
