// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/hub_server.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <memory>

namespace equipatch::test {

QByteArray hubHash(const QByteArray& bytes, bool isLarge) {
  if (isLarge) return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
  const QByteArray head = "blob " + QByteArray::number(bytes.size()) + '\0';
  return QCryptographicHash::hash(head + bytes, QCryptographicHash::Sha1).toHex();
}

HubServer::HubServer()
    : m_hub(std::make_unique<QTcpServer>()), m_storage(std::make_unique<QTcpServer>()) {
  serve(*m_hub, false);
  serve(*m_storage, true);
}

HubServer::~HubServer() = default;

QString HubServer::endpoint() const {
  return QStringLiteral("http://127.0.0.1:%1").arg(m_hub->serverPort());
}

QString HubServer::storage() const {
  return QStringLiteral("http://127.0.0.1:%1").arg(m_storage->serverPort());
}

QByteArrayList HubServer::rangesOf(const QByteArray& name) const {
  QByteArrayList ranges;
  for (const HubRequest& request : requests)
    if (request.method == "GET" && request.path.endsWith('/' + name))
      ranges += request.fields["range"];
  return ranges;
}

void HubServer::serve(QTcpServer& server, bool atStorage) {
  if (!server.listen(QHostAddress::LocalHost)) qFatal("no port is free");
  connect(&server, &QTcpServer::newConnection, this, [this, &server, atStorage] {
    QTcpSocket* socket = server.nextPendingConnection();
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    const auto received = std::make_shared<QByteArray>();
    connect(socket, &QTcpSocket::readyRead, this, [=, this] {
      *received += socket->readAll();
      const qsizetype end = received->indexOf("\r\n\r\n");
      if (end < 0) return;
      const QList<QByteArray> lines = received->left(end).split('\n');
      received->clear();
      const QList<QByteArray> first = lines.front().split(' ');
      HubRequest request{atStorage, first.value(0), first.value(1), {}};
      for (const QByteArray& line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        request.fields[line.left(colon).toLower()] = line.mid(colon + 1).trimmed();
      }
      requests += request;
      answer(*socket, request);
    });
  });
}

void HubServer::answer(QTcpSocket& socket, const HubRequest& request) {
  HubReply reply = replyTo(request);
  if (change) change(request, reply);
  QByteArray head = "HTTP/1.1 " + QByteArray::number(reply.status) + " Status\r\n";
  bool hasLength = false;
  for (const auto& [name, value] : reply.fields) {
    head += name + ": " + value + "\r\n";
    hasLength = hasLength || name == "Content-Length";
  }
  if (!hasLength)
    head += "Content-Length: " + QByteArray::number(reply.body.size()) + "\r\n";
  if (request.method == "HEAD") reply.body.clear();
  if (reply.cut >= 0) reply.body.truncate(reply.cut);
  const auto rest = std::make_shared<QByteArray>(reply.body);
  const bool atStorage = request.atStorage;
  // The next piece follows when the previous one was sent.
  connect(&socket, &QTcpSocket::bytesWritten, this, [=, this, &socket] {
    if (socket.bytesToWrite() > 0) return;
    if (rest->isEmpty()) return socket.disconnectFromHost();
    if (atStorage && pauseAt >= 0 && bodyBytes >= pauseAt) return;
    const QByteArray next = rest->left(piece);
    rest->remove(0, next.size());
    if (atStorage) bodyBytes += next.size();
    socket.write(next);
  });
  socket.write(head + "Connection: close\r\n\r\n");
}

HubReply HubServer::replyTo(const HubRequest& request) const {
  const QByteArray path = QByteArray::fromPercentEncoding(request.path);
  const bool isAllowed =
      token.isEmpty() || request.fields["authorization"] == "Bearer " + token;
  if (request.atStorage) return file(request, path.mid(1));
  if (!isAllowed) return {401, {{"X-Error-Code", "RepoNotFound"}}, {}};
  if (path == "/api/models/" + repository + "/revision/main") return description();
  const QByteArray files = "/" + repository + "/resolve/" + commit() + "/";
  if (path.startsWith(files)) return file(request, path.mid(files.size()));
  const bool isKnown = path.contains(repository);
  return {404, {{"X-Error-Code", isKnown ? "RevisionNotFound" : "RepoNotFound"}}, {}};
}

HubReply HubServer::description() const {
  QJsonArray siblings;
  for (auto file = files.begin(); file != files.end(); ++file)
    siblings += QJsonObject{{"rfilename", QString::fromUtf8(file.key())}};
  const QJsonObject model{{"id", QString::fromUtf8(repository)},
                          {"sha", QString::fromUtf8(commit())},
                          {"siblings", siblings}};
  return {200, {{"Content-Type", "application/json"}}, QJsonDocument(model).toJson()};
}

HubReply HubServer::file(const HubRequest& request, const QByteArray& name) const {
  if (!files.contains(name)) return {404, {{"X-Error-Code", "EntryNotFound"}}, {}};
  const QByteArray& bytes = files[name];
  const bool isLarge = bytes.size() >= largeFrom;
  const QByteArray hash = '"' + hubHash(bytes, isLarge) + '"';
  HubReply reply{200, {{"X-Repo-Commit", commit()}, {"ETag", hash}}, bytes};
  if (isLarge && !request.atStorage)
    return {302,
            {{"X-Repo-Commit", commit()},
             {"ETag", "\"of the pointer\""},
             {"X-Linked-Etag", hash},
             {"X-Linked-Size", QByteArray::number(bytes.size())},
             {"Location", storage().toUtf8() + '/' + name}},
            {}};
  const QByteArray range = request.fields["range"];
  if (range.startsWith("bytes=")) {
    const qint64 from = range.mid(6).chopped(1).toLongLong();
    reply.status = 206;
    reply.body = bytes.mid(from);
    reply.fields += {"Content-Range", "bytes " + QByteArray::number(from) + '-' +
                                          QByteArray::number(bytes.size() - 1) + '/' +
                                          QByteArray::number(bytes.size())};
  }
  if (request.method == "HEAD")
    reply.fields += {"Content-Length", QByteArray::number(bytes.size())};
  return reply;
}

}  // namespace equipatch::test
