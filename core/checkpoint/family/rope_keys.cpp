#include "core/checkpoint/family/rope_keys.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/checkpoint/family/config_keys.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMaxPositions = std::int64_t{1} << 31;

/// "rope_type" was called "type" before; a table may hold both.
std::string scalingName(JsonObject& table) {
  const auto former = table.optionalString("type");
  const auto name = table.optionalString("rope_type");
  if (name && former && *name != *former)
    throw badInput(table.source() + ": \"rope_type\" " + inQuotes(*name) +
                   " and \"type\" " + inQuotes(*former) + " should agree");
  if (name) return *name;
  if (former) return *former;
  if (table.has("factor"))
    throw badInput(table.source() +
                   ": \"rope_type\" is missing, expected what \"factor\" is for");
  return "default";
}

double required(JsonObject& table, const char* key) {
  const auto value = positiveNumber(table, key);
  if (!value)
    throw badInput(table.source() + ": \"" + key + "\" is missing, expected a number");
  return *value;
}

void readLlama3(JsonObject& table, RopeSpec& rope) {
  rope.scaling = RopeScaling::Llama3;
  rope.factor = required(table, "factor");
  rope.lowFreqFactor = required(table, "low_freq_factor");
  rope.highFreqFactor = required(table, "high_freq_factor");
  rope.originalPositions =
      table.integer("original_max_position_embeddings", 1, kMaxPositions);
  // The middle band is interpolated over their difference.
  if (!(rope.lowFreqFactor < rope.highFreqFactor))
    throw badInput(
        table.source() +
        ": \"low_freq_factor\" should be less than \"high_freq_factor\", found " +
        table.member("low_freq_factor")->dump() + " and " +
        table.member("high_freq_factor")->dump());
}

}  // namespace

RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>& unread) {
  RopeSpec rope;
  rope.theta = source.theta;
  if (!source.table) return rope;
  JsonObject table(*source.table, config.source() + ": \"" + source.key + "\"");
  rope.theta = positiveNumber(table, "rope_theta").value_or(source.theta);
  const std::string name = scalingName(table);
  if (name == "linear") {
    rope.scaling = RopeScaling::Linear;
    rope.factor = required(table, "factor");
  } else if (name == "llama3") {
    readLlama3(table, rope);
  } else if (name != "default") {
    throw unsupported(table.source() + " of type " + inQuotes(name) +
                      " is not computed; supported are default, linear and llama3");
  }
  const auto partial = table.optionalNumber("partial_rotary_factor");
  if (partial && *partial != 1.0)
    throw unsupported(table.source() + ": \"partial_rotary_factor\" " +
                      table.member("partial_rotary_factor")->dump() +
                      " is not supported, only 1 is");
  for (const std::string& member : table.unread())
    unread.push_back(source.key + "." + member);
  return rope;
}

RopeSpec readRope(JsonObject& config, double defaultTheta,
                  std::vector<std::string>& unread) {
  const double theta = positiveNumber(config, "rope_theta").value_or(defaultTheta);
  const Json* parameters = config.member("rope_parameters");
  const Json* scaling = config.member("rope_scaling");
  const RopeSpec rope =
      readRopeTable({parameters, "rope_parameters", theta}, config, unread);
  if (!scaling) return rope;
  // Without a base of its own, rope_scaling scales whatever base is in force.
  const RopeSpec former =
      readRopeTable({scaling, "rope_scaling", rope.theta}, config, unread);
  if (parameters && former != rope)
    throw badInput(config.source() +
                   ": \"rope_scaling\" and \"rope_parameters\" should say the same");
  return former;
}

}  // namespace equipatch
