// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QHash>
#include <QImage>
#include <QMimeData>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <memory>

#include "core/run/prompt_images.h"
#include "core/work/worker.h"
#include "ui/work/worker_bridge.h"

namespace equipatch {

/// The dragged or pasted files; none if any file lacks the suffix of a supported image
/// format.
QStringList pictureFiles(const QMimeData& data);

/// Reads and decodes the window's images on a worker of its own, and caches them. Copies
/// images of the prompt into a folder, so that the prompt can be restored after a
/// restart. Lives on the window's thread.
class PictureShelf final : public QObject {
  Q_OBJECT

 public:
  /// The most pixels on an image's longer side; larger images are scaled down.
  static constexpr int kMostShown = 1600;

  /// The largest thumbnail, in pixels: as high as three lines of a large font on a
  /// high-density screen, and four times as wide.
  static constexpr QSize kThumbnail{768, 192};
  /// Memory for decoded images, in KB, without thumbnails.
  static constexpr int kMostMemory = 256 << 10;

  /// @param folder for copies; created with the first copy
  explicit PictureShelf(QString folder, QObject* parent = nullptr,
                        int mostMemory = kMostMemory);
  /// The folder for copies in the user's data.
  static QString folder();

  /// The decoded image; null while it is being decoded (`decoded` follows), and if it
  /// cannot be decoded. Keep the image while you show it: the cache may drop it.
  QImage image(const std::shared_ptr<const PictureFile>& picture);
  /// The image, scaled down to `kThumbnail` if it is larger; null in the same cases as
  /// `image`. The shelf keeps the thumbnail while the `picture` of the last call exists.
  QImage thumbnail(const std::shared_ptr<const PictureFile>& picture);

  /// Reads and checks files; `read` follows, or `failed` if any file cannot be read.
  void readFiles(const QStringList& paths);
  /// Reads and checks a file for a caller that puts it into the prompt itself. Either
  /// `lent` follows, or `notLent` and `failed`.
  void lend(const QString& path);
  /// Encodes an image from the clipboard as PNG; `read` or `failed` follows.
  void readImage(const QImage& image);

  /// The copy of an image; null if it is missing or has changed.
  std::shared_ptr<const PictureFile> copyOf(const QString& name,
                                            const QString& sha256) const;
  /// Writes the copies of `pictures` that are missing or have the wrong size; ignores
  /// failures. Removes copies of other images that were not used for 30 days.
  void keepCopies(const Pictures& pictures) const;

 Q_SIGNALS:
  void decoded(const QString& sha256);
  /// @param pictures in the order given to readFiles
  void read(const equipatch::Pictures& pictures);
  void lent(const equipatch::Pictures& pictures);
  void notLent(const QString& sentence);
  void failed(const QString& sentence);

 private:
  class Post;
  struct Thumbnail {
    std::weak_ptr<const PictureFile> picture;  ///< the file of the last request
    QImage image;
  };

  void decode(const QString& sha256, const std::shared_ptr<const PictureFile>& picture);
  void take(const std::shared_ptr<const PictureFile>& picture, const QImage& image,
            const QImage& thumbnail);

  QString m_folder;
  QCache<QString, QImage> m_images;        ///< by SHA-256; its costs are in KB
  QHash<QString, Thumbnail> m_thumbnails;  ///< by SHA-256
  QSet<QString> m_waiting;                 ///< SHA-256 of images that are being decoded
  std::shared_ptr<Post> m_post;
  WorkerBridge m_bridge;  // must outlive the worker
  Worker m_worker;
};

}  // namespace equipatch
