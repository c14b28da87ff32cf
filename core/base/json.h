// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace equipatch {

using Json = nlohmann::json;

/// On a repeated key in an object, either the last value counts, as in Python, or parsing
/// fails.
enum class RepeatedKeys { LastWins, Refuse };

/// Parses one JSON document from untrusted bytes.
/// @throws Error{BadInput} naming `source` and the problem, also for nesting deeper than
/// 256 and for invalid UTF-8. The error also gives the position, except for a repeated
/// key and for a number beyond double's range.
/// @throws Error{Cancelled} soon after `progress` asks to stop.
Json parseJson(std::string_view bytes, const std::string& source,
               RepeatedKeys repeated = RepeatedKeys::LastWins,
               const Progress& progress = SilentProgress());

/// For error messages: the number, or "no number" for any other value, whose text could
/// be of any length.
std::string foundNumber(const Json& value);

/// The default size limit, for files such as tokenizer_config.json.
constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{64} << 20;

/// @throws as `readFile` and `parseJson`
Json readJsonFile(const std::filesystem::path& path,
                  std::uintmax_t maxBytes = kMostJsonBytes,
                  const Progress& progress = SilentProgress());

/// Reads and checks the members of a JSON object, and records which keys were read, so
/// that the others can be reported. The errors of the functions that read a value are
/// Error{BadInput} and name `source` and the key.
///
/// These functions treat an explicit null like a missing key, which is an error for
/// `integer`, `number`, `string` and `neededMember`.
class JsonObject {
 public:
  /// @param object must outlive this. @throws Error{BadInput} when it is not an object.
  JsonObject(const Json& object, std::string source);

  bool has(const std::string& key);             ///< present and not null; counts as read
  bool isExplicitNull(const std::string& key);  ///< counts as read

  /// Integers must lie in [low, high].
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high);
  std::optional<std::int64_t> optionalInteger(const std::string& key, std::int64_t low,
                                              std::int64_t high);
  double number(const std::string& key);  ///< finite
  std::optional<double> optionalNumber(const std::string& key);
  bool boolean(const std::string& key, bool fallback);
  std::string string(const std::string& key);
  std::optional<std::string> optionalString(const std::string& key);
  /// An integer or a list of integers (eos_token_id may be either); empty when absent.
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t low,
                                     std::int64_t high);
  /// nullptr when absent or null
  const Json* member(const std::string& key);
  const Json& neededMember(const std::string& key);

  /// Marks keys as read.
  void ignore(std::initializer_list<const char*> keys);
  /// Sorted; includes keys whose value is null.
  std::vector<std::string> unread() const;
  const std::string& source() const { return m_source; }

 private:
  const Json* find(const std::string& key);

  const Json& m_object;
  std::string m_source;
  std::set<std::string> m_read;
};

}  // namespace equipatch
