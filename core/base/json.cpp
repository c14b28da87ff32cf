// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/stop_check.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kReasonBytes = 120;

std::string placeText(std::string_view bytes, std::size_t offset) {
  const std::string_view before = bytes.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column =
      1 + before.size() - (newline == std::string_view::npos ? 0 : newline + 1);
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The parser handles any depth, but users of the result may recurse.
void checkDepth(std::string_view bytes, const std::string& source) {
  std::size_t depth = 0;
  bool inString = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (inString) {
      if (c == '\\') ++at;
      if (c == '"') inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth)
        throw badInput(source + ": nested deeper than " + std::to_string(kMaxDepth) +
                       " at " + placeText(bytes, at) + "; fetch or write the file again");
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

/// The parser's message without "; last read: …", which may quote the whole file, and
/// without its prefix: "[json.exception.…] parse error at line 1, column 2: " or, without
/// a position, "[json.exception.…] ".
std::string reasonOf(const std::string& what) {
  const bool hasPosition = what.find("parse error at ") != std::string::npos;
  const std::size_t start = what.find(hasPosition ? ": " : "] ");
  std::string reason = start == std::string::npos ? what : what.substr(start + 2);
  const std::size_t read = reason.find("; last read");
  const std::size_t expected = reason.rfind("; expected");
  // The parser's own "; expected …" is short; a longer text comes from the file.
  const bool isParsers = expected != std::string::npos && read != std::string::npos &&
                         reason.size() - expected <= kReasonBytes;
  const std::string tail = isParsers ? reason.substr(expected) : std::string();
  return replaceInvalidUtf8(reason.substr(0, std::min(read, kReasonBytes)) + tail);
}

/// The parser cannot be stopped; therefore its input checks for a stop request.
class StoppableBytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  StoppableBytes(const char* at, StopCheck& check) : m_at(at), m_check(&check) {}

  reference operator*() const { return *m_at; }
  StoppableBytes& operator++() {
    m_check->count();
    ++m_at;
    return *this;
  }
  bool operator==(const StoppableBytes& other) const { return m_at == other.m_at; }

 private:
  const char* m_at;
  StopCheck* m_check;
};

class RepeatedKeyCheck {
 public:
  explicit RepeatedKeyCheck(std::string source) : m_source(std::move(source)) {}

  void see(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) m_open.emplace_back();
    if (event == Json::parse_event_t::object_end) m_open.pop_back();
    if (event != Json::parse_event_t::key) return;
    const auto& name = parsed.get_ref<const std::string&>();
    if (!m_open.back().insert(name).second)
      throw badInput(m_source + ": the name " + inQuotes(name) +
                     " occurs twice; the file is damaged or was not written by a "
                     "safetensors library");
  }

 private:
  std::string m_source;
  std::vector<std::set<std::string>> m_open;
};

/// For error messages.
std::string shown(const Json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  if (value.is_string()) return inQuotes(value.get_ref<const std::string&>());
  return value.dump();
}

Error wrongValue(const std::string& source, const std::string& key,
                 const std::string& expected, const Json& found) {
  return badInput(source + ": \"" + key + "\" should be " + expected + ", found " +
                  shown(found));
}

Error missingKey(const std::string& source, const std::string& key,
                 const std::string& expected) {
  return badInput(source + ": \"" + key + "\" is missing, expected " + expected);
}

std::string rangeText(std::int64_t low, std::int64_t high) {
  return "an integer from " + std::to_string(low) + " to " + std::to_string(high);
}

bool integerWithin(const Json& value, std::int64_t low, std::int64_t high) {
  if (value.is_number_unsigned())
    return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX) &&
           value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
  return value.is_number_integer() && value.get<std::int64_t>() >= low &&
         value.get<std::int64_t>() <= high;
}

}  // namespace

std::string foundNumber(const Json& value) {
  return value.is_number() ? value.dump() : "no number";
}

Json parseJson(std::string_view bytes, const std::string& source, RepeatedKeys repeated,
               const Progress& progress) {
  if (const std::size_t bad = firstInvalidUtf8(bytes); bad != std::string_view::npos)
    throw badInput(source + ": byte " + std::to_string(bad) + " (" +
                   placeText(bytes, bad) +
                   ") is not UTF-8; the file is damaged or not JSON");
  checkDepth(bytes, source);
  StopCheck stop(progress);
  const StoppableBytes begin(bytes.data(), stop);
  const StoppableBytes end(bytes.data() + bytes.size(), stop);
  try {
    if (repeated == RepeatedKeys::LastWins) return Json::parse(begin, end);
    RepeatedKeyCheck check(source);
    return Json::parse(begin, end,
                       [&check](int, Json::parse_event_t event, Json& parsed) {
                         check.see(event, parsed);
                         return true;
                       });
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(bytes.size(), error.byte > 0 ? error.byte - 1 : 0);
    throw badInput(source + ": not valid JSON at " + placeText(bytes, at) + " (" +
                   reasonOf(error.what()) + "); the file is damaged or incomplete");
  } catch (const Json::exception& error) {
    throw badInput(source + ": not usable as JSON (" + reasonOf(error.what()) +
                   "); correct it or fetch the file again");
  }
}

Json readJsonFile(const std::filesystem::path& path, std::uintmax_t maxBytes,
                  const Progress& progress) {
  return parseJson(readFile(path, maxBytes), path.string(), RepeatedKeys::LastWins,
                   progress);
}

JsonObject::JsonObject(const Json& object, std::string source)
    : m_object(object), m_source(std::move(source)) {
  if (!object.is_object())
    throw badInput(m_source + ": expected a JSON object, found " + shown(object));
}

const Json* JsonObject::find(const std::string& key) {
  m_read.insert(key);
  const auto found = m_object.find(key);
  return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool JsonObject::has(const std::string& key) {
  return find(key) != nullptr;
}

bool JsonObject::isExplicitNull(const std::string& key) {
  m_read.insert(key);
  const auto found = m_object.find(key);
  return found != m_object.end() && found->is_null();
}

std::int64_t JsonObject::integer(const std::string& key, std::int64_t low,
                                 std::int64_t high) {
  const auto value = optionalInteger(key, low, high);
  if (!value) throw missingKey(m_source, key, rangeText(low, high));
  return *value;
}

std::optional<std::int64_t> JsonObject::optionalInteger(const std::string& key,
                                                        std::int64_t low,
                                                        std::int64_t high) {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!integerWithin(*value, low, high))
    throw wrongValue(m_source, key, rangeText(low, high), *value);
  return value->get<std::int64_t>();
}

double JsonObject::number(const std::string& key) {
  const auto value = optionalNumber(key);
  if (!value) throw missingKey(m_source, key, "a number");
  return *value;
}

std::optional<double> JsonObject::optionalNumber(const std::string& key) {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>()))
    throw wrongValue(m_source, key, "a finite number", *value);
  return value->get<double>();
}

bool JsonObject::boolean(const std::string& key, bool fallback) {
  const Json* value = find(key);
  if (!value) return fallback;
  if (!value->is_boolean()) throw wrongValue(m_source, key, "true or false", *value);
  return value->get<bool>();
}

std::string JsonObject::string(const std::string& key) {
  auto value = optionalString(key);
  if (!value) throw missingKey(m_source, key, "a string");
  return *std::move(value);
}

std::optional<std::string> JsonObject::optionalString(const std::string& key) {
  const Json* value = find(key);
  if (!value) return std::nullopt;
  if (!value->is_string()) throw wrongValue(m_source, key, "a string", *value);
  return value->get<std::string>();
}

std::vector<std::int64_t> JsonObject::integers(const std::string& key, std::int64_t low,
                                               std::int64_t high) {
  const Json* value = find(key);
  if (!value) return {};
  if (!value->is_array()) return {*optionalInteger(key, low, high)};
  std::vector<std::int64_t> result;
  for (const Json& element : *value) {
    if (!integerWithin(element, low, high))
      throw wrongValue(m_source, key,
                       "a list in which each element is " + rangeText(low, high),
                       element);
    result.push_back(element.get<std::int64_t>());
  }
  return result;
}

const Json* JsonObject::member(const std::string& key) {
  return find(key);
}

const Json& JsonObject::neededMember(const std::string& key) {
  const Json* value = find(key);
  if (!value) throw badInput(m_source + ": \"" + key + "\" is missing");
  return *value;
}

void JsonObject::ignore(std::initializer_list<const char*> keys) {
  m_read.insert(keys.begin(), keys.end());
}

std::vector<std::string> JsonObject::unread() const {
  std::vector<std::string> keys;
  for (const auto& [key, value] : m_object.items())
    if (!m_read.contains(key)) keys.push_back(key);
  return keys;
}

}  // namespace equipatch
