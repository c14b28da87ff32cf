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

/// The dragged or pasted files if all of them have the suffix of an image that a prompt
/// can contain; otherwise none.
QStringList pictureFiles(const QMimeData& data);

/// The images that the window shows, and those that the user inserts into the prompt. A
/// separate worker reads and decodes them. Inserted images are copied into a folder of
/// the user's data, so that the prompt can be restored after a restart. Lives on the
/// window's thread.
class PictureShelf final : public QObject {
  Q_OBJECT

 public:
  /// The most pixels on the longer side of an image; larger ones are scaled down.
  static constexpr int kMostShown = 1600;

  /// The largest thumbnail, in pixels. It has room for three lines of text in height and
  /// four times that in width, even with a large font on a high-density screen.
  static constexpr QSize kThumbnail{768, 192};
  /// Memory for decoded images, in KB, not counting thumbnails.
  static constexpr int kMostMemory = 256 << 10;

  /// @param folder the folder for copies; created when the first copy is written
  explicit PictureShelf(QString folder, QObject* parent = nullptr,
                        int mostMemory = kMostMemory);
  /// Where the window keeps copies.
  static QString folder();

  /// The decoded image. It is null while it is being decoded (`decoded` follows), and if
  /// the image cannot be shown. Callers keep it while they show it: other images may
  /// displace it in the cache.
  QImage image(const std::shared_ptr<const PictureFile>& picture);
  /// The image scaled down to `kThumbnail`; null in the same cases as `image`. The shelf
  /// keeps a thumbnail as long as somebody holds its file, so any number of thumbnails
  /// can be shown side by side.
  QImage thumbnail(const std::shared_ptr<const PictureFile>& picture);

  /// Reads and checks files; `read` follows, or `failed` if one cannot be read.
  void readFiles(const QStringList& paths);
  /// Reads and checks a file for a caller that puts it into the prompt itself; `lent`, or
  /// `notLent` and `failed`, follows.
  void lend(const QString& path);
  /// Encodes an image from the clipboard as PNG; `read` or `failed` follows.
  void readImage(const QImage& image);

  /// The copy of an image; null if it is missing or has changed.
  std::shared_ptr<const PictureFile> copyOf(const QString& name,
                                            const QString& sha256) const;
  /// Writes the copies of `pictures` that are missing or have the wrong size. Removes
  /// copies of other images that were not used for a month. Skips copies that cannot be
  /// written.
  void keepCopies(const Pictures& pictures) const;

 Q_SIGNALS:
  void decoded(const QString& sha256);
  /// Files, or the clipboard's image, have been read; `pictures` has the order of the
  /// files.
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
  WorkerBridge m_bridge;  // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
