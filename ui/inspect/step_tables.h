// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QFontMetrics>
#include <QLabel>
#include <QList>
#include <QRectF>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QWidget>
#include <optional>

#include "core/record/step_record.h"
#include "ui/chart/theme.h"

class QGridLayout;

namespace equipatch {

/// In whole pixels, because the rasterizer rounds font sizes to pixels.
QFont smallerFont(const QFont& font, int byPixels);

/// The passes' most likely tokens at a step: a column for each pass that was run, a row
/// for each rank. A sampled token that is less likely comes last in its pass's column,
/// without a probability. The last column may be the patched pass at another strength.
class ChoiceModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Contextual, Patched, Bare, Ablated, AtStrength };
  enum Role {
    ProbabilityRole = Qt::UserRole,  ///< double
    PassRole,                        ///< Column
    DiffersRole,  ///< bool: the contextual pass lacks this token at this rank
    SampledRole,  ///< bool: the token that the pass sampled
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// Copies the values that are shown; null clears the recorded passes' columns.
  void setStep(const StepRecord* record);
  /// Sets the patched pass at another strength; empty choices remove its column.
  void setAtStrength(const Choices& choices, const QString& heading);
  /// Leaves the unit out of the headings, for narrow columns.
  void setBrief(bool brief);
  /// The pass in a section of the table; a pass that was not run has no section.
  Column columnAt(int section) const;
  /// Null where the pass has no token at this rank.
  const Choice* choice(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  bool isShown(Column column) const {
    return column <= Patched || !m_choices[column].empty();
  }
  const Choice* choice(int row, Column column) const;
  QString headingOf(Column column) const;
  void addSampled(Column pass, TokenId id, const std::string& text);

  static constexpr int kColumns = AtStrength + 1;

  Choices m_choices[kColumns];
  std::optional<TokenId> m_sampled[kColumns];
  QString m_strengthHeading;
  bool m_brief = false;
};

/// Draws a token and its probability, as a number and as a bar. In a narrow cell the
/// token is shortened, never the number.
class ChoiceDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  ChoiceDelegate(const Theme& theme, QObject* parent);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;

  static int rowHeight(const QFontMetrics& metrics);
  /// Of a cell with a number and some letters of its token.
  static int leastWidth(const QFontMetrics& metrics);
  static QRectF bar(const QRectF& cell, double probability);

 private:
  const Theme& m_theme;
};

/// A small table of names (first column) and values. Type shrinks in a narrow place, so
/// that no number is cut.
class NumberGrid final : public QWidget {
  Q_OBJECT

 public:
  explicit NumberGrid(QWidget* parent = nullptr);

  /// Reuses the labels of earlier rows, because rows change at every step.
  void setRows(const QList<QStringList>& rows);
  QString text(int row, int column) const;
  int rowCount() const { return m_rows; }

  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QLabel* label(int row, int column);
  int widthIn(const QFont& font) const;
  void fit();

  QGridLayout* m_layout;
  int m_rows = 0;
};

}  // namespace equipatch
