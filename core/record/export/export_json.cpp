// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_json.h"

#include <nlohmann/json.hpp>

#include "core/record/export/export_table.h"
#include "core/record/export/output_file.h"
#include "core/record/file/run_tables.h"

namespace equipatch {
namespace {

using Object = nlohmann::ordered_json;

std::string text(const Object& object) {
  std::string line = jsonLine(object);
  line.pop_back();
  return line;
}

/// The name that all outputs share (docs/run-files.md, Names) for a column of the run
/// file, which may have an older name.
std::string commonName(const std::string& column) {
  const bool isOlder =
      column == "scale_norm" || column == "scale_max" || column == "bias_norm";
  return isOlder ? "d" + column : column;
}

Object toJson(const LayerRecord& layer, std::size_t index) {
  Object norms = Object::object();
  Object relative = Object::object();
  for (const MatrixPatchNorm& matrix : layer.matrices) {
    norms[matrix.matrix] = matrix.norm;
    relative[matrix.matrix] = matrix.relative;
  }
  Object object = {{"layer", index}, {"dw", norms}, {"dw_rel", relative}};
  const auto add = [&](const FieldName& name, const auto& field) {
    object[commonName(name.text)] = field;
  };
  layerColumns(add, layer);
  if (layer.note.empty()) object.erase("note");
  if (layer.experts.empty()) {
    object.erase("experts");
    object.erase("gate_sum");
  }
  return object;
}

void addDistance(Object& object, const std::string& pass,
                 const std::optional<LogitDistance>& distance) {
  if (!distance) return;
  object[pass + "linf"] = distance->linf;
  object[pass + "tvd"] = distance->tvd;
  object[pass + "kl"] = distance->kl;
}

/// Adds the most likely token, which a run that samples need not have taken.
void addTop(Object& object, const std::string& pass, const Choices& choices) {
  if (choices.empty()) return;
  object[pass + "top_token_id"] = choices.front().id.value;
  object[pass + "top_token_text"] = choices.front().text;
}

}  // namespace

Object toJson(const StepRecord& step, LayerDetail detail) {
  Object object = {{"step", step.step.value},
                   {"position", step.position.value},
                   {"token_id", step.token.value},
                   {"token", step.tokenText},
                   {"match", step.match},
                   {"patched_id", step.patchedToken.value},
                   {"linf", step.patchedDistance.linf},
                   {"tvd", step.patchedDistance.tvd},
                   {"kl", step.patchedDistance.kl},
                   {"margin", step.margin},
                   {"token_text", step.tokenText},
                   {"patched_token_id", step.patchedToken.value},
                   {"patched_text", step.patchedText}};
  if (step.sampledMatch) object["sampled_match"] = *step.sampledMatch;
  addDistance(object, "bare_", step.bareDistance);
  addDistance(object, "ablated_", step.ablatedDistance);
  addDistance(object, "audit_", step.auditDistance);
  addDistance(object, "noise_", step.noise);
  addDistance(object, "rounding_", step.rounding);
  addTop(object, "", step.contextual);
  addTop(object, "patched_", step.patched);
  addTop(object, "bare_", step.bare);
  addTop(object, "ablated_", step.ablated);
  object["ms"] = step.milliseconds;
  object["milliseconds"] = step.milliseconds;
  if (detail == LayerDetail::Include) {
    Object layers = Object::array();
    for (std::size_t index = 0; index < step.layers.size(); ++index)
      layers.push_back(toJson(step.layers[index], index));
    object["layers"] = std::move(layers);
  }
  return object;
}

Object toJson(const RunSummary& summary, const RunHeader& header) {
  const RunRequest& request = header.request;
  // For a run without steps, 0 would say that the passes agree.
  const auto orNull = [&](double number) {
    return summary.steps > 0 ? Object(number) : Object(nullptr);
  };
  Object object = {{"steps", summary.steps},
                   {"matches", summary.matches},
                   {"linf_median", orNull(summary.linfMedian)},
                   {"linf_max", orNull(summary.linfMax)},
                   {"tvd_max", orNull(summary.tvdMax)},
                   {"bare_linf_median", nullptr}};
  if (summary.sampledMatches) object["sampled_matches"] = *summary.sampledMatches;
  if (request.bare) {
    object["bare_linf_median"] = orNull(summary.bareLinfMedian);
    object["bare_kl_median"] = orNull(summary.bareKlMedian);
    object["bare_kl_max"] = orNull(summary.bareKlMax);
  }
  if (request.runsAblated()) {
    object["ablated_kl_median"] = orNull(summary.ablatedKlMedian);
    object["ablated_kl_max"] = orNull(summary.ablatedKlMax);
  }
  if (request.audit) {
    object["audit_linf_median"] = orNull(summary.auditLinfMedian);
    object["audit_linf_max"] = orNull(summary.auditLinfMax);
  }
  if (request.measureNoise) {
    object["noise_linf_median"] = orNull(summary.noiseLinfMedian);
    object["noise_linf_max"] = orNull(summary.noiseLinfMax);
    if (summary.hasRounding) {
      object["rounding_linf_median"] = orNull(summary.roundingLinfMedian);
      object["rounding_linf_max"] = orNull(summary.roundingLinfMax);
    }
  }
  object["ms_per_step"] = orNull(summary.millisecondsPerStep);
  object["text"] = summary.text;
  object["weights"] = weightPlaceName(header.weights);
  return {{"summary", std::move(object)}};
}

void addVerdict(Object& step, const Verdict& verdict) {
  step["verdict"] = name(verdict.kind);
  if (verdict.layer) step["verdict_layer"] = *verdict.layer;
}

void addVerdicts(Object& summary, const VerdictCounts& counts) {
  Object& verdicts = summary["verdicts"] = Object::object();
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    if (counts[kind] > 0)
      verdicts[std::string(name(static_cast<VerdictKind>(kind)))] = counts[kind];
}

std::string jsonLine(const Object& object) {
  return object.dump(-1, ' ', false, Object::error_handler_t::replace) + '\n';
}

Object runSettings(const RunHeader& header) {
  Object object = Object::object();
  const ExportRow row = runRow(header);
  for (std::size_t index = 0; index < row.names.size(); ++index)
    std::visit([&](const auto& cell) { object[row.names[index]] = cell; },
               row.cells[index]);
  return object;
}

namespace {

/// Hashes stand for the images' bytes, which would make the JSON megabytes large.
Object imagesJson(const std::vector<PromptImage>& images) {
  Object list = Object::array();
  for (const PromptImage& image : images)
    list.push_back({{"name", image.picture->name},
                    {"sha256", image.picture->sha256},
                    {"bytes", image.picture->bytes.size()},
                    {"first_position", image.tokens.first},
                    {"last_position", image.tokens.last}});
  return list;
}

}  // namespace

void exportJson(const StoredRun& run, const std::filesystem::path& path) {
  OutputFile file(path);
  std::vector<std::int64_t> ids;
  for (const Token& token : run.header->request.prompt) ids.push_back(token.id.value);
  file << "{\"run\": " + text(runSettings(*run.header))
       << ",\n\"prompt_ids\": " + text(Object(ids));
  const RunRequest& request = run.header->request;
  if (!request.images.empty())
    file << ",\n\"images\": " + text(imagesJson(request.images));
  file << ",\n\"steps\": [";
  const NoiseFloor floor = floorOf(run.steps);
  for (const auto& step : run.steps) {
    Object object = toJson(*step, LayerDetail::Include);
    if (request.measureNoise) addVerdict(object, judge(*step, floor, request.strength));
    file << (step == run.steps.front() ? "\n" : ",\n") << text(object);
  }
  Object summary = toJson(summarise(run.steps), *run.header);
  if (request.measureNoise)
    addVerdicts(summary["summary"], countVerdicts(run.steps, floor, request.strength));
  file << "],\n\"summary\": " + text(summary["summary"]) << "}\n";
  file.finish();
}

}  // namespace equipatch
