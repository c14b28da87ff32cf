#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace equipatch {

/// What to tell of a file whose format this program does not know.
/// @param writer version of the program that wrote it, as far as the file tells; what
/// cannot be a version is not repeated
inline Error newerFormat(const std::string& source, const std::string& writer,
                         std::int64_t format, std::int64_t known) {
  constexpr std::size_t kLongestVersion = 40;
  const bool told = !writer.empty() && writer.size() <= kLongestVersion;
  return unsupported(source + ": written by " +
                     (told ? "Equipatch " + writer : "a newer Equipatch") +
                     " in format " + std::to_string(format) +
                     ", this program reads format " + std::to_string(known) +
                     "; open it with " + (told ? "that version" : "a newer one"));
}

/// What stands at a place of such a file, "/origin/program"; empty when it is no text.
inline std::string textAt(const Json& json, const char* place) {
  const Json::json_pointer pointer(place);
  if (!json.contains(pointer) || !json.at(pointer).is_string()) return {};
  return json.at(pointer).get<std::string>();
}

}  // namespace equipatch
