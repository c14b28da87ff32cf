// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QImage>
#include <QListView>
#include <QStyledItemDelegate>
#include <memory>
#include <string>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/absorbed_marks.h"
#include "ui/prompt/picture_shelf.h"

namespace equipatch {

struct PictureChip {
  QImage image;  ///< null while it is being decoded, and if it cannot be shown
  QString name;
};

/// A row for each token of a prompt, with its mark.
class PromptTokenModel final : public QAbstractListModel {
  Q_OBJECT

 public:
  enum Role {
    KeptRole = Qt::UserRole,  ///< bool
    SpecialRole,              ///< bool
    PictureRole,              ///< PictureChip; the same for all tokens of an image
    LastTokenRole,            ///< int: the token itself, or its image's last token
  };

  /// @param marks, shelf outlive the model.
  PromptTokenModel(const AbsorbedMarks& marks, PictureShelf& shelf,
                   QObject* parent = nullptr);

  /// Call after the tokens of `marks` have changed.
  /// @param text the text from which the tokens were made
  void tokensChanged(std::string text, std::vector<PromptImage> images = {});
  void marksChanged();
  /// Null if the token belongs to no image.
  std::shared_ptr<const PictureFile> pictureOf(int token) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  const PromptImage* imageOf(int token) const;
  QString toolTipOf(int token, const QString& text) const;

  const AbsorbedMarks& m_marks;
  PictureShelf& m_shelf;
  std::string m_text;
  std::vector<PromptImage> m_images;
  int m_rows = 0;
};

/// Draws a token as a tinted chip and an image as a thumbnail, and a bracket under each
/// chip whose tokens are kept.
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

/// The tokens of the prompt as selectable chips; all tokens of an image share one chip.
class PromptTokens final : public QListView {
  Q_OBJECT

 public:
  /// @param model, theme outlive the view
  PromptTokens(PromptTokenModel& model, const Theme& theme, QWidget* parent = nullptr);

  /// Ascending indices of the selected tokens, including all tokens of selected images.
  QList<int> chosen() const;
  void choose(int first, int last);  ///< selects nothing if first > last
  void hideTokensWithinImages(const std::vector<PromptImage>& images);

  QSize sizeHint() const override;

 Q_SIGNALS:
  void chosenChanged();
  void pictureClicked(int token);  ///< the first token of the image
  /// The first of the two clicks has already emitted `pictureClicked`.
  void pictureDoubleClicked(int token);
  void pictureEntered(int token);  ///< with the Enter key

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void selectionChanged(const QItemSelection& selected,
                        const QItemSelection& deselected) override;

 private:
  int pictureAt(const QMouseEvent& event) const;

  std::vector<PositionRange> m_images;
  // First tokens of images; −1: none.
  int m_pressed = -1;  ///< the mouse button went down on this image
  int m_clicked = -1;  ///< the last click was on this image
};

}  // namespace equipatch
