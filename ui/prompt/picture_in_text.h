// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QTextObjectInterface>
#include <memory>

#include "core/record/prompt_image.h"
#include "ui/chart/theme.h"
#include "ui/prompt/picture_shelf.h"

namespace equipatch {

/// The format of a character, U+FFFC, that stands for an image in a text document.
QTextCharFormat pictureFormat(std::shared_ptr<const PictureFile> picture);
/// The image of a `pictureFormat`; null for any other format.
std::shared_ptr<const PictureFile> pictureOf(const QTextFormat& format);

/// Draws the images of a text document as thumbnails.
class PictureInText final : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

 public:
  /// @param document becomes the parent
  /// @param theme outlives this object
  PictureInText(QTextDocument& document, const Theme& theme, PictureShelf& shelf);

  QSizeF intrinsicSize(QTextDocument* document, int position,
                       const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document,
                  int position, const QTextFormat& format) override;

 private:
  QImage imageOf(const std::shared_ptr<const PictureFile>& picture) const;
  /// Lays out an image's thumbnails again: decoding determines their size.
  void layOut(const QString& sha256);

  QTextDocument& m_document;
  const Theme& m_theme;
  QPointer<PictureShelf> m_shelf;  ///< null while the window is being destroyed
};

/// Height of thumbnails, in lines of text.
inline constexpr int kThumbnailLines = 3;

/// The size of a thumbnail of this height, whose longer side is at most four times the
/// shorter one; a null image gets a square.
QSize thumbnailSize(const QImage& image, int height);

/// Draws an image into `place` without changing its proportions; for a null image, draws
/// a box with `name`.
void drawThumbnail(QPainter& painter, const QRectF& place, const QImage& image,
                   const QString& name, const Colours& colours);

}  // namespace equipatch
