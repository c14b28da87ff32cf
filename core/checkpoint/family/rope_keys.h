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
  /// Longest text, in tokens, for which longrope uses its short factors. Absent: the
  /// family has no longrope.
  std::optional<std::int64_t> longRopeOriginal;
};

/// Defaults for a spec whose sizes have been read.
RopeDefaults ropeDefaults(const ModelSpec& spec, double theta = 10000.0);

/// A table of config.json: "rope_scaling", or its successor "rope_parameters", which may
/// also hold "rope_theta" and "partial_rotary_factor".
struct RopeTable {
  const Json* table = nullptr;  ///< nullptr: the defaults apply
  std::string key;
  RopeDefaults defaults;
};

/// Reads one table, or uses the defaults alone if `source.table` is null.
/// @param config names the file in errors; nothing is read from it
/// @param unread receives "key.member" for every member that nothing reads; may be null
/// @throws Error{Unsupported} if the scaling is not computed; Error{BadInput} for invalid
///         values.
RopeSpec readRopeTable(const RopeTable& source, JsonObject& config,
                       std::vector<std::string>* unread);

/// Reads one rotary embedding for all layers.
/// @throws Error as readRopeTable; Error{BadInput} if "rope_scaling" and
///         "rope_parameters" disagree; Error{Unsupported} if each kind of layers has a
///         table of its own.
RopeSpec readRope(JsonObject& config, RopeDefaults defaults,
                  std::vector<std::string>& unread);

struct LayerRotations {
  RopeSpec full;     ///< of layers without a window
  RopeSpec sliding;  ///< of layers with a window; never scaled by "rope_scaling"
};

/// Defaults for both kinds of layers.
struct RotationTables {
  RopeDefaults full, sliding;
  /// True if "rope_parameters" may be a single table. Only its "rope_theta" applies to
  /// layers with a window.
  bool flat = false;
};

/// Reads "rope_scaling", which concerns only layers without a window, or
/// "rope_parameters". A "rope_theta" outside these tables is left to the caller, who puts
/// it into the defaults.
/// @throws Error as readRopeTable; Error{BadInput} if both tables are present or the
///         table of a kind is missing.
LayerRotations readLayerRotations(JsonObject& config, const RotationTables& tables,
                                  std::vector<std::string>& unread);

}  // namespace equipatch
