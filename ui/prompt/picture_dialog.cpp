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

PictureDialog::PictureDialog(const PromptImage& image, const Theme& theme,
                             PictureShelf& shelf, QWidget* parent)
    : QDialog(parent),
      m_image(image),
      m_shelf(shelf),
      m_view(new PictureView(theme, this)),
      m_tokens(new QListView(this)) {
  setObjectName(QStringLiteral("pictureDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(QString::fromStdString(image.picture->name));
  m_tokens->setObjectName(QStringLiteral("pictureTokens"));
  m_tokens->setAccessibleName(tr("Tokens of the image"));
  m_tokens->setModel(&m_names);
  m_tokens->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_tokens->setUniformItemSizes(true);
  m_tokens->setMaximumWidth(fontMetrics().averageCharWidth() * 34);
  auto* row = new QHBoxLayout(this);
  row->addWidget(m_view, 1);
  row->addWidget(m_tokens);
  fillTokens();
  connect(m_view, &PictureView::squarePicked, this, &PictureDialog::showSquare);
  connect(m_tokens->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& token) { m_view->pick(token.row()); });
  connect(&shelf, &PictureShelf::decoded, this, &PictureDialog::showImage);
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
  m_tokens->setVisible(!names.isEmpty());
  m_view->setSide(side);
}

void PictureDialog::showImage() {
  m_view->setImage(m_shelf.image(m_image.picture));
}

void PictureDialog::showSquare(int square) {
  m_tokens->setCurrentIndex(m_names.index(square));
}

}  // namespace equipatch
