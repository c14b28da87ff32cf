// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QObject>
#include <functional>
#include <memory>

class QTcpServer;
class QTcpSocket;

namespace equipatch::test {

struct HubQuestion {
  bool atStorage = false;  ///< sent to the storage origin
  QByteArray method;
  QByteArray path;
  QMap<QByteArray, QByteArray> fields;  ///< by name in lower case
};

struct HubReply {
  int status = 200;
  QList<QPair<QByteArray, QByteArray>> fields;
  QByteArray body;
  qint64 cut = -1;  ///< the connection closes after this many bytes of the body; −1: all
};

/// Behaves like the Hugging Face hub for one model, on this thread: lists files, sends
/// small ones itself and redirects large ones to storage on another origin.
class HubServer : public QObject {
 public:
  HubServer();
  ~HubServer() override;

  QString endpoint() const;
  QString storage() const;
  static QByteArray commit() { return QByteArray(40, 'c'); }

  QByteArray repository = "owner/tiny";
  QMap<QByteArray, QByteArray> files;  ///< by name
  QByteArray token;                    ///< the required one; empty: none
  qint64 largeFrom = 10'000;           ///< files of at least this size are in the storage
  qint64 piece = 1 << 20;              ///< bytes that are sent at once
  /// The storage sends no more, and leaves connections open, once `bodyBytes` reaches
  /// this; −1: never.
  qint64 pauseAt = -1;
  /// Called with each reply, which it may change.
  std::function<void(const HubQuestion&, HubReply&)> change;

  QList<HubQuestion> questions;  ///< so far
  /// The Range fields of the requests for a file's content, in order.
  QByteArrayList rangesOf(const QByteArray& name) const;
  qint64 bodyBytes = 0;  ///< sent by the storage so far

 private:
  void serve(QTcpServer& server, bool atStorage);
  void answer(QTcpSocket& socket, const HubQuestion& question);
  HubReply replyTo(const HubQuestion& question) const;
  HubReply description() const;
  HubReply file(const HubQuestion& question, const QByteArray& name) const;

  // Pointers, because Qt Network's definitions would keep tests from sharing a
  // precompiled header.
  std::unique_ptr<QTcpServer> m_hub;
  std::unique_ptr<QTcpServer> m_storage;
};

/// The file's hash on the hub: SHA-256 for a large file, git's blob hash for a small one.
QByteArray hubHash(const QByteArray& bytes, bool isLarge);

}  // namespace equipatch::test
