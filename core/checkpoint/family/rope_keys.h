// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/spec.h"

namespace equipatch {

/// Defaults for values of the rotary embedding that config.json may omit.
struct RopeDefaults {
  double theta = 10000.0;
  /// Fraction of a head that rotates. Absent: the whole head rotates, and config.json
  /// must not state another fraction.
  std::optional<double> partial;
  RopePairs pairs = RopePairs::HalfSplit;
  std::int64_t headDim = 0;
  std::int64_t maxPositions = 0;
  /// Longest text for which longrope uses its short factors. Absent: the family has no
  /// longrope.
  std::optional<std::int64_t> longRopeOriginal;
};

/// Defaults for a spec whose sizes have been read.
RopeDefaults ropeDefaults(const ModelSpec& spec, double theta = 10000.0);

/// A table of config.json that describes the rotary embedding: "rope_scaling" ("type" or
/// "rope_type", "factor", …) or its successor "rope_parameters", which may also hold
/// "rope_theta" and "partial_rotary_factor".
struct RopeTable {
  const Json* table = nullptr;  ///< nullptr: no scaling
  std::string key;
  RopeDefaults defaults;
};

/// Reads one table, or returns the defaults if `source.table` is null.
/// @param config names the file in errors; nothing is read from it
/// @param unread receives "key.member" for every member that nothing reads; may be null
/// @throws Error{Unsupported} naming key and value when the scaling is not computed;
///         Error{BadInput} for invalid values.
RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>* unread);

/// Reads one rotary embedding for all layers: "rope_theta" with "rope_scaling", or
/// "rope_parameters".
/// @throws Error as readRopeTable; Error{BadInput} when both tables are present and
///         disagree; Error{Unsupported} when there is a table for each kind of layer.
RopeSpec readRope(JsonObject& config, RopeDefaults defaults,
                  std::vector<std::string>& unread);

/// Rotary embeddings of a model with two kinds of layers.
struct LayerRotations {
  RopeSpec full;     ///< of layers without a window
  RopeSpec sliding;  ///< of layers with a window; never scaled by "rope_scaling"
};

/// The defaults of both kinds of layers. config.json holds "rope_scaling" for the full
/// layers, or "rope_parameters" with a table for each kind.
struct RotationTables {
  RopeDefaults full, sliding;
  /// True if "rope_parameters" may be a single table, of which only "rope_theta" applies
  /// to layers with a window.
  bool flat = false;
};

/// Reads the rotary embeddings of both kinds. The caller reads a "rope_theta" outside the
/// tables and puts it into the defaults.
/// @throws Error as readRopeTable; Error{BadInput} when "rope_scaling" and
///         "rope_parameters" are both present, or a kind's table is missing.
LayerRotations readLayerRotations(JsonObject& config, const RotationTables& tables,
                                  std::vector<std::string>& unread);

}  // namespace equipatch
