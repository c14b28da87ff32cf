// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"

namespace equipatch {

/// @param writer version of the program that wrote the file; empty if unknown
inline Error newerFormat(const std::string& source, const std::string& writer,
                         std::int64_t format, std::int64_t known) {
  constexpr std::size_t kLongestVersion = 40;
  const bool writerIsKnown = !writer.empty() && writer.size() <= kLongestVersion;
  return unsupported(
      source + ": written by " +
      (writerIsKnown ? "Equipatch " + writer : "a newer Equipatch") + " in format " +
      std::to_string(format) + ", this program reads format " + std::to_string(known) +
      "; open it with " + (writerIsKnown ? "that version" : "a newer one"));
}

/// The text at a JSON pointer such as "/origin/program"; empty if no text is there.
inline std::string textAt(const Json& json, const char* place) {
  const Json::json_pointer pointer(place);
  if (!json.contains(pointer) || !json.at(pointer).is_string()) return {};
  return json.at(pointer).get<std::string>();
}

}  // namespace equipatch
