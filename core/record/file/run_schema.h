// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/file/sqlite.h"
#include "core/record/patch_factors.h"

namespace equipatch {

inline constexpr std::int64_t kRunFileId = 0x45715061;  ///< application_id: "EqPa"
/// user_version. Increase it only if older programs would misread newer files, not for
/// new columns, manifest keys or tables: older programs ignore these.
inline constexpr std::int64_t kRunFileVersion = 1;

/// A table of a run file.
struct RunTable {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> columns;     ///< after the keys
  std::vector<std::string> added = {};  ///< those of `columns` that older files lack
  bool isAdded = false;                 ///< older files lack the table

  bool isIn(const SqlDatabase& database) const;
  /// True if the file's table has exactly these keys and columns in this order, as
  /// `insertSql` requires.
  bool isWhole(const SqlDatabase& database) const;
  /// This table without the added columns that the file lacks.
  /// @throws Error{BadInput} if the table is missing, has other keys, lacks a column that
  /// is not in `added`, or has a computed column.
  RunTable in(const SqlDatabase& database) const;

  std::string createSql() const;
  /// Parameters: keys, then columns.
  std::string insertSql() const;
  /// Parameters: the first `given` keys. Result: the other keys, which order the rows,
  /// then `columns`.
  std::string selectSql(std::size_t given) const;
};

/// All tables except "labels" (run_labels.h).
struct RunSchema {
  RunTable manifest;     ///< key → value
  RunTable prompt;       ///< position → token
  RunTable tensorFiles;  ///< number → file and hash
  RunTable parameters;   ///< number → parameter that patches change
  RunTable steps;        ///< step → numbers
  RunTable
      choices;  ///< step, pass ("contextual", "patched", "bare", "ablated"), rank → token
  RunTable layers;         ///< step, layer → numbers
  RunTable matrices;       ///< step, layer, number → norms of a patched matrix
  RunTable images;         ///< number → image and its tokens
  RunTable continuations;  ///< number → program and machine that continued the run
  RunTable digests;        ///< step → digests of its rows in the five tables of steps
  RunTable vectors;  ///< step, kind (VectorKind), layer, number → weight, dtype, data

  std::vector<const RunTable*> all() const;
};

const RunSchema& runSchema();

/// Also sets application_id and user_version.
void createTables(const SqlDatabase& database);
/// Checks application_id, user_version and the tables (RunTable::in). Tables with
/// `isAdded` may be missing, and unknown tables may exist. Views, triggers, virtual
/// tables and indexes are refused, except indexes that SQLite makes for keys.
/// @throws Error{BadInput}; Error{Unsupported} for a newer format
void checkTables(const SqlDatabase& database);

/// Values of `kind` in the table "vectors", whose `number` is a matrix's index in the
/// layer, and 0 for vectors of no matrix.
namespace VectorKind {
inline const std::string kScaleDelta = "scale_delta";  ///< F32, LayerRecord::scaleDelta
inline const std::string kLayerNoise = "layer_noise";  ///< F64 [layers]; `layer` is 0
inline const std::string kLayerRounding = "layer_rounding";  ///< F64, likewise
inline const std::string kU = "u";                           ///< F64, as all below
inline const std::string kW = "w";
}  // namespace VectorKind

/// Another vector of a layer, and the kind under which it is stored.
struct LayerVector {
  const char* kind;
  std::vector<double> LayerFactors::*field;
};
inline constexpr std::array<LayerVector, 9> kLayerVectors{{
    {"patched_scale", &LayerFactors::scale},
    {"patched_scale_delta", &LayerFactors::scaleDelta},
    {"patched_dense_scale", &LayerFactors::denseScale},
    {"patched_bias", &LayerFactors::bias},
    {"patched_bias_delta", &LayerFactors::biasDelta},
    {"v", &LayerFactors::v},
    {"z", &LayerFactors::z},
    {"v_context", &LayerFactors::vContext},
    {"z_context", &LayerFactors::zContext},
}};

}  // namespace equipatch
