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
/// user_version. It changes only when older programs would misread newer files. New
/// columns, manifest keys and tables do not change it: older programs ignore them.
inline constexpr std::int64_t kRunFileVersion = 1;

/// A table of a run file. Rows are kept in the order of their keys.
struct RunTable {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> columns;     ///< after the keys
  std::vector<std::string> added = {};  ///< the columns that older files lack
  bool isAdded = false;                 ///< older files lack the table

  /// True if the file has a table of this name.
  bool isIn(const SqlDatabase& database) const;
  /// True if the file's table has exactly these keys and columns in this order. Only then
  /// does `insertSql` suit the file.
  bool isWhole(const SqlDatabase& database) const;
  /// The table as a file has it: without added columns that the file lacks. Other columns
  /// of the file are ignored.
  /// @throws Error{BadInput} if the table is missing, has other keys, lacks a column that
  /// is not an added one, or has a computed column.
  RunTable in(const SqlDatabase& database) const;

  std::string createSql() const;
  /// Parameters: keys, then columns.
  std::string insertSql() const;
  /// Parameters: the first `given` keys. Columns: the other keys, by which rows are
  /// ordered, then the table's columns.
  std::string selectSql(std::size_t given) const;
};

/// The tables that this program writes and reads, except "labels" (run_labels.h).
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

/// Creates the tables of a new run file and sets its identity and version.
void createTables(const SqlDatabase& database);
/// Checks the identity, version and tables of a run file. Tables that older files lack
/// may be missing; no table of the schema may have computed columns. Other tables are
/// allowed, but no triggers, no views, and only the indexes that SQLite makes for keys.
/// @throws Error{BadInput} otherwise; Error{Unsupported} for a newer format, naming the
/// version that reads it.
void checkTables(const SqlDatabase& database);

/// Kinds of vectors. `number` is a matrix's index in its layer, and 0 for other vectors.
namespace VectorKind {
inline const std::string kScaleDelta = "scale_delta";  ///< F32, LayerRecord::scaleDelta
inline const std::string kLayerNoise = "layer_noise";  ///< F64, all layers', at layer 0
inline const std::string kLayerRounding = "layer_rounding";  ///< F64, the same way
inline const std::string kU = "u";                           ///< F64, like all below
inline const std::string kW = "w";
}  // namespace VectorKind

/// A layer's other vectors, with the kind under which they are stored.
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
