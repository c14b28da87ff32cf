// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QListView>
#include <QStringListModel>
#include <memory>

#include "ui/prompt/picture_shelf.h"
#include "ui/prompt/picture_view.h"

namespace equipatch {

/// An image of a prompt, large, beside its tokens: picking a token shows its square of
/// the picture, and the other way round.
class PictureDialog : public QDialog {
  Q_OBJECT

 public:
  /// @param image whose tokens may not be known: then the range's last is before its
  /// first
  /// @param theme, shelf outlive the dialog
  PictureDialog(const PromptImage& image, const Theme& theme, PictureShelf& shelf,
                QWidget* parent = nullptr);

  PictureView& view() const { return *m_view; }
  QListView& tokens() const { return *m_tokens; }

 private:
  void fillTokens();
  void showImage();
  void showSquare(int square);

  PromptImage m_image;
  PictureShelf& m_shelf;
  PictureView* m_view;
  QListView* m_tokens;
  QStringListModel m_names;
};

/// Image tokens on a side of their square; 0 where they do not make a square.
int tokensOnASide(const PositionRange& tokens);

}  // namespace equipatch
