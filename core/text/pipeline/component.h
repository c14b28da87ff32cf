#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace equipatch {

/// One component of tokenizer.json: an object whose "type" says what it does. Errors name
/// the place it was found in, and its type.
class Component {
 public:
  /// @param json must outlive this. @throws Error when it is no object with a type.
  Component(const Json& json, const std::string& place);

  const std::string& type() const { return m_type; }
  const std::string& place() const { return m_fields.source(); }
  JsonObject& fields() { return m_fields; }

  bool boolean(const std::string& key, bool fallback) {
    return m_fields.boolean(key, fallback);
  }
  std::string string(const std::string& key) { return m_fields.string(key); }
  /// The list of components under `key`, which must be there.
  std::vector<const Json*> children(const std::string& key);

  /// @throws Error{Unsupported} naming the keys nobody asked for.
  void requireAllRead() const;
  /// To throw for a type that nothing implements.
  [[nodiscard]] Error unknownType() const;

 private:
  std::string m_type;
  JsonObject m_fields;
};

/// Where Metaspace puts its replacement character in front of a piece.
enum class PrependScheme { Never, First, Always };

/// The settings that Metaspace has as a pre-tokenizer and as a decoder.
struct MetaspaceSettings {
  std::string replacement;  ///< one character, mostly "▁"
  PrependScheme scheme = PrependScheme::Always;
};

/// Reads them from either spelling: "prepend_scheme", or the older "add_prefix_space".
/// @throws Error{BadInput} when both are there and disagree.
MetaspaceSettings readMetaspace(Component& component);

}  // namespace equipatch
