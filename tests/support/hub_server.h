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

struct HubRequest {
  bool atStorage = false;  ///< sent to `storage()`, not to `endpoint()`
  QByteArray method;
  QByteArray path;
  QMap<QByteArray, QByteArray> fields;  ///< HTTP headers, by name in lower case
};

struct HubReply {
  int status = 200;
  QList<QPair<QByteArray, QByteArray>> fields;
  QByteArray body;
  qint64 cut = -1;  ///< bytes of the body before the connection closes; −1: all
};

/// Imitates the Hugging Face hub for one model, on the thread that constructs the server.
/// Sends small files itself and redirects requests for large files to a storage on
/// another port.
class HubServer : public QObject {
 public:
  HubServer();
  ~HubServer() override;

  QString endpoint() const;
  QString storage() const;
  static QByteArray commit() { return QByteArray(40, 'c'); }

  QByteArray repository = "owner/tiny";
  QMap<QByteArray, QByteArray> files;  ///< by name
  QByteArray token;                    ///< that the hub requires; empty: none
  qint64 largeFrom = 10'000;           ///< size in bytes from which a file is large
  qint64 piece = 1 << 20;              ///< bytes per write to a socket
  /// Once `bodyBytes` reaches this, the storage stops sending but keeps its connections
  /// open; −1: never.
  qint64 pauseAt = -1;
  /// Called before each reply is sent; may change the reply.
  std::function<void(const HubRequest&, HubReply&)> change;

  QList<HubRequest> requests;
  /// The Range headers of the GET requests for a file, in order; empty where missing.
  QByteArrayList rangesOf(const QByteArray& name) const;
  qint64 bodyBytes = 0;  ///< sent by the storage so far

 private:
  void serve(QTcpServer& server, bool atStorage);
  void answer(QTcpSocket& socket, const HubRequest& request);
  HubReply replyTo(const HubRequest& request) const;
  HubReply description() const;
  HubReply file(const HubRequest& request, const QByteArray& name) const;

  // Pointers, because Qt Network's preprocessor definitions would keep tests from sharing
  // a precompiled header.
  std::unique_ptr<QTcpServer> m_hub;
  std::unique_ptr<QTcpServer> m_storage;
};

/// The file's hash on the hub: SHA-256 for a large file, git's blob hash for a small one.
QByteArray hubHash(const QByteArray& bytes, bool isLarge);

}  // namespace equipatch::test
