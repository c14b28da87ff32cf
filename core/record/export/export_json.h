// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "core/record/file/run_file.h"
#include "core/record/run_record.h"
#include "core/record/step_record.h"
#include "core/record/verdict.h"

namespace equipatch {

// The objects that `compare --json` prints, one per line. Scripts rely on the keys:
// docs/run-files.md lists them; existing keys keep their meaning.

enum class LayerDetail { Omit, Include };

nlohmann::ordered_json toJson(const StepRecord& step, LayerDetail detail);
nlohmann::ordered_json toJson(const RunSummary& summary, const RunHeader& header);

/// Adds "verdict" and "verdict_layer" to a step, "verdicts" to a summary.
void addVerdict(nlohmann::ordered_json& step, const Verdict& verdict);
void addVerdicts(nlohmann::ordered_json& summary, const VerdictCounts& counts);

/// One line with its line break; bytes that are not UTF-8 become U+FFFD.
std::string jsonLine(const nlohmann::ordered_json& object);

/// A run's settings and provenance under the names of docs/run-files.md.
nlohmann::ordered_json runSettings(const RunHeader& header);

/// Writes one JSON document {"run": {setting: value}, "prompt_ids": […], "images": […],
/// "steps": […], "summary": {…}}. Steps and summary have the keys of `compare --json`;
/// steps include their layers. "images" is left out where the prompt has none; it lacks
/// the images' bytes. A run that measured noise has verdicts by the noise floor of the
/// whole run, whereas `compare --json` judges a step by the floor up to that step.
/// @throws Error as OutputFile
void exportJson(const StoredRun& run, const std::filesystem::path& path);

}  // namespace equipatch
