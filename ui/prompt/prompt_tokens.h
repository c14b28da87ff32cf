// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QListView>
#include <QStyledItemDelegate>
#include <string>

#include "ui/chart/theme.h"
#include "ui/prompt/absorbed_marks.h"

namespace equipatch {

/// The tokens of a prompt, including special ones outside its text, and their marks.
class PromptTokenModel final : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    KeptRole = Qt::UserRole,  ///< bool
    SpecialRole,              ///< bool
  };

  /// @param marks outlives the model.
  explicit PromptTokenModel(const AbsorbedMarks& marks, QObject* parent = nullptr)
      : QAbstractListModel(parent), m_marks(marks) {}

  /// @param text that the tokens were made from
  void tokensChanged(std::string text);
  void marksChanged();

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  const AbsorbedMarks& m_marks;
  std::string m_text;
  int m_rows = 0;
};

/// Draws a prompt token as a tinted chip, with a bracket under kept ones.
class PromptTokenDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  explicit PromptTokenDelegate(const Theme& theme, QObject* parent = nullptr);

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;

 private:
  const Theme& m_theme;
};

/// The tokens of the prompt as chips that can be selected.
class PromptTokens final : public QListView {
  Q_OBJECT

 public:
  PromptTokens(PromptTokenModel& model, const Theme& theme, QWidget* parent = nullptr);

  /// The indices of the selected tokens, ascending.
  QList<int> chosen() const;
  void choose(int first, int last);  ///< selects nothing if first > last

  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosenChanged();

 protected:
  void selectionChanged(const QItemSelection& selected,
                        const QItemSelection& deselected) override;
};

}  // namespace equipatch
