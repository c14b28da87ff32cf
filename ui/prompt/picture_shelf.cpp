// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_shelf.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMetaObject>
#include <QRegularExpression>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUrl>
#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/image/picture.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

constexpr int kDaysKept = 30;

int kilobytesOf(const QImage& image) {
  return int(image.sizeInBytes() >> 10) + 1;
}

/// The decoded image; null if the file's content is missing or damaged.
QImage imageOf(const PictureFile& file) {
  try {
    const Picture picture =
        decodePicture(std::as_bytes(std::span(file.bytes)), file.name);
    const QImage image(picture.rgb.data(), int(picture.width), int(picture.height),
                       int(3 * picture.width), QImage::Format_RGB888);
    if (std::max(image.width(), image.height()) <= PictureShelf::kMostShown)
      return image.copy();
    return image.scaled(PictureShelf::kMostShown, PictureShelf::kMostShown,
                        Qt::KeepAspectRatio, Qt::SmoothTransformation);
  } catch (const Error&) {  // the window shows the file's name instead
    return {};
  }
}

QImage thumbnailOf(const QImage& image) {
  const QSize most = PictureShelf::kThumbnail;
  if (image.width() <= most.width() && image.height() <= most.height()) return image;
  return image.scaled(most, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

std::shared_ptr<const PictureFile> fileOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (!buffer.open(QIODevice::WriteOnly) ||
      !image.convertToFormat(QImage::Format_RGB888).save(&buffer, "PNG"))
    throw badInput(
        "the clipboard's image cannot be written as PNG; save it to a file "
        "and insert that");
  auto file = std::make_shared<PictureFile>(
      PictureFile{.name = "pasted.png", .sha256 = {}, .bytes = bytes.toStdString()});
  const auto content = std::as_bytes(std::span(file->bytes));
  decodePicture(content, "the clipboard's image");
  file->sha256 = sha256(content);
  return file;
}

}  // namespace

QStringList pictureFiles(const QMimeData& data) {
  static const QStringList suffixes = {QStringLiteral("png"),  QStringLiteral("jpg"),
                                       QStringLiteral("jpeg"), QStringLiteral("webp"),
                                       QStringLiteral("ppm"),  QStringLiteral("pgm"),
                                       QStringLiteral("pbm"),  QStringLiteral("pnm")};
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    const QString path = url.toLocalFile();
    if (!suffixes.contains(QFileInfo(path).suffix().toLower())) return {};
    paths << path;
  }
  return paths;
}

/// Sends results to the shelf's thread. Call on the worker's thread, which ends before
/// the shelf does.
class PictureShelf::Post final {
 public:
  explicit Post(PictureShelf& owner) : m_owner(owner) {}

  void image(const std::shared_ptr<const PictureFile>& picture) const {
    const QImage image = imageOf(*picture);
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, picture, image, thumbnail = thumbnailOf(image)] {
          owner->take(picture, image, thumbnail);
        },
        Qt::QueuedConnection);
  }
  void pictures(Pictures pictures, void (PictureShelf::*signal)(const Pictures&) =
                                       &PictureShelf::read) const {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, signal, pictures = std::move(pictures)] {
          Q_EMIT(owner->*signal)(pictures);
        },
        Qt::QueuedConnection);
  }
  void notLent(const Error& error) const {
    QMetaObject::invokeMethod(
        &m_owner,
        [owner = &m_owner, sentence = QString::fromUtf8(error.what())] {
          Q_EMIT owner->notLent(sentence);
        },
        Qt::QueuedConnection);
  }

 private:
  PictureShelf& m_owner;
};

namespace {

std::unique_ptr<Job> jobOf(std::function<void(Control&)> work) {
  return std::make_unique<FunctionJob>("Read images", std::move(work));
}

}  // namespace

PictureShelf::PictureShelf(QString folder, QObject* parent, int mostMemory)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_images(mostMemory),
      m_post(std::make_shared<Post>(*this)),
      m_worker(m_bridge) {
  m_bridge.followAll();  // a new job does not replace the earlier ones
  connect(&m_bridge, &WorkerBridge::failed, this, &PictureShelf::failed);
}

QString PictureShelf::folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
         QStringLiteral("/pictures");
}

QImage PictureShelf::image(const std::shared_ptr<const PictureFile>& picture) {
  const QString key = QString::fromStdString(picture->sha256);
  if (const QImage* known = m_images.object(key)) return *known;
  decode(key, picture);
  return {};
}

QImage PictureShelf::thumbnail(const std::shared_ptr<const PictureFile>& picture) {
  const QString key = QString::fromStdString(picture->sha256);
  if (const auto known = m_thumbnails.find(key); known != m_thumbnails.end()) {
    known->picture = picture;
    return known->image;
  }
  decode(key, picture);
  return {};
}

void PictureShelf::decode(const QString& sha256,
                          const std::shared_ptr<const PictureFile>& picture) {
  if (picture->bytes.empty() || m_waiting.contains(sha256)) return;
  m_waiting.insert(sha256);
  m_worker.start(jobOf([post = m_post, picture](Control&) { post->image(picture); }));
}

void PictureShelf::take(const std::shared_ptr<const PictureFile>& picture,
                        const QImage& image, const QImage& thumbnail) {
  const QString sha256 = QString::fromStdString(picture->sha256);
  m_waiting.remove(sha256);
  using Each = QHash<QString, Thumbnail>::iterator;
  m_thumbnails.removeIf([](Each each) { return each->picture.expired(); });
  m_thumbnails.insert(sha256, {picture, thumbnail});
  m_images.insert(sha256, new QImage(image), kilobytesOf(image));
  Q_EMIT decoded(sha256);
}

void PictureShelf::readFiles(const QStringList& paths) {
  m_worker.start(jobOf([post = m_post, paths](Control& control) {
    Pictures pictures;
    for (const QString& path : paths) {
      control.throwIfStopped();
      pictures.push_back(readPicture(path.toStdString()));
      post->image(pictures.back());
    }
    post->pictures(std::move(pictures));
  }));
}

void PictureShelf::lend(const QString& path) {
  m_worker.start(jobOf([post = m_post, path](Control&) {
    try {
      post->pictures({readPicture(path.toStdString())}, &PictureShelf::lent);
    } catch (...) {
      post->notLent(currentError("Read images"));
      throw;
    }
  }));
}

void PictureShelf::readImage(const QImage& image) {
  m_worker.start(
      jobOf([post = m_post, image](Control&) { post->pictures({fileOf(image)}); }));
}

std::shared_ptr<const PictureFile> PictureShelf::copyOf(const QString& name,
                                                        const QString& sha256) const {
  static const QRegularExpression digits(QStringLiteral("^[0-9a-f]{64}$"));
  if (!digits.match(sha256).hasMatch()) return nullptr;
  QFile file(m_folder + u'/' + sha256);
  if (file.size() > qint64(kMostPictureBytes) || !file.open(QIODevice::ReadOnly))
    return nullptr;
  PictureFile picture{.name = name.toStdString(),
                      .sha256 = sha256.toStdString(),
                      .bytes = file.readAll().toStdString()};
  const auto content = std::as_bytes(std::span(picture.bytes));
  if (equipatch::sha256(content) != picture.sha256) return nullptr;
  return std::make_shared<const PictureFile>(std::move(picture));
}

void PictureShelf::keepCopies(const Pictures& pictures) const {
  QSet<QString> kept;
  for (const auto& picture : pictures) {
    const QString name = QString::fromStdString(picture->sha256);
    kept.insert(name);
    const QFileInfo copy(m_folder + u'/' + name);
    const bool isComplete = copy.exists() && copy.size() == std::ssize(picture->bytes);
    if (picture->bytes.empty() || isComplete) continue;
    QDir().mkpath(m_folder);
    QSaveFile file(copy.filePath());
    if (file.open(QIODevice::WriteOnly) &&
        file.write(picture->bytes.data(), qint64(picture->bytes.size())) >= 0)
      file.commit();
  }
  const QDateTime old = QDateTime::currentDateTime().addDays(-kDaysKept);
  for (const QFileInfo& copy : QDir(m_folder).entryInfoList(QDir::Files)) {
    QFile file(copy.filePath());
    if (kept.contains(copy.fileName())) {
      if (file.open(QIODevice::ReadWrite))  // the copy's date records its last use
        file.setFileTime(QDateTime::currentDateTime(), QFileDevice::FileModificationTime);
    } else if (copy.lastModified() < old) {
      file.remove();
    }
  }
}

}  // namespace equipatch
