#pragma once

#include <QListView>
#include <QStyledItemDelegate>

#include "ui/chart/theme.h"
#include "ui/prompt/prompt_token_model.h"

namespace equipatch {

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
  void choose(int first, int last);  ///< first > last: nothing

  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosenChanged();

 protected:
  void selectionChanged(const QItemSelection& selected,
                        const QItemSelection& deselected) override;
};

}  // namespace equipatch
