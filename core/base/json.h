#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

using Json = nlohmann::json;

/// What a key that occurs twice in one object means: as Python reads it, or an error.
enum class RepeatedKeys { LastWins, Refuse };

/// Parses one JSON document from bytes that come from a stranger.
/// @throws Error{BadInput} naming `source`, what is wrong and where, also for nesting
/// deeper
///         than 256 and for bytes that are not UTF-8.
Json parseJson(std::string_view bytes, const std::string& source,
               RepeatedKeys repeated = RepeatedKeys::LastWins);

/// Enough for the small files beside weights and vocabularies.
constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{64} << 20;

/// Reads and parses a whole file of at most `maxBytes`.
/// @throws Error{BadInput} when it is missing, too large, unreadable or not JSON.
Json readJsonFile(const std::filesystem::path& path,
                  std::uintmax_t maxBytes = kMostJsonBytes);

/// An object's members, read with the checks a config file needs. Remembers which keys
/// were asked for, so that the rest can be reported as unread (house rule: nothing is
/// silently dropped). Errors name `source`, the key, what was expected and what was
/// found.
///
/// Every reader treats an explicit null like an absent key.
class JsonObject {
 public:
  /// @param object must outlive this. @throws Error{BadInput} when it is not an object.
  JsonObject(const Json& object, std::string source);

  bool has(const std::string& key);  ///< present and not null; counts as read
  bool isExplicitNull(const std::string& key);

  /// Integers must lie in [low, high].
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high);
  std::optional<std::int64_t> optionalInteger(const std::string& key, std::int64_t low,
                                              std::int64_t high);
  double number(const std::string& key);  ///< finite
  std::optional<double> optionalNumber(const std::string& key);
  bool boolean(const std::string& key, bool fallback);
  std::string string(const std::string& key);
  std::optional<std::string> optionalString(const std::string& key);
  /// One integer or a list of them (eos_token_id is either); empty when absent.
  std::vector<std::int64_t> integers(const std::string& key, std::int64_t low,
                                     std::int64_t high);
  /// The member itself, or nullptr when absent or null.
  const Json* member(const std::string& key);

  /// Declares keys that are known not to change the computation.
  void ignore(std::initializer_list<const char*> keys);
  /// Keys nobody asked for, sorted; keys whose value is null among them.
  std::vector<std::string> unread() const;
  const std::string& source() const { return m_source; }

 private:
  const Json* find(const std::string& key);

  const Json& m_object;
  std::string m_source;
  std::vector<std::string> m_read;
};

}  // namespace equipatch
