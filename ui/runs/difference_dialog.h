// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QTableView>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_difference.h"

namespace equipatch {

struct ComparedRun {
  QString name;
  std::shared_ptr<const RunHeader> header;
  Steps steps;
  std::string file = {};  ///< the file's name without its folder; empty: no file
};

/// Two runs side by side. Each row is a step on the axis of `RunPair`: related runs are
/// aligned by their position in the text.
class DifferenceModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    Step,
    TokenA,
    TokenB,
    LinfA,  ///< of the patched pass
    LinfB,
    VerdictA,
    VerdictB,
    BareA,  ///< KL divergence of the bare pass
    BareB,
    kColumns
  };

  using QAbstractTableModel::QAbstractTableModel;
  void setSides(ComparedRun a, ComparedRun b);
  /// Valid until the next `setSides`; empty before the first.
  const std::optional<RunPair>& pair() const { return m_pair; }

  /// As `differs` in run_difference.h; false if a run has no record of this row's step.
  bool differs(int row) const;
  /// The next row after `from` that differs, wrapping around; −1: none.
  int nextDifference(int from) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::int64_t stepOf(int row) const;
  QVariant text(int row, int column) const;

  ComparedRun m_a, m_b;
  std::optional<RunPair> m_pair;  ///< points into `m_a` and `m_b`
};

/// Compares two of several runs step by step. Not modal; shows only the steps that the
/// runs had when the dialog was opened.
class DifferenceDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param a, b the indices of the runs that are compared first
  DifferenceDialog(std::vector<ComparedRun> runs, int a, int b,
                   QWidget* parent = nullptr);

  QString summary() const { return m_summary->text(); }
  QTableView* table() const { return m_table; }
  /// @param side 0 for A, 1 for B
  QComboBox* chooser(int side) const { return m_choosers[std::size_t(side)]; }
  /// Column titles and all rows as tab-separated lines.
  QString text() const;

 public Q_SLOTS:
  void selectNext();
  void copy() const;

 private:
  QLayout* composeChoosers(int a, int b);
  void composeTable();
  QWidget* composeButtons();
  void compare();

  std::vector<ComparedRun> m_runs;
  std::array<QComboBox*, 2> m_choosers{};
  DifferenceModel* m_model;
  QLabel* m_summary;
  QPushButton* m_next = nullptr;
  QTableView* m_table;
};

}  // namespace equipatch
