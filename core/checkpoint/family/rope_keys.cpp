// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/rope_keys.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/family/config_keys.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostFactors = 4096;
constexpr double kLeastFactor = 1e-6;  // a frequency divided by this stays finite

std::string scalingName(JsonObject& table) {
  const auto former = table.optionalString("type");
  const auto name = table.optionalString("rope_type");
  if (name && former && *name != *former)
    throw badInput(table.source() + ": \"rope_type\" " + inQuotes(*name) +
                   " and \"type\" " + inQuotes(*former) + " should agree");
  if (name) return *name;
  if (former) return *former;
  if (table.has("factor"))
    throw badInput(
        table.source() +
        ": \"rope_type\" is missing; \"factor\" needs one, such as \"linear\"");
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
  // The interpolation of frequencies divides by the difference of these two factors.
  if (!(rope.lowFreqFactor < rope.highFreqFactor))
    throw badInput(
        table.source() +
        ": \"low_freq_factor\" should be less than \"high_freq_factor\", found " +
        table.member("low_freq_factor")->dump() + " and " +
        table.member("high_freq_factor")->dump());
}

double yarnMagnitude(double factor, double m) {
  return factor <= 1.0 ? 1.0 : 0.1 * m * std::log(factor) + 1.0;
}

double readYarnMagnitude(JsonObject& table, double factor) {
  const auto stated = positiveNumber(table, "attention_factor");
  const double m = table.optionalNumber("mscale").value_or(0.0);
  const double all = table.optionalNumber("mscale_all_dim").value_or(0.0);
  if (stated) return *stated;
  if (m == 0.0 || all == 0.0) return yarnMagnitude(factor, 1.0);
  const double magnitude = yarnMagnitude(factor, m) / yarnMagnitude(factor, all);
  if (!(std::isfinite(magnitude) && magnitude > 0.0))
    throw badInput(table.source() +
                   ": \"mscale\" and \"mscale_all_dim\" should give a positive factor");
  return magnitude;
}

void readYarn(JsonObject& table, const RopeDefaults& defaults, RopeSpec& rope) {
  rope.scaling = RopeScaling::Yarn;
  rope.originalPositions =
      table.optionalInteger("original_max_position_embeddings", 1, kMaxPositions)
          .value_or(defaults.maxPositions);
  rope.factor = positiveNumber(table, "factor")
                    .value_or(static_cast<double>(defaults.maxPositions) /
                              static_cast<double>(rope.originalPositions));
  rope.betaFast = positiveNumber(table, "beta_fast").value_or(32.0);
  rope.betaSlow = positiveNumber(table, "beta_slow").value_or(1.0);
  rope.truncate = table.boolean("truncate", true);
  rope.magnitude = readYarnMagnitude(table, rope.factor);
  if (!(rope.betaSlow < rope.betaFast))
    throw badInput(table.source() + ": \"beta_slow\" should be less than \"beta_fast\"");
  if (!(rope.theta > 1.0))  // ln(theta) is a divisor
    throw badInput(table.source() + ": \"rope_theta\" should be greater than 1 for yarn");
}

std::vector<double> readFactors(JsonObject& table, const char* key) {
  const Json* list = table.member(key);
  if (!list || !list->is_array() || list->size() > kMostFactors)
    throw badInput(
        table.source() + ": \"" + key +
        "\" should be a list of at most 4096 numbers, one for each pair that rotates");
  std::vector<double> factors;
  for (const Json& factor : *list) {
    const double value = factor.is_number() ? factor.get<double>() : 0.0;
    if (!(std::isfinite(value) && value >= kLeastFactor))
      throw badInput(table.source() + ": \"" + key +
                     "\" should hold numbers of at least 1e-6, found " +
                     foundNumber(factor));
    factors.push_back(value);
  }
  return factors;
}

double longRopeMagnitude(double extension, std::int64_t original) {
  if (extension <= 1.0 || original <= 1) return 1.0;
  return std::sqrt(1.0 + std::log(extension) / std::log(static_cast<double>(original)));
}

void readLongRope(JsonObject& table, const RopeDefaults& defaults, RopeSpec& rope) {
  for (const char* key : {"short_mscale", "long_mscale"})
    if (table.has(key))
      throw unsupported(table.source() + ": \"" + key +
                        "\" gives longrope another magnitude, which is not computed");
  rope.scaling = RopeScaling::LongRope;
  rope.originalPositions =
      table.optionalInteger("original_max_position_embeddings", 1, kMaxPositions)
          .value_or(*defaults.longRopeOriginal);
  rope.shortFactors = readFactors(table, "short_factor");
  rope.longFactors = readFactors(table, "long_factor");
  rope.factor = static_cast<double>(defaults.maxPositions) /
                static_cast<double>(rope.originalPositions);
  const auto factor = positiveNumber(table, "factor");
  if (factor && *factor != rope.factor)
    throw unsupported(table.source() + ": \"factor\" " + Json(*factor).dump() +
                      " is not \"max_position_embeddings\" over the original " +
                      std::to_string(rope.originalPositions) +
                      ", the only extension of longrope that is computed");
  rope.magnitude = positiveNumber(table, "attention_factor")
                       .value_or(longRopeMagnitude(rope.factor, rope.originalPositions));
}

void readScaling(JsonObject& table, const RopeDefaults& defaults, RopeSpec& rope) {
  const std::string name = scalingName(table);
  // In a family with longrope, "su" and "yarn" are former names of longrope.
  if (defaults.longRopeOriginal &&
      (name == "longrope" || name == "su" || name == "yarn")) {
    readLongRope(table, defaults, rope);
  } else if (name == "linear") {
    rope.scaling = RopeScaling::Linear;
    rope.factor = required(table, "factor");
  } else if (name == "llama3") {
    readLlama3(table, rope);
  } else if (name == "yarn") {
    readYarn(table, defaults, rope);
  } else if (name == "dynamic") {
    // Dynamic scaling begins beyond "max_position_embeddings" and ignores
    // "original_max_position_embeddings".
    rope.scaling = RopeScaling::Dynamic;
    rope.factor = required(table, "factor");
    rope.originalPositions = defaults.maxPositions;
  } else if (name == "proportional" && defaults.partial) {
    rope.scaling = RopeScaling::Proportional;
    rope.factor = positiveNumber(table, "factor").value_or(1.0);
  } else if (name != "default") {
    throw unsupported(table.source() + " of type " + inQuotes(name) +
                      " is not computed; supported are default, linear, dynamic, llama3" +
                      (defaults.partial ? ", proportional" : "") +
                      (defaults.longRopeOriginal ? " and longrope" : " and yarn"));
  }
}

/// Reads the fraction of a head that rotates.
double readPartial(JsonObject& object, const RopeDefaults& defaults) {
  const double expected = defaults.partial.value_or(1.0);
  const double partial =
      object.optionalNumber("partial_rotary_factor").value_or(expected);
  if (!defaults.partial && partial != 1.0)
    throw unsupported(object.source() + ": \"partial_rotary_factor\" " +
                      object.member("partial_rotary_factor")->dump() +
                      " is not supported for this model, only 1 is");
  if (!(partial > 0.0 && partial <= 1.0))
    throw badInput(object.source() + ": the share of a head that rotates is " +
                   Json(partial).dump() + ", expected more than 0 and at most 1");
  return partial;
}

void setDims(const std::string& source, const RopeDefaults& defaults, double partial,
             RopeSpec& rope) {
  const double share = static_cast<double>(defaults.headDim) * partial;
  rope.dims = static_cast<std::int64_t>(share);
  if (rope.scaling == RopeScaling::Proportional) {
    rope.dims = defaults.headDim;
    rope.turningPairs = static_cast<std::int64_t>(share / 2.0);
  }
  if (rope.scaling == RopeScaling::LongRope)
    for (const auto* factors : {&rope.shortFactors, &rope.longFactors})
      if (2 * static_cast<std::int64_t>(factors->size()) != rope.dims)
        throw badInput(source + ": longrope has " + std::to_string(factors->size()) +
                       " factors, expected " + std::to_string(rope.dims / 2) +
                       ", one for each pair that rotates");
  // Dynamic scaling divides by dims − 2.
  const std::int64_t least = rope.scaling == RopeScaling::Dynamic ? 4 : 2;
  if (rope.dims < least || rope.dims % 2 != 0)
    throw badInput(source + ": of a head's " + std::to_string(defaults.headDim) +
                   " components " + std::to_string(rope.dims) +
                   " rotate, expected an even number of at least " +
                   std::to_string(least) + " because components rotate in pairs");
}

bool holdsTables(const Json& table) {
  return table.is_object() &&
         std::any_of(table.begin(), table.end(),
                     [](const Json& member) { return member.is_object(); });
}

}  // namespace

RopeDefaults ropeDefaults(const ModelSpec& spec, double theta) {
  return {.theta = theta,
          .partial = std::nullopt,
          .headDim = spec.headDim,
          .maxPositions = spec.maxPositions};
}

RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>* unread) {
  RopeSpec rope{.theta = source.defaults.theta, .pairs = source.defaults.pairs};
  double partial = source.defaults.partial.value_or(1.0);
  std::string where = config.source();
  if (source.table) {
    JsonObject table(*source.table, config.source() + ": \"" + source.key + "\"");
    where = table.source();
    rope.theta = positiveNumber(table, "rope_theta").value_or(rope.theta);
    readScaling(table, source.defaults, rope);
    partial = readPartial(table, source.defaults);
    if (unread)
      for (const std::string& member : table.unread())
        unread->push_back(source.key + "." + member);
  }
  setDims(where, source.defaults, partial, rope);
  return rope;
}

RopeSpec readRope(JsonObject& config, RopeDefaults defaults,
                  std::vector<std::string>& unread) {
  defaults.theta = positiveNumber(config, "rope_theta").value_or(defaults.theta);
  const double partial = readPartial(config, defaults);
  if (defaults.partial) defaults.partial = partial;
  const Json* parameters = config.member("rope_parameters");
  const Json* scaling = config.member("rope_scaling");
  if (parameters && holdsTables(*parameters))
    throw unsupported(config.source() +
                      ": \"rope_parameters\" holds a table for each kind of layer; this "
                      "model rotates all layers alike");
  const RopeSpec rope =
      readRopeTable({parameters, "rope_parameters", defaults}, config, &unread);
  if (!scaling) return rope;
  // "rope_scaling" may omit theta and the fraction of a head that rotates. The values
  // read so far then apply.
  defaults.theta = rope.theta;
  if (parameters && defaults.partial) {
    JsonObject table(*parameters, config.source() + ": \"rope_parameters\"");
    defaults.partial = readPartial(table, defaults);
  }
  const RopeSpec former =
      readRopeTable({scaling, "rope_scaling", defaults}, config, &unread);
  if (parameters && former != rope)
    throw badInput(config.source() +
                   ": \"rope_scaling\" and \"rope_parameters\" should say the same");
  return former;
}

LayerRotations readLayerRotations(JsonObject& config, const RotationTables& tables,
                                  std::vector<std::string>& unread) {
  const Json* scaling = config.member("rope_scaling");
  const Json* parameters = config.member("rope_parameters");
  const auto withoutScaling = [&](const RopeDefaults& defaults) {
    return readRopeTable({nullptr, "", defaults}, config, &unread);
  };
  if (!parameters)
    return {readRopeTable({scaling, "rope_scaling", tables.full}, config, &unread),
            withoutScaling(tables.sliding)};
  if (scaling)
    throw badInput(config.source() +
                   ": has both \"rope_scaling\" and \"rope_parameters\", expected one");
  if (tables.flat && !holdsTables(*parameters)) {
    const RopeSpec full =
        readRopeTable({parameters, "rope_parameters", tables.full}, config, &unread);
    RopeDefaults sliding = tables.sliding;
    sliding.theta = full.theta;
    return {full, withoutScaling(sliding)};
  }
  JsonObject kinds(*parameters, config.source() + ": \"rope_parameters\"");
  const Json* full = kinds.member("full_attention");
  const Json* sliding = kinds.member("sliding_attention");
  if (!full || !sliding)
    throw badInput(kinds.source() +
                   " should hold \"full_attention\" and \"sliding_attention\"");
  for (const std::string& member : kinds.unread())
    unread.push_back("rope_parameters." + member);
  return {readRopeTable({full, "rope_parameters.full_attention", tables.full}, config,
                        &unread),
          readRopeTable({sliding, "rope_parameters.sliding_attention", tables.sliding},
                        config, &unread)};
}

}  // namespace equipatch
