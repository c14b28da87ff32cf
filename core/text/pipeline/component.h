// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"

namespace equipatch {

/// @throws Error{Unsupported} naming the source and the keys of `fields` that were not
/// read.
void requireAllRead(const JsonObject& fields);

/// A component of tokenizer.json: an object whose "type" selects the algorithm. Errors
/// name the component's place in the file and its type.
class Component {
 public:
  /// @param json must outlive this
  /// @throws Error{BadInput} when `json` is not an object with a "type".
  Component(const Json& json, const std::string& place);

  const std::string& type() const { return m_type; }
  const std::string& place() const { return m_fields.source(); }
  std::string childPlace() const { return place() + ", component"; }
  JsonObject& fields() { return m_fields; }

  bool boolean(const std::string& key, bool fallback) {
    return m_fields.boolean(key, fallback);
  }
  std::string string(const std::string& key) { return m_fields.string(key); }
  /// The required list of components under `key`. @throws Error{BadInput} when it has
  /// more components, or nests them deeper, than any tokenizer needs.
  std::vector<const Json*> children(const std::string& key);

  void requireAllRead() const { equipatch::requireAllRead(m_fields); }
  [[nodiscard]] Error unknownType() const;

 private:
  std::string m_type;
  JsonObject m_fields;
};

/// Runs `work` and puts `place` in front of the sentence of any Error from it, except
/// Error{Cancelled}.
template <typename Work>
auto namedBy(const std::string& place, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    throw error.within(place);
  }
}

/// When Metaspace prepends its replacement character to a pre-token.
enum class PrependScheme { Never, First, Always };

/// The settings that the pre-tokenizer and the decoder Metaspace share.
struct MetaspaceSettings {
  std::string replacement;  ///< one character, mostly "▁"
  PrependScheme scheme = PrependScheme::Always;
};

/// Reads "prepend_scheme", or the older "add_prefix_space" if there is no scheme.
/// @throws Error{BadInput} for a replacement other than one character, an unknown scheme,
/// and "add_prefix_space": false together with the scheme "first" or "always".
MetaspaceSettings readMetaspace(Component& component);

}  // namespace equipatch
