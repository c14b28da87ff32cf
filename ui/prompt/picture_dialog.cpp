// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_dialog.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <cmath>

namespace equipatch {

int tokensOnASide(const PositionRange& tokens) {
  const auto count = double(tokens.last - tokens.first + 1);
  if (count < 1.0) return 0;
  const int side = int(std::lround(std::sqrt(count)));
  return double(side) * double(side) == count ? side : 0;
}

PictureDialog::PictureDialog(const PictureSubject& subject, const Theme& theme,
                             PictureShelf& shelf, PictureMapper& mapper, QWidget* parent)
    : QDialog(parent),
      m_image(subject.image),
      m_shelf(shelf),
      m_view(new PictureView(theme, this)),
      m_tokens(new QListView(this)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(QString::fromStdString(m_image.picture->name));
  m_tokens->setObjectName(QStringLiteral("pictureTokens"));
  m_tokens->setAccessibleName(tr("Tokens of the image"));
  m_tokens->setModel(&m_names);
  m_tokens->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tokens->setUniformItemSizes(true);
  fillTokens();
  auto* side = new QWidget(this);
  side->setFixedWidth(fontMetrics().averageCharWidth() * 36);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_tokens, 1);
  if (const int tokens = tokensOnASide(m_image.tokens); tokens > 1) {
    m_map = new PictureMapPanel(subject, tokens, mapper, side);
    column->addWidget(m_map);
    connect(m_map, &PictureMapPanel::mapChanged, m_view, &PictureView::setMap);
    connect(m_map, &PictureMapPanel::opacityChanged, m_view, &PictureView::setMapOpacity);
  }
  side->setVisible(m_names.rowCount() > 0);
  auto* row = new QHBoxLayout(this);
  row->addWidget(m_view, 1);
  row->addWidget(side);
  connect(m_view, &PictureView::squareSelected, this, &PictureDialog::showSquare);
  connect(m_tokens->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& token) { m_view->select(token.row()); });
  connect(&shelf, &PictureShelf::decoded, this, [this](const QString& sha256) {
    if (sha256 == QString::fromStdString(m_image.picture->sha256)) showImage();
  });
  showImage();
}

void PictureDialog::fillTokens() {
  const PositionRange& range = m_image.tokens;
  const int side = tokensOnASide(range);
  QStringList names;
  for (auto token = range.first; token <= range.last; ++token) {
    const int square = int(token - range.first);
    names << (side == 0 ? tr("token %1").arg(token)
                        : tr("token %1: row %2, column %3")
                              .arg(token)
                              .arg(square / side + 1)
                              .arg(square % side + 1));
  }
  m_names.setStringList(names);
  m_view->setSide(side);
}

void PictureDialog::showImage() {
  m_view->setImage(m_shelf.image(m_image.picture));
}

void PictureDialog::showSquare(int square) {
  m_tokens->setCurrentIndex(m_names.index(square));
}

}  // namespace equipatch
