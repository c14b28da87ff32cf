// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QListView>
#include <QStringListModel>
#include <memory>

#include "ui/prompt/picture_map_panel.h"
#include "ui/prompt/picture_mapper.h"
#include "ui/prompt/picture_shelf.h"
#include "ui/prompt/picture_view.h"

namespace equipatch {

/// Shows an image of a prompt at a large size beside its tokens. Selecting a token
/// selects its square in the image, and vice versa. The dialog deletes itself when it is
/// closed.
class PictureDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param theme, shelf, mapper exist as long as the dialog handles events
  PictureDialog(const PictureSubject& subject, const Theme& theme, PictureShelf& shelf,
                PictureMapper& mapper, QWidget* parent = nullptr);

  PictureView& view() const { return *m_view; }
  QListView& tokens() const { return *m_tokens; }
  /// Null unless the image's tokens form a square of at least 2 × 2.
  PictureMapPanel* map() const { return m_map; }

 private:
  void fillTokens();
  void showImage();
  void showSquare(int square);

  PromptImage m_image;
  PictureShelf& m_shelf;
  PictureView* m_view;
  QListView* m_tokens;
  PictureMapPanel* m_map = nullptr;
  QStringListModel m_names;
};

/// The number of tokens on a side of the square that an image's tokens form; 0: they form
/// no square.
int tokensOnASide(const PositionRange& tokens);

}  // namespace equipatch
