// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_plan.h"

#include <charconv>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/record/file/newer_format.h"
#include "core/record/provenance.h"

namespace equipatch {
namespace {

/// The number that is all of `text`, or -1.
std::int64_t wholeNumber(std::string_view text) {
  std::int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && rest == end ? number : -1;
}

using Object = nlohmann::ordered_json;

constexpr std::int64_t kPlanFormat = 1;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;

/// Calls `read` for each object of the list `key`.
template <typename Read>
void readList(JsonObject& object, const std::string& key, Read read) {
  const Json* list = object.member(key);
  if (!list || !list->is_array())
    throw badInput(object.source() + ": \"" + key + "\" should be a list");
  for (const Json& entry : *list) {
    JsonObject fields(entry, object.source() + ", " + key);
    read(fields);
  }
}

SweepPrompt promptFrom(JsonObject& fields, std::set<std::string>& names) {
  SweepPrompt prompt{.name = fields.string("name"),
                     .text = fields.string("text"),
                     .chat = fields.boolean("chat", false)};
  if (!isPromptName(prompt.name) || !names.insert(prompt.name).second)
    throw badInput(fields.source() + ": the name " + inQuotes(prompt.name) +
                   " is none for a prompt, or occurs twice");
  return prompt;
}

/// One of the values that `read` knows.
template <typename Value>
Value valueOf(JsonObject& fields, const std::string& key,
              std::optional<Value> (*read)(std::string_view)) {
  const std::string text = fields.string(key);
  if (const auto value = read(text)) return *value;
  throw badInput(fields.source() + ": the " + key + " " + inQuotes(text) +
                 " is not known");
}

SweepPoint pointFrom(JsonObject& fields) {
  SweepPoint point{.dtype = valueOf(fields, "dtype", dtypeFromTorchName), .patch = {}};
  point.patch = {.method = valueOf(fields, "method", methodFromName),
                 .loop = valueOf(fields, "loop", loopFromName),
                 .application = valueOf(fields, "apply", applicationFromName)};
  if (!isFloating(point.dtype))
    throw badInput(fields.source() + ": no model computes in " +
                   std::string(torchName(point.dtype)));
  return point;
}

void readModel(JsonObject model, SweepPlan& plan) {
  plan.modelName = model.string("name");
  plan.origin.configSha256 = model.string("config_sha256");
  readList(model, "tensor_files", [&](JsonObject& file) {
    plan.origin.tensorFiles.push_back(
        {file.string("file"), file.string("header_sha256")});
  });
}

void readOrigin(JsonObject begun, Provenance& origin) {
  origin.program = begun.string("program_version");
  origin.torch = begun.string("libtorch_version");
  origin.processor = begun.string("processor");
  origin.threads = begun.integer("threads", 0, 1 << 20);
  origin.startTime = begun.string("start_time");
}

const Json& memberOf(JsonObject& object, const std::string& key) {
  const Json* found = object.member(key);
  if (!found) throw badInput(object.source() + ": \"" + key + "\" is missing");
  return *found;
}

}  // namespace

std::string SweepCell::fileName() const {
  return prompt.name + "." + pointText(point, '.') + ".eqrun";
}

Shard parseShard(std::string_view text) {
  const std::size_t stroke = text.find('/');
  if (stroke != std::string_view::npos) {
    const Shard shard{wholeNumber(text.substr(0, stroke)),
                      wholeNumber(text.substr(stroke + 1))};
    if (shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw badInput("expected a part of the whole from 1/N to N/N, such as 2/4, found " +
                 inQuotes(text));
}

std::vector<SweepCell> cellsOf(const SweepPlan& plan, const Shard& shard) {
  std::vector<SweepCell> cells;
  std::int64_t number = 0;
  for (const SweepPoint& point : plan.points)
    for (const SweepPrompt& prompt : plan.prompts)
      if (number++ % shard.count == shard.index - 1) cells.push_back({prompt, point});
  return cells;
}

bool isRunOf(const RunHeader& header, const SweepPlan& plan, const SweepCell& cell) {
  const RunRequest& request = header.request;
  return header.dtype == cell.point.dtype && header.device == plan.device &&
         request.patch == cell.point.patch && request.steps == plan.steps &&
         request.measureNoise == plan.measureNoise &&
         request.ignoreEndOfSequence == plan.ignoreEndOfSequence &&
         differentWeights(plan.origin, header.provenance).empty() &&
         // The text of a chat prompt contains the message; the template is unknown here.
         (cell.prompt.chat || request.promptText == cell.prompt.text);
}

std::vector<std::string> differentSettings(const SweepPlan& then, const SweepPlan& now) {
  std::vector<std::string> clauses = differentWeights(then.origin, now.origin);
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& after) {
    if (before != after) clauses.push_back(what + after + " instead of " + before);
  };
  const auto yes = [](bool flag) { return std::string(flag ? "yes" : "no"); };
  compare("the device is ", then.device, now.device);
  compare("steps are ", std::to_string(then.steps), std::to_string(now.steps));
  compare("noise is measured: ", yes(then.measureNoise), yes(now.measureNoise));
  compare("end of sequence is ignored: ", yes(then.ignoreEndOfSequence),
          yes(now.ignoreEndOfSequence));
  return clauses;
}

Object toJson(const SweepPlan& plan) {
  Object files = Object::array(), prompts = Object::array(), points = Object::array();
  for (const TensorFileHash& file : plan.origin.tensorFiles)
    files.push_back({{"file", file.file}, {"header_sha256", file.headerSha256}});
  for (const SweepPrompt& prompt : plan.prompts)
    prompts.push_back(
        {{"name", prompt.name}, {"text", prompt.text}, {"chat", prompt.chat}});
  for (const SweepPoint& point : plan.points)
    points.push_back({{"dtype", torchName(point.dtype)},
                      {"method", name(point.patch.method)},
                      {"loop", name(point.patch.loop)},
                      {"apply", name(point.patch.application)}});
  const Object model{{"name", plan.modelName},
                     {"folder", plan.modelName},  // for programs that expect the key
                     {"config_sha256", plan.origin.configSha256},
                     {"tensor_files", files}};
  const Object begun{{"program_version", plan.origin.program},
                     {"libtorch_version", plan.origin.torch},
                     {"processor", plan.origin.processor},
                     {"threads", plan.origin.threads},
                     {"start_time", plan.origin.startTime}};
  return {{"format", kPlanFormat},
          {"model", model},
          {"begun", begun},
          {"device", plan.device},
          {"steps", plan.steps},
          {"measure_noise", plan.measureNoise},
          {"ignore_end_of_sequence", plan.ignoreEndOfSequence},
          {"points", points},
          {"prompts", prompts}};
}

SweepPlan sweepPlanFrom(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  const std::int64_t format = object.integer("format", 1, 1 << 20);
  if (format > kPlanFormat)
    throw newerFormat(source, textAt(json, "/begun/program_version"), format,
                      kPlanFormat);
  SweepPlan plan;
  readModel({memberOf(object, "model"), source + ", model"}, plan);
  readOrigin({memberOf(object, "begun"), source + ", begun"}, plan.origin);
  plan.device = object.string("device");
  plan.steps = object.integer("steps", 1, kMostSteps);
  plan.measureNoise = object.boolean("measure_noise", false);
  plan.ignoreEndOfSequence = object.boolean("ignore_end_of_sequence", false);
  readList(object, "points",
           [&](JsonObject& fields) { plan.points.push_back(pointFrom(fields)); });
  std::set<std::string> names;
  readList(object, "prompts", [&](JsonObject& fields) {
    plan.prompts.push_back(promptFrom(fields, names));
  });
  return plan;
}

}  // namespace equipatch
