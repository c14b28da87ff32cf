// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_in_text.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetrics>
#include <QPainter>
#include <QTextBlock>
#include <QTextDocument>
#include <QVariant>
#include <algorithm>
#include <utility>

namespace equipatch {
namespace {

using PicturePointer = std::shared_ptr<const PictureFile>;
constexpr int kPictureObject = QTextFormat::UserObject + 1;
constexpr int kPictureProperty = QTextFormat::UserProperty + 1;
constexpr double kMostProportion = 4.0;  // of a thumbnail's longer to its shorter side

}  // namespace

QTextCharFormat pictureFormat(PicturePointer picture) {
  QTextCharFormat format;
  format.setObjectType(kPictureObject);
  format.setVerticalAlignment(QTextCharFormat::AlignMiddle);
  format.setProperty(kPictureProperty, QVariant::fromValue(std::move(picture)));
  return format;
}

PicturePointer pictureOf(const QTextFormat& format) {
  return format.property(kPictureProperty).value<PicturePointer>();
}

PictureInText::PictureInText(QTextDocument& document, const Theme& theme,
                             PictureShelf& shelf)
    : QObject(&document), m_document(document), m_theme(theme), m_shelf(&shelf) {
  document.documentLayout()->registerHandler(kPictureObject, this);
  connect(&shelf, &PictureShelf::decoded, this, &PictureInText::layOut);
}

QSizeF PictureInText::intrinsicSize(QTextDocument* document, int,
                                    const QTextFormat& format) {
  const PicturePointer picture = pictureOf(format);
  const int height = kThumbnailLines * QFontMetrics(document->defaultFont()).height();
  return thumbnailSize(picture ? imageOf(picture) : QImage(), height);
}

void PictureInText::drawObject(QPainter* painter, const QRectF& place, QTextDocument*,
                               int, const QTextFormat& format) {
  if (const PicturePointer picture = pictureOf(format))
    drawThumbnail(*painter, place.adjusted(1, 1, -1, -1), imageOf(picture),
                  QString::fromStdString(picture->name), m_theme.colours());
}

QImage PictureInText::imageOf(const PicturePointer& picture) const {
  return m_shelf ? m_shelf->thumbnail(picture) : QImage();
}

void PictureInText::layOut(const QString& sha256) {
  for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next())
    for (auto part = block.begin(); !part.atEnd(); ++part) {
      const QTextFragment fragment = part.fragment();
      const PicturePointer picture = pictureOf(fragment.charFormat());
      if (picture && sha256 == QString::fromStdString(picture->sha256))
        m_document.markContentsDirty(fragment.position(), fragment.length());
    }
}

QSize thumbnailSize(const QImage& image, int height) {
  if (image.isNull()) return {height, height};
  const double proportion = double(image.width()) / double(image.height());
  return {qRound(std::clamp(proportion, 1.0 / kMostProportion, kMostProportion) * height),
          height};
}

void drawThumbnail(QPainter& painter, const QRectF& place, const QImage& image,
                   const QString& name, const Colours& colours) {
  painter.save();
  if (image.isNull()) {
    painter.setPen(colours.muted);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place);
    painter.drawText(
        place.adjusted(2, 0, -2, 0), Qt::AlignCenter,
        painter.fontMetrics().elidedText(name, Qt::ElideMiddle, int(place.width()) - 4));
  } else {
    QSizeF size(image.size());
    size.scale(place.size(), Qt::KeepAspectRatio);
    QRectF within(QPointF(), size);
    within.moveCenter(place.center());
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(within, image);
  }
  painter.restore();
}

}  // namespace equipatch
