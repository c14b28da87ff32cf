// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
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

  /// @param folder of the copies; made when it is needed
  explicit PictureShelf(QString folder, QObject* parent = nullptr);
  /// Where the window keeps copies.
  static QString folder();

  /// The decoded image. It is null while it is being decoded (`decoded` follows), and if
  /// the image cannot be shown.
  QImage image(const std::shared_ptr<const PictureFile>& picture);

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

  void take(const QString& sha256, const QImage& image);

  QString m_folder;
  QCache<QString, QImage> m_images;  ///< by SHA-256; its costs are in KB
  QSet<QString> m_waiting;           ///< SHA-256 of images that are being decoded
  std::shared_ptr<Post> m_post;
  WorkerBridge m_bridge;  // declared before the worker, which it outlives
  Worker m_worker;
};

}  // namespace equipatch
