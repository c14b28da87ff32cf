// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QPainter>
#include <algorithm>

#include "ui/prompt/picture_in_text.h"
#include "ui/prompt/token_strip.h"

namespace equipatch {

void TokenStrip::readPictures() {
  m_pictures.clear();
  const auto images = m_model.header() ? request().images : std::vector<PromptImage>();
  for (const PromptImage& image : images)
    m_pictures.push_back({image, QString::fromStdString(image.picture->name),
                          m_shelf.thumbnail(image.picture)});
  addPictureActions();
}

/// The strip's keys select steps only; these actions in its menu make the images
/// reachable from the keyboard.
void TokenStrip::addPictureActions() {
  qDeleteAll(m_pictureActions);
  m_pictureActions.clear();
  for (std::size_t i = 0; i < m_pictures.size(); ++i) {
    if (m_pictures[i].source.picture->bytes.empty()) continue;
    const QString name = QString(m_pictures[i].name).replace(u'&', QStringLiteral("&&"));
    auto* show = new QAction(tr("Show %1 large").arg(name), this);
    connect(show, &QAction::triggered, this,
            [this, i] { activatePicture(m_pictures[i]); });
    addAction(show);
    m_pictureActions << show;
  }
}

void TokenStrip::showDecoded(const QString& sha256) {
  const auto hasHash = [&](const ShownPicture& picture) {
    return sha256 == QString::fromStdString(picture.source.picture->sha256);
  };
  if (std::ranges::any_of(m_pictures, hasHash)) layOut();
}

const TokenStrip::ShownPicture* TokenStrip::pictureAt(int index) const {
  const auto found =
      std::ranges::find_if(m_pictures, [index](const ShownPicture& picture) {
        return picture.tokens().first <= index && index <= picture.tokens().last;
      });
  return found == m_pictures.end() ? nullptr : &*found;
}

/// An image's first token has the chip; its other tokens have none.
void TokenStrip::addPictureToken(const ShownPicture& picture, int token) {
  if (token > picture.tokens().first) {
    m_geometry.appendHidden();
    m_chips.emplace_back();
    return;
  }
  if (picture.image.isNull()) return add({picture.name, {}});
  const int height = m_geometry.contentHeight() - 2 * TokenStripGeometry::kMargin;
  m_geometry.append(thumbnailSize(picture.image, height).width());
  m_chips.emplace_back();
}

/// An image covers both rows: tokens and marks.
QRect TokenStrip::pictureRect(int index) const {
  return m_geometry.chip(index).united(m_geometry.below(index));
}

void TokenStrip::paintPicture(QPainter& painter, const ShownPicture& picture) const {
  if (picture.image.isNull())
    return paintPromptToken(painter, int(picture.tokens().first));
  drawThumbnail(painter, pictureRect(int(picture.tokens().first)), picture.image,
                picture.name, m_theme.colours());
}

QString TokenStrip::pictureToolTip(const ShownPicture& picture) const {
  const auto number = &picture - m_pictures.data() + 1;
  return tr("image %1: %2, tokens %3 to %4\n%5\n%6")
      .arg(QString::number(number), picture.name, QString::number(picture.tokens().first),
           QString::number(picture.tokens().last),
           isKept(int(picture.tokens().first))
               ? tr("kept: the patched pass still sees it")
               : tr("absorbed: the patch replaces it"),
           picture.source.picture->bytes.empty()
               ? tr("The run file does not contain this image.")
               : tr("Click to see it large."));
}

void TokenStrip::activatePicture(const ShownPicture& picture) {
  if (picture.source.picture->bytes.empty()) return;
  Q_EMIT pictureActivated({.image = picture.source,
                           .run = request(),
                           .recorded = m_model.sharedHeader(),
                           .step = std::max(0, m_selection.step())});
}

}  // namespace equipatch
