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

// The objects of `compare --json`. Scripts rely on their keys (docs/run-files.md): a key
// must keep its meaning.

enum class LayerDetail { Omit, Include };

nlohmann::ordered_json toJson(const StepRecord& step, LayerDetail detail);
/// @returns an object whose only key is "summary"
nlohmann::ordered_json toJson(const RunSummary& summary, const RunHeader& header);

void addVerdict(nlohmann::ordered_json& step, const Verdict& verdict);
/// @param summary the value of "summary"
void addVerdicts(nlohmann::ordered_json& summary, const VerdictCounts& counts);

/// One line with its line break; bytes that are not UTF-8 become U+FFFD.
std::string jsonLine(const nlohmann::ordered_json& object);

/// A run's settings and provenance under the names of docs/run-files.md.
nlohmann::ordered_json runSettings(const RunHeader& header);

/// Writes one JSON document {"run": {setting: value}, "prompt_ids": […], "images": […],
/// "steps": […], "summary": {…}}. Steps include their layers. "images" has no pixels and
/// is left out if the prompt has no images. If the run measured noise, its verdicts use
/// the noise floor of the whole run.
/// @throws Error as OutputFile
void exportJson(const StoredRun& run, const std::filesystem::path& path);

}  // namespace equipatch
