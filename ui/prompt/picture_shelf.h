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

  /// The most pixels on the sides of a thumbnail: three lines of text, four times as wide
  /// as high, also with a large font on a screen of high density.
  static constexpr QSize kThumbnail{768, 192};
  /// KB of images that are kept decoded, besides thumbnails.
  static constexpr int kMostMemory = 256 << 10;

  /// @param folder of the copies; made when it is needed
  explicit PictureShelf(QString folder, QObject* parent = nullptr,
                        int mostMemory = kMostMemory);
  /// Where the window keeps copies.
  static QString folder();

  /// The decoded image. It is null while it is being decoded (`decoded` follows), and if
  /// the image cannot be shown. Keep it while it is shown: other images may displace it.
  QImage image(const std::shared_ptr<const PictureFile>& picture);
  /// The image, scaled down to `kThumbnail`; null like `image`. No other image displaces
  /// it while somebody has the file, so any number can be shown side by side.
  QImage thumbnail(const std::shared_ptr<const PictureFile>& picture);

  /// Reads and checks files; `read` follows, or `failed` if one cannot be read.
  void readFiles(const QStringList& paths);
  /// Reads and checks a file that does not go into the prompt at once; `lent`, or
  /// `notLent` and `failed`, follows.
  void lend(const QString& path);
  /// Makes a file of an image from the clipboard; `read` or `failed` follows.
  void readImage(const QImage& image);

  /// The copy of an image; null if it is missing or has changed.
  std::shared_ptr<const PictureFile> copyOf(const QString& name,
                                            const QString& sha256) const;
  /// Makes those copies of images that are missing or have another size, and removes
  /// copies of other images that were not used for a month. Ignores copies that cannot be
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
    std::weak_ptr<const PictureFile> picture;  ///< that was asked for last
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
