// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/figure/figure.h"
#include "core/figure/run_figures.h"
#include "core/record/run_record.h"
#include "ui/chart/series_style.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The run on display has complete steps; the steps of other runs are `withoutVectors`.
struct ListedRun {
  QString ownName;  ///< from the user; empty: `name` is made from the settings
  QString name;
  int colour = 0;   ///< index for `numberedStyle`
  QColor own = {};  ///< from the user, instead of the style's colour; invalid: none
  bool shown = true;
  std::filesystem::path file;  ///< empty: not recorded
  std::shared_ptr<const RunHeader> header;
  std::vector<RunModel::Record> steps;
  FigureBox linf;  ///< of the patched pass, over the steps
  /// The KL divergence of the bare and of the ablated pass, over the steps; `count` is 0
  /// in a run without the pass. If the whole context is absorbed, the boxes are equal.
  FigureBox bareEffect, ablatedEffect;
  std::optional<RunEnding> ending = {};  ///< empty during the run

  /// `ablatedEffect`, or `bareEffect` in a run without an ablated pass.
  const FigureBox& worth() const {
    return ablatedEffect.count > 0 ? ablatedEffect : bareEffect;
  }
  /// "#rrggbb", empty without a colour from the user.
  std::string ownColour() const { return own.isValid() ? own.name().toStdString() : ""; }
  SeriesStyle style() const;
};

/// The result's name is `ownName`, which may be empty.
FigureRun figureRunOf(const ListedRun& run);

}  // namespace equipatch
