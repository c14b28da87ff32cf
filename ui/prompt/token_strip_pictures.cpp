// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDialog>
#include <QLabel>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/image/picture.h"
#include "ui/prompt/token_strip.h"

namespace equipatch {
namespace {

constexpr int kMostShown = 1600;  // pixels on the longer side of the large view
constexpr double kMostProportion = 4.0;
constexpr double kOfScreen = 0.8;

/// Null where the picture was left out of the run file or is damaged.
QImage imageOf(const PictureFile& file) {
  try {
    const Picture picture =
        decodePicture(std::as_bytes(std::span(file.bytes)), file.name);
    const QImage image(picture.rgb.data(), int(picture.width), int(picture.height),
                       int(3 * picture.width), QImage::Format_RGB888);
    if (std::max(image.width(), image.height()) <= kMostShown) return image.copy();
    return image.scaled(kMostShown, kMostShown, Qt::KeepAspectRatio,
                        Qt::SmoothTransformation);
  } catch (const Error&) {  // its name is shown in place of it
    return {};
  }
}

}  // namespace

void TokenStrip::readPictures() {
  m_pictures.clear();
  for (const PromptImage& image : request().images)
    m_pictures.push_back({image.tokens, QString::fromStdString(image.picture->name),
                          imageOf(*image.picture)});
}

const TokenStrip::ShownPicture* TokenStrip::pictureAt(int index) const {
  const auto found =
      std::ranges::find_if(m_pictures, [index](const ShownPicture& picture) {
        return picture.tokens.first <= index && index <= picture.tokens.last;
      });
  return found == m_pictures.end() ? nullptr : &*found;
}

/// A picture's first token has the chip; its other tokens have none.
void TokenStrip::addPictureToken(const ShownPicture& picture, int token) {
  if (token > picture.tokens.first) {
    m_geometry.appendHidden();
    m_chips.emplace_back();
    return;
  }
  if (picture.image.isNull()) return add({picture.name, {}});
  const double proportion =
      double(picture.image.width()) / double(picture.image.height());
  const int height = m_geometry.contentHeight() - 2 * TokenStripGeometry::kMargin;
  m_geometry.append(
      qRound(std::clamp(proportion, 1.0 / kMostProportion, kMostProportion) * height));
  m_chips.emplace_back();
}

/// Pictures take both rows.
QRect TokenStrip::pictureRect(int index) const {
  return m_geometry.chip(index).united(m_geometry.below(index));
}

void TokenStrip::paintPicture(QPainter& painter, const ShownPicture& picture) const {
  if (picture.image.isNull()) return paintPromptToken(painter, int(picture.tokens.first));
  const QRectF room = pictureRect(int(picture.tokens.first));
  QSizeF size(picture.image.size());
  size.scale(room.size(), Qt::KeepAspectRatio);
  QRectF place(QPointF(), size);
  place.moveCenter(room.center());
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawImage(place, picture.image);
}

QString TokenStrip::pictureToolTip(const ShownPicture& picture) const {
  const auto number = &picture - m_pictures.data() + 1;
  return tr("image %1: %2, tokens %3 to %4\n%5\n%6")
      .arg(number)
      .arg(picture.name)
      .arg(picture.tokens.first)
      .arg(picture.tokens.last)
      .arg(isKept(int(picture.tokens.first)) ? tr("kept: the patched pass still sees it")
                                             : tr("absorbed: the patch stands for it"),
           picture.image.isNull() ? tr("The run file has no such picture.")
                                  : tr("Click to see it large."));
}

void TokenStrip::openPicture(const ShownPicture& picture) {
  if (picture.image.isNull()) return;
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("pictureDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(picture.name);
  auto* label = new QLabel;
  const QSize most = screen()->availableSize() * kOfScreen;
  QPixmap pixmap = QPixmap::fromImage(picture.image);
  if (pixmap.width() > most.width() || pixmap.height() > most.height())
    pixmap = pixmap.scaled(most, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  label->setPixmap(pixmap);
  label->setAccessibleName(picture.name);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins({});
  layout->addWidget(label);
  layout->setSizeConstraint(QLayout::SetFixedSize);
  dialog->show();
}

}  // namespace equipatch
