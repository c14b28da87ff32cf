// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/lab_result.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/record/file/newer_format.h"

namespace equipatch {
namespace {

using Object = nlohmann::ordered_json;

constexpr std::uintmax_t kMostLabBytes = std::uintmax_t{256} << 20;
constexpr std::int64_t kLabFormat = 1;
constexpr std::int64_t kMostFormats = 1 << 20;

const char* scaleName(LabScale scale) {
  return scale == LabScale::Logarithmic ? "log" : "linear";
}

Object toJson(const LabAxis& axis) {
  Object object{
      {"label", axis.label}, {"unit", axis.unit}, {"scale", scaleName(axis.scale)}};
  if (!axis.ticks.empty()) object["ticks"] = axis.ticks;
  if (axis.downwards) object["direction"] = "down";
  return object;
}

Object toJson(const LabCurve& curve) {
  Object object{{"name", curve.name}, {"x", curve.x}, {"y", curve.y}};
  if (!curve.error.empty()) object["error"] = curve.error;
  return object;
}

Object toJson(const LabMap& map) {
  Object object{{"label", map.label}, {"unit", map.unit}, {"scale", scaleName(map.scale)},
                {"x", map.x},         {"y", map.y},       {"values", map.values}};
  if (map.overPicture) object["over_picture"] = true;
  return object;
}

Object toJson(const LabPanel& panel) {
  Object object{{"title", panel.title}, {"x", toJson(panel.x)}, {"y", toJson(panel.y)}};
  object["curves"] = Object::array();
  for (const LabCurve& curve : panel.curves) object["curves"].push_back(toJson(curve));
  if (panel.map) object["map"] = toJson(*panel.map);
  return object;
}

Object toJson(const LabScalar& scalar) {
  Object object{{"name", scalar.name}, {"value", scalar.value}, {"unit", scalar.unit}};
  if (scalar.paper) object["paper"] = *scalar.paper;
  return object;
}

/// Sorts the choices by name, the order in which readLabResult returns them.
Object toJson(const LabOrigin& origin) {
  Object choices = Object::object();
  std::vector<LabChoice> sorted = origin.choices;
  std::ranges::sort(sorted, {}, &LabChoice::name);
  for (const LabChoice& choice : sorted)
    std::visit([&](const auto& value) { choices[choice.name] = value; }, choice.value);
  return {{"setting", origin.setting},     {"choices", choices},
          {"seed", origin.seed},           {"threads", origin.threads},
          {"program", origin.program},     {"torch", origin.torch},
          {"processor", origin.processor}, {"start_time", origin.startTime},
          {"seconds", origin.seconds}};
}

std::string inside(const JsonObject& object, const std::string& key) {
  return object.source() + ", " + key;
}

const Json& array(JsonObject& object, const std::string& key) {
  const Json& member = object.neededMember(key);
  if (!member.is_array())
    throw badInput(inside(object, key) + ": expected a list, found " +
                   member.type_name());
  return member;
}

template <typename T, typename Read>
std::vector<T> items(JsonObject& object, const std::string& key, Read read) {
  std::vector<T> all;
  for (const Json& item : array(object, key))
    all.push_back(read(item, inside(object, key + " " + std::to_string(all.size()))));
  return all;
}

double readNumber(const Json& item, const std::string& source) {
  if (item.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!item.is_number())
    throw badInput(source + ": expected a number or null, found " + item.type_name());
  return item.get<double>();
}

std::string readText(const Json& item, const std::string& source) {
  if (!item.is_string())
    throw badInput(source + ": expected a text, found " + item.type_name());
  return item.get<std::string>();
}

std::vector<double> numbers(JsonObject& object, const std::string& key) {
  return items<double>(object, key, readNumber);
}

void requireCount(const JsonObject& object, const std::string& key, std::size_t found,
                  std::size_t expected) {
  if (found != expected)
    throw badInput(inside(object, key) + ": expected " + std::to_string(expected) +
                   " numbers, found " + std::to_string(found));
}

LabScale readScale(JsonObject& object) {
  const std::string name = object.string("scale");
  if (name == "linear") return LabScale::Linear;
  if (name == "log") return LabScale::Logarithmic;
  throw badInput(inside(object, "scale") + ": expected 'linear' or 'log', found " +
                 inQuotes(name));
}

bool readDirection(JsonObject& object) {
  const std::string name = object.optionalString("direction").value_or("up");
  if (name == "up" || name == "down") return name == "down";
  throw badInput(inside(object, "direction") + ": expected 'up' or 'down', found " +
                 inQuotes(name));
}

LabAxis readAxis(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  LabAxis axis{object.string("label"), object.string("unit"), readScale(object), {}};
  if (object.has("ticks")) axis.ticks = items<std::string>(object, "ticks", readText);
  axis.downwards = readDirection(object);
  return axis;
}

LabCurve readCurve(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  LabCurve curve{object.string("name"), numbers(object, "x"), numbers(object, "y"), {}};
  requireCount(object, "y", curve.y.size(), curve.x.size());
  if (!object.has("error")) return curve;
  curve.error = numbers(object, "error");
  requireCount(object, "error", curve.error.size(), curve.x.size());
  return curve;
}

LabMap readMap(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  LabMap map{object.string("label"),
             object.string("unit"),
             readScale(object),
             numbers(object, "x"),
             numbers(object, "y"),
             numbers(object, "values"),
             object.boolean("over_picture", false)};
  requireCount(object, "values", map.values.size(), map.x.size() * map.y.size());
  return map;
}

std::optional<LabPicture> readPicture(JsonObject& result) {
  const Json* member = result.member("picture");
  if (!member) return std::nullopt;
  JsonObject object(*member, inside(result, "picture"));
  auto bytes = decodeBase64(object.string("bytes"));
  if (!bytes) throw badInput(inside(object, "bytes") + ": expected Base64");
  return LabPicture{object.string("name"), *std::move(bytes)};
}

LabPanel readPanel(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  LabPanel panel{.title = object.string("title"),
                 .x = readAxis(object.neededMember("x"), inside(object, "x")),
                 .y = readAxis(object.neededMember("y"), inside(object, "y")),
                 .curves = items<LabCurve>(object, "curves", readCurve),
                 .map = {}};
  if (const Json* map = object.member("map"))
    panel.map = readMap(*map, inside(object, "map"));
  return panel;
}

LabScalar readScalar(const Json& json, const std::string& source) {
  JsonObject object(json, source);
  LabScalar scalar{.name = object.string("name"),
                   .value = std::numeric_limits<double>::quiet_NaN(),
                   .unit = object.string("unit"),
                   .paper = object.optionalNumber("paper")};
  if (object.has("value")) scalar.value = object.number("value");
  return scalar;
}

LabValue readChoice(const Json& value, const std::string& source) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() >
          std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    throw badInput(source + ": expected a number below 2^63, found " + value.dump());
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  throw badInput(source + ": expected a number or a text, found " + value.type_name());
}

LabOrigin readOrigin(const Json& json, const std::string& source) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  JsonObject object(json, source);
  LabOrigin origin{.setting = object.string("setting"),
                   .choices = {},
                   .threads = object.integer("threads", 0, kMost),
                   .program = object.string("program"),
                   .torch = object.string("torch"),
                   .processor = object.string("processor"),
                   .startTime = object.string("start_time"),
                   .seconds = object.number("seconds")};
  const Json& seed = object.neededMember("seed");
  if (!seed.is_number_unsigned())
    throw badInput(inside(object, "seed") + ": expected a whole number from 0, found " +
                   seed.type_name());
  origin.seed = seed.get<std::uint64_t>();
  const Json& choices = object.neededMember("choices");
  if (!choices.is_object())
    throw badInput(inside(object, "choices") + ": expected an object, found " +
                   choices.type_name());
  for (const auto& [name, value] : choices.items())
    origin.choices.push_back({name, readChoice(value, inside(object, name))});
  return origin;
}

}  // namespace

std::string paperText(const LabScalar& scalar) {
  constexpr int kDigits = 3;  // enough for an order of magnitude
  return scalar.paper ? "paper: about " + shortText(*scalar.paper, kDigits) : "";
}

Object toJson(const LabResult& result) {
  Object object{{"equipatch_lab", kLabFormat},
                {"experiment", result.experiment},
                {"title", result.title},
                {"finished", result.finished},
                {"origin", toJson(result.origin)}};
  object["scalars"] = Object::array();
  for (const LabScalar& scalar : result.scalars)
    object["scalars"].push_back(toJson(scalar));
  object["notes"] = result.notes;
  object["panels"] = Object::array();
  for (const LabPanel& panel : result.panels) object["panels"].push_back(toJson(panel));
  if (const auto& picture = result.picture)
    object["picture"] = {{"name", picture->name},
                         {"bytes", encodeBase64(picture->bytes)}};
  return object;
}

void saveLabResult(const LabResult& result, const std::filesystem::path& path) {
  OutputFile file(path);
  file << toJson(result).dump(1, ' ', false, Object::error_handler_t::replace) + '\n';
  file.finish();
}

LabResult readLabResult(const std::filesystem::path& path) {
  const Json json = readJsonFile(path, kMostLabBytes);
  JsonObject object(json, path.filename().string());
  const std::int64_t format = object.integer("equipatch_lab", 1, kMostFormats);
  if (format > kLabFormat)
    throw newerFormat(path.string(), textAt(json, "/origin/program"), format, kLabFormat);
  return {.experiment = object.string("experiment"),
          .title = object.string("title"),
          .finished = object.boolean("finished", false),
          .panels = items<LabPanel>(object, "panels", readPanel),
          .scalars = items<LabScalar>(object, "scalars", readScalar),
          .notes = items<std::string>(object, "notes", readText),
          .origin = readOrigin(object.neededMember("origin"), inside(object, "origin")),
          .picture = readPicture(object)};
}

}  // namespace equipatch
