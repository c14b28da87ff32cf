// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/lesson_picture.h"

#include <QHBoxLayout>
#include <utility>

#include "ui/prompt/picture_dialog.h"

namespace equipatch {
namespace {

constexpr int kMapCharacters = 34;  // width of the map's settings

}  // namespace

LessonPicture::LessonPicture(const Theme& theme, PictureShelf& shelf,
                             PictureMapper& mapper, QWidget* parent)
    : QFrame(parent),
      m_theme(theme),
      m_shelf(shelf),
      m_mapper(mapper),
      m_empty(new QLabel(tr("The run on display has no image."), this)) {
  setObjectName(QStringLiteral("lessonPicture"));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(m_empty);
  connect(&shelf, &PictureShelf::decoded, this, [this](const QString& sha256) {
    if (m_picture && sha256 == QString::fromStdString(m_picture->sha256)) showImage();
  });
}

void LessonPicture::setRun(const RunModel& model, int step) {
  if (std::exchange(m_run, model.sharedHeader()) == model.sharedHeader() && m_page)
    return;
  delete std::exchange(m_page, nullptr);
  m_view = nullptr;
  m_map = nullptr;
  m_picture.reset();
  const bool has = m_run && !m_run->request.images.empty();
  m_empty->setVisible(!has);
  if (has)
    setSubject({.image = m_run->request.images.front(),
                .run = m_run->request,
                .recorded = m_run,
                .step = std::max(0, step)});
}

void LessonPicture::setSubject(const PictureSubject& subject) {
  m_picture = subject.image.picture;
  m_page = new QWidget(this);
  m_view = new PictureView(m_theme, m_page);
  auto* row = new QHBoxLayout(m_page);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_view, 1);
  const int side = tokensOnASide(subject.image.tokens);
  m_view->setSide(side);
  if (side > 1) {
    m_map = new PictureMapPanel(subject, side, m_mapper, m_page);
    m_map->setFixedWidth(fontMetrics().averageCharWidth() * kMapCharacters);
    row->addWidget(m_map, 0, Qt::AlignTop);
    connect(m_map, &PictureMapPanel::mapChanged, m_view, &PictureView::setMap);
    connect(m_map, &PictureMapPanel::opacityChanged, m_view, &PictureView::setMapOpacity);
    connect(m_map, &PictureMapPanel::ended, this, &LessonPicture::changed);
  }
  layout()->addWidget(m_page);
  showImage();
}

void LessonPicture::showImage() {
  if (m_view) m_view->setImage(m_shelf.image(m_picture));
}

QString LessonPicture::map(const RunModel& model, int step, const LessonImageMap& map) {
  delete std::exchange(m_page, nullptr);  // setRun() would keep the map of another step
  setRun(model, step);
  if (!m_map) return tr("The run on display has no image that can be mapped.");
  return m_map->start(map.cells, int(map.quantity));
}

const ImageMap* LessonPicture::mapped() const {
  return m_map && m_map->mapped() ? &m_map->mapped()->map : nullptr;
}

}  // namespace equipatch
