// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number_from.h"
#include "core/base/strings.h"
#include "core/record/file/newer_format.h"
#include "core/record/run_record.h"

namespace equipatch {
namespace {

/// -1 if `text` is not a whole number.
std::int64_t wholeNumber(std::string_view text) {
  return numberFrom<std::int64_t>(text).value_or(-1);
}

using Object = nlohmann::ordered_json;

// 2: prompts may be sampled or contain images; 3: points may have a strength other than
// 1; 4: prompts may absorb a part; 5: the part may be a sentence, given by its number; 6:
// runs that absorb a part may have the ablated pass. A plan is written in the earliest
// format that can express it.
constexpr std::int64_t kPlanFormat = 6;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 40;
/// cellsOf holds all cells in memory, each with a copy of its prompt's text.
constexpr std::uint64_t kMostCells = 1'000'000;
constexpr std::uint64_t kMostCellBytes = std::uint64_t{1} << 30;
constexpr std::int64_t kMostSeed = std::int64_t{1} << 62;

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
  if (!isPromptName(prompt.name))
    throw badInput(fields.source() + ": the name " + inQuotes(prompt.name) +
                   " is not valid for a prompt");
  if (!names.insert(prompt.name).second)
    throw badInput(fields.source() + ": the name " + inQuotes(prompt.name) +
                   " occurs twice");
  if (auto part = fields.optionalString("absorb")) prompt.absorb = *std::move(part);
  if (fields.has("images"))
    readList(fields, "images", [&](JsonObject& image) {
      prompt.images.push_back({image.string("file"), image.string("sha256")});
    });
  if (fields.has("temperature")) {
    prompt.sampling = {
        .temperature = fields.number("temperature"),
        .seed = static_cast<std::uint64_t>(fields.integer("seed", 0, kMostSeed))};
    if (prompt.sampling.temperature <= 0.0)
      throw badInput(fields.source() + ": the temperature should be above 0");
  }
  return prompt;
}

/// @param expected names the values that `read` accepts, for the error
template <typename Value>
Value valueOf(JsonObject& fields, const std::string& key, const char* expected,
              std::optional<Value> (*read)(std::string_view)) {
  const std::string text = fields.string(key);
  if (const auto value = read(text)) return *value;
  throw badInput(fields.source() + ": " + inQuotes(key) + " is " + inQuotes(text) +
                 "; expected " + expected);
}

SweepPoint pointFrom(JsonObject& fields) {
  SweepPoint point{
      .dtype = valueOf(fields, "dtype", "a dtype of PyTorch", dtypeFromTorchName),
      .patch = {}};
  point.patch = {
      .method = valueOf(fields, "method", "direct, stable or balanced", methodFromName),
      .loop = valueOf(fields, "loop", "open, half or closed", loopFromName),
      .application =
          valueOf(fields, "apply", "factored or materialised", applicationFromName)};
  if (fields.member("strength")) point.strength = fields.number("strength");
  if (!(std::abs(point.strength) <= kLargestAlpha))
    throw badInput(fields.source() + ": the strength should be from -10 to 10");
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
        {.file = file.string("file"),
         .headerSha256 = file.string("header_sha256"),
         .dataSampleSha256 = file.optionalString("data_sample_sha256").value_or("")});
  });
}

void readOrigin(JsonObject begun, Provenance& origin) {
  origin.program = begun.string("program_version");
  origin.torch = begun.string("libtorch_version");
  origin.processor = begun.string("processor");
  origin.threads = begun.integer("threads", 0, 1 << 20);
  origin.startTime = begun.string("start_time");
}

}  // namespace

std::string SweepCell::fileName() const {
  return prompt.name + "." + pointText(point, '.') + ".eqrun";
}

Shard parseShard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const Shard shard{wholeNumber(text.substr(0, slash)),
                      wholeNumber(text.substr(slash + 1))};
    if (shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw badInput("expected a shard from 1/N to N/N, such as 2/4, found " +
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

namespace {

bool hasImagesOf(const RunRequest& request, const SweepPrompt& prompt) {
  return std::ranges::equal(
      request.images, prompt.images, {},
      [](const PromptImage& image) { return image.picture->sha256; },
      &SweepImage::sha256);
}

bool isSampled(const SweepPrompt& prompt) {
  return prompt.sampling != Sampling{};
}

bool absorbsPart(const SweepPrompt& prompt) {
  return prompt.absorb != SweepPrompt().absorb;
}

bool absorbsAs(const RunRequest& request, const SweepPrompt& prompt) try {
  return request.absorbed == parseAbsorbedSet(prompt.absorb, request.prompt,
                                              imageTokens(request.images),
                                              request.promptText, prompt.text);
} catch (const Error&) {
  return false;  // the run has another prompt, which lacks the part
}

bool isScaled(const SweepPoint& point) {
  return point.strength != 1.0;
}

std::int64_t formatOf(const SweepPlan& plan) {
  const auto absorbsSentence = [](const SweepPrompt& prompt) {
    return isSentencePart(prompt.absorb);
  };
  const bool absorbsParts = std::ranges::any_of(plan.prompts, absorbsPart);
  if (plan.ablated && absorbsParts) return kPlanFormat;
  if (std::ranges::any_of(plan.prompts, absorbsSentence)) return 5;
  if (absorbsParts) return 4;
  if (std::ranges::any_of(plan.points, isScaled)) return 3;
  const auto needsSecond = [](const SweepPrompt& prompt) {
    return isSampled(prompt) || !prompt.images.empty();
  };
  return std::ranges::any_of(plan.prompts, needsSecond) ? 2 : 1;
}

Object pointJson(const SweepPoint& point) {
  Object json{{"dtype", torchName(point.dtype)},
              {"method", name(point.patch.method)},
              {"loop", name(point.patch.loop)},
              {"apply", name(point.patch.application)}};
  if (isScaled(point)) json["strength"] = point.strength;
  return json;
}

Object promptJson(const SweepPrompt& prompt) {
  Object json{{"name", prompt.name}, {"text", prompt.text}, {"chat", prompt.chat}};
  if (absorbsPart(prompt)) json["absorb"] = prompt.absorb;
  for (const SweepImage& image : prompt.images)
    json["images"].push_back({{"file", image.file}, {"sha256", image.sha256}});
  if (isSampled(prompt)) {
    json["temperature"] = prompt.sampling.temperature;
    json["seed"] = prompt.sampling.seed;
  }
  return json;
}

}  // namespace

bool isRunOf(const RunHeader& header, const SweepPlan& plan, const SweepCell& cell) {
  const RunRequest& request = header.request;
  return header.dtype == cell.point.dtype && header.device == plan.device &&
         request.patch == cell.point.patch &&
         request.strength == PatchStrength{.alpha = cell.point.strength} &&
         request.steps == plan.steps && request.sampling == cell.prompt.sampling &&
         request.measureNoise == plan.measureNoise &&
         request.runsAblated() == (plan.ablated && !request.absorbed.whole()) &&
         request.ignoreEndOfSequence == plan.ignoreEndOfSequence && !request.freeRun &&
         !request.roundLogits && request.bare && !header.computesFloat32 &&
         differentWeights(plan.origin, header.provenance).empty() &&
         hasImagesOf(request, cell.prompt) && absorbsAs(request, cell.prompt) &&
         // A chat template, which is unknown here, and images change the run's text.
         (cell.prompt.chat || !request.images.empty() ||
          request.promptText == cell.prompt.text);
}

std::vector<std::string> differentSettings(const SweepPlan& then, const SweepPlan& now) {
  std::vector<std::string> clauses = differentWeights(then.origin, now.origin);
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& after) {
    if (before != after) clauses.push_back(what + after + " instead of " + before);
  };
  const auto yesOrNo = [](bool flag) { return std::string(flag ? "yes" : "no"); };
  compare("the device is ", then.device, now.device);
  compare("steps are ", std::to_string(then.steps), std::to_string(now.steps));
  compare("noise is measured: ", yesOrNo(then.measureNoise), yesOrNo(now.measureNoise));
  compare("the ablated pass is run: ", yesOrNo(then.ablated), yesOrNo(now.ablated));
  compare("end of sequence is ignored: ", yesOrNo(then.ignoreEndOfSequence),
          yesOrNo(now.ignoreEndOfSequence));
  return clauses;
}

void checkExtent(const SweepPlan& plan, const std::string& source) {
  std::uint64_t bytes = 0;
  for (const SweepPrompt& prompt : plan.prompts) {
    bytes += prompt.text.size() + prompt.absorb.size();
    for (const SweepImage& image : prompt.images)
      bytes += sizeof(SweepImage) + image.file.size() + image.sha256.size();
  }
  const std::uint64_t points = std::max<std::size_t>(1, plan.points.size());
  if (plan.prompts.size() > kMostCells / points || bytes > kMostCellBytes / points)
    throw badInput(source + ": " + countText(plan.points.size(), "point") + " and " +
                   countText(plan.prompts.size(), "prompt") +
                   " make more than a million cells, or cells of more than 1 GiB of "
                   "text; divide them into several sweeps");
}

Object toJson(const SweepPlan& plan) {
  Object files = Object::array(), prompts = Object::array(), points = Object::array();
  for (const TensorFileHash& file : plan.origin.tensorFiles)
    files.push_back({{"file", file.file},
                     {"header_sha256", file.headerSha256},
                     {"data_sample_sha256", file.dataSampleSha256}});
  for (const SweepPrompt& prompt : plan.prompts) prompts.push_back(promptJson(prompt));
  for (const SweepPoint& point : plan.points) points.push_back(pointJson(point));
  const Object model{{"name", plan.modelName},
                     {"folder", plan.modelName},  // earlier versions need this key
                     {"config_sha256", plan.origin.configSha256},
                     {"tensor_files", files}};
  const Object begun{{"program_version", plan.origin.program},
                     {"libtorch_version", plan.origin.torch},
                     {"processor", plan.origin.processor},
                     {"threads", plan.origin.threads},
                     {"start_time", plan.origin.startTime}};
  return {{"format", formatOf(plan)},
          {"model", model},
          {"begun", begun},
          {"device", plan.device},
          {"steps", plan.steps},
          {"measure_noise", plan.measureNoise},
          {"ablated", plan.ablated},
          {"ignore_end_of_sequence", plan.ignoreEndOfSequence},
          {"keep_pictures", plan.keepPictures},
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
  readModel({object.neededMember("model"), source + ", model"}, plan);
  readOrigin({object.neededMember("begun"), source + ", begun"}, plan.origin);
  plan.device = object.string("device");
  plan.steps = object.integer("steps", 1, kMostSteps);
  plan.measureNoise = object.boolean("measure_noise", false);
  plan.ablated = object.boolean("ablated", false);
  plan.ignoreEndOfSequence = object.boolean("ignore_end_of_sequence", false);
  plan.keepPictures = object.boolean("keep_pictures", true);
  readList(object, "points",
           [&](JsonObject& fields) { plan.points.push_back(pointFrom(fields)); });
  std::set<std::string> names;
  readList(object, "prompts", [&](JsonObject& fields) {
    plan.prompts.push_back(promptFrom(fields, names));
  });
  checkExtent(plan, source);
  return plan;
}

}  // namespace equipatch
