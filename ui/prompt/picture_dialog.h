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

/// Shows an image of a prompt, large, beside its tokens. Selecting a token marks its
/// square in the image, and clicking a square selects its token. `PictureMapPanel` is
/// below the tokens. The dialog deletes itself when it is closed.
class PictureDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param theme, shelf, mapper outlive the dialog
  PictureDialog(const PictureSubject& subject, const Theme& theme, PictureShelf& shelf,
                PictureMapper& mapper, QWidget* parent = nullptr);

  PictureView& view() const { return *m_view; }
  QListView& tokens() const { return *m_tokens; }
  /// Null for an image whose tokens form no square of 2 × 2 or more.
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

/// The number of image tokens on a side of the square that they form; 0 if they form no
/// square.
int tokensOnASide(const PositionRange& tokens);

}  // namespace equipatch
