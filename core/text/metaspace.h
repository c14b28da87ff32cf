#pragma once

#include <string>

#include "core/text/component.h"

namespace equipatch {

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
