// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace equipatch {

/// Numbers that are not defined are NaN.
struct LabCurve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> error;  ///< standard error of the mean of y; empty: unknown

  bool operator==(const LabCurve&) const = default;
};

enum class LabScale { Linear, Logarithmic };

struct LabAxis {
  std::string label;
  std::string unit;  ///< empty: a pure number
  LabScale scale = LabScale::Linear;
  std::vector<std::string> ticks;  ///< labels at 0, 1, 2, …; empty: numbers
  bool downwards = false;          ///< only for y: values grow downwards

  bool operator==(const LabAxis&) const = default;
};

/// A quantity over a grid.
struct LabMap {
  std::string label;
  std::string unit;
  LabScale scale = LabScale::Linear;
  std::vector<double> x;       ///< columns
  std::vector<double> y;       ///< rows
  std::vector<double> values;  ///< [y, x], row by row
  bool overPicture = false;    ///< the grid covers LabResult::picture, row 0 at the top

  bool operator==(const LabMap&) const = default;
};

struct LabPanel {
  std::string title;
  LabAxis x;
  LabAxis y;
  std::vector<LabCurve> curves;
  std::optional<LabMap> map;  ///< drawn under the curves

  bool operator==(const LabPanel&) const = default;
};

struct LabScalar {
  std::string name;
  double value = 0.0;
  std::string unit;
  std::optional<double> paper;  ///< order of magnitude that the paper reports

  bool operator==(const LabScalar&) const = default;
};

/// "paper: about 1e-07", without the unit; empty without `paper`.
std::string paperText(const LabScalar& scalar);

struct LabPicture {
  std::string name;   ///< of the picture's file, without folders
  std::string bytes;  ///< content of the file

  bool operator==(const LabPicture&) const = default;
};

using LabValue = std::variant<std::int64_t, double, std::string>;

/// An experiment's setting and its value.
struct LabChoice {
  std::string name;
  LabValue value;

  bool operator==(const LabChoice&) const = default;
};

/// How the result was computed.
struct LabOrigin {
  std::string setting;  ///< "quick", "paper", or "own" for other choices
  std::vector<LabChoice> choices;
  std::uint64_t seed = 0;
  std::int64_t threads = 0;
  std::string program;    ///< version of Equipatch
  std::string torch;      ///< version of libtorch
  std::string processor;  ///< as the system names it
  std::string startTime;  ///< UTC, "2026-11-21T08:30:00Z"
  double seconds = 0.0;   ///< wall time so far, pauses included

  bool operator==(const LabOrigin&) const = default;
};

/// An experiment's result, possibly unfinished.
struct LabResult {
  std::string experiment;  ///< its name on the command line
  std::string title;
  bool finished = false;
  std::vector<LabPanel> panels;
  std::vector<LabScalar> scalars;
  std::vector<std::string> notes;  ///< what to know about the figures, in sentences
  LabOrigin origin;
  std::optional<LabPicture> picture = {};

  bool operator==(const LabResult&) const = default;
};

/// docs/lab.md describes the keys. The choices are sorted by name. Dumping the JSON to
/// text turns NaN and infinities into null.
nlohmann::ordered_json toJson(const LabResult& result);

/// @throws Error as OutputFile
void saveLabResult(const LabResult& result, const std::filesystem::path& path);

/// Reads a possibly hostile file. In curves, maps and scalars' values, null becomes NaN.
/// @throws Error{BadInput} naming the file and, if a value is wrong, its key;
/// Error{Unsupported} when a newer version wrote the file.
LabResult readLabResult(const std::filesystem::path& path);

}  // namespace equipatch
