// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

#include "tests/app/command_line.h"
#include "tests/support/hub_server.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

namespace {

QByteArray randomBytes(int count) {
  std::mt19937 random(7);
  QByteArray bytes(count, 0);
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace

/// `get` against a server that behaves like the hub.
class tst_cli_get : public TestCase {
  Q_OBJECT
  void prepare() override;
 private Q_SLOTS:
  void cleanup() { m_hub.reset(); }
  void aWholeModelIsDownloaded();
  void cachedFilesAreNotRequestedAgain();
  void listOptionDownloadsNothing();
  void onlyShardsOfTheIndexAreDownloaded();
  void accessTokenIsNotSentToTheStorage();
  void brokenConnectionsAreResumed();
  void brokenDownloadsSucceedWithoutRangeSupport();
  void requestsToBusyServersAreRepeated();
  void refusalsSayWhatToDo_data();
  void refusalsSayWhatToDo();
  void offlineNothingIsRequested();
  void hostileAnswersAreRefused_data();
  void hostileAnswersAreRefused();
  void aFileSizeLimitKeepsTheBytesWritten();
  void twoProgramsDownloadAFileOnlyOnce();
  void killedDownloadsKeepTheirBytes();
  void sigtermEndsTheDownload();
  void aDownloadedModelIsDeleted();

 private:
  std::unique_ptr<QProcess> begin(const QStringList& arguments);
  CommandResult get(const QStringList& more = {});
  QString inCache(const QString& path) const { return m_cache->filePath(path); }
  QString repository() const { return inCache("models--owner--tiny"); }
  QString snapshot() const { return repository() + "/snapshots/" + HubServer::commit(); }
  QByteArrayList problems(const CommandResult& result) const;

  std::unique_ptr<HubServer> m_hub;
  std::unique_ptr<QTemporaryDir> m_cache;
  QStringList m_environment;
};

void tst_cli_get::prepare() {
  m_hub = std::make_unique<HubServer>();
  m_cache = std::make_unique<QTemporaryDir>();
  const QDir golden(goldenFolder("llama3_tied"));
  for (const char* name : {"config.json", "model.safetensors"})
    m_hub->files[name] = contentOf(golden.filePath(name));
  m_hub->files["tokenizer.json"] = tinyTokenizerJson();
  for (const char* name : {"added_tokens.json", "special_tokens_map.json",
                           "generation_config.json", "own.tiktoken"})
    m_hub->files[name] = "{}";  // equal contents: downloaded once
  m_hub->files["pytorch_model.bin"] = "a pickle";
  m_hub->files["README.md"] = "# Tiny";
  m_environment = {"HF_ENDPOINT=" + m_hub->endpoint() + "/",
                   "HF_HUB_CACHE=" + m_cache->path()};
}

/// Starts `get`. The server answers it only while this thread handles events.
std::unique_ptr<QProcess> tst_cli_get::begin(const QStringList& arguments) {
  auto process = std::make_unique<QProcess>();
  process->setProcessEnvironment(commandEnvironment(m_environment));
  process->start(commandPath(), QStringList{"get"} + arguments);
  return process;
}

CommandResult tst_cli_get::get(const QStringList& more) {
  return resultOf(*begin(QStringList{"owner/tiny"} + more));
}

/// Errors of a download and of its cache, which must have huggingface_hub's layout.
QByteArrayList tst_cli_get::problems(const CommandResult& result) const {
  QByteArrayList found;
  if (result.exitCode != 0) found += result.err;
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors"}) {
    const QByteArray& bytes = m_hub->files[name];
    const QFileInfo link(snapshot() + '/' + name);
    const QByteArray hash = hubHash(bytes, bytes.size() >= m_hub->largeFrom);
    if (QFile::symLinkTarget(link.filePath()) != repository() + "/blobs/" + hash)
      found += QByteArray(name) + " is not a link to its blob";
    if (contentOf(link.filePath()) != bytes) found += QByteArray(name) + " differs";
  }
  if (contentOf(repository() + "/refs/main") != HubServer::commit())
    found += "refs/main does not hold the commit";
  for (const char* name : {"README.md", "pytorch_model.bin"})
    if (QFileInfo::exists(snapshot() + '/' + name)) found += QByteArray(name) + " came";
  if (!QDir(repository() + "/blobs").entryList({"*.incomplete"}).isEmpty())
    found += "an incomplete file is left";
  return found;
}

void tst_cli_get::aWholeModelIsDownloaded() {
  const CommandResult result = get();
  QCOMPARE(problems(result), QByteArrayList());
  QVERIFY2(result.out.contains("model.safetensors"), result.out);
  const CommandResult shown = runCommand(
      {"compare", "--model", "owner/tiny", "--ids", "1,2,3", "--steps", "1", "--json"},
      m_environment);
  QVERIFY2(shown.exitCode == 0, shown.err);
}

void tst_cli_get::cachedFilesAreNotRequestedAgain() {
  QCOMPARE(get().exitCode, 0);
  m_hub->requests.clear();
  const CommandResult again = get();
  QCOMPARE(problems(again), QByteArrayList());
  for (const QByteArray& name : m_hub->files.keys())
    QVERIFY2(m_hub->rangesOf(name).isEmpty(), name);
}

void tst_cli_get::listOptionDownloadsNothing() {
  const CommandResult result = get({"--list", "--json"});
  QVERIFY2(result.exitCode == 0, result.err);
  const QJsonObject model = result.objects().value(0);
  QCOMPARE(model["commit"].toString().toUtf8(), HubServer::commit());
  const QJsonArray files = model["files"].toArray();
  QCOMPARE(files.size(), 7);  // all but the pickle and README.md
  for (const QJsonValue& file : files)
    QCOMPARE(file["bytes"].toInteger(),
             m_hub->files[file["name"].toString().toUtf8()].size());
  QCOMPARE(model["bytes_missing"], model["bytes"]);
  QVERIFY(model["folder"].isNull());
  QVERIFY(QDir(m_cache->path()).isEmpty());
}

void tst_cli_get::onlyShardsOfTheIndexAreDownloaded() {
  const QByteArray weights = m_hub->files.take("model.safetensors");
  m_hub->files["model-00001-of-00002.safetensors"] = weights;
  m_hub->files["model-00002-of-00002.safetensors"] = weights.left(20'000);
  m_hub->files["model-fp16.safetensors"] = weights.left(30'000);
  m_hub->files["model.safetensors.index.json"] =
      R"({"weight_map": {"a": "model-00001-of-00002.safetensors",
                         "b": "model-00002-of-00002.safetensors"}})";
  const CommandResult result = get();
  QVERIFY2(result.exitCode == 0, result.err);
  QCOMPARE(QDir(snapshot()).entryList({"*.safetensors"}),
           QStringList(
               {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
}

void tst_cli_get::accessTokenIsNotSentToTheStorage() {
  m_hub->token = "hf_secret";
  QCOMPARE(stderrProblem(get(), 1, "set HF_TOKEN"), QString());
  QFile file(inCache("token"));
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hf_secret\n") && file.flush());
  m_environment += "HF_TOKEN_PATH=" + file.fileName();
  const CommandResult result = get();
  QVERIFY2(result.exitCode == 0, result.err);
  m_environment += "HF_HUB_DISABLE_IMPLICIT_TOKEN=1";
  QVERIFY(QDir(repository()).removeRecursively());
  QCOMPARE(stderrProblem(get(), 1, "unset HF_HUB_DISABLE_IMPLICIT_TOKEN"), QString());
  QVERIFY(std::ranges::count(m_hub->requests, true, &HubRequest::atStorage) > 0);
  for (const HubRequest& request : m_hub->requests)
    QVERIFY(!request.atStorage || !request.fields.contains("authorization"));
}

void tst_cli_get::brokenConnectionsAreResumed() {
  int cuts = 0;
  m_hub->change = [&](const HubRequest& request, HubReply& reply) {
    if (request.atStorage && ++cuts <= 3) reply.cut = 5'000;
  };
  const CommandResult result = get();
  QCOMPARE(problems(result), QByteArrayList());
  QCOMPARE(m_hub->rangesOf("model.safetensors").mid(2, 2),
           QByteArrayList({"bytes=5000-", "bytes=5000-"}));
}

void tst_cli_get::brokenDownloadsSucceedWithoutRangeSupport() {
  int cuts = 0;
  m_hub->change = [&](const HubRequest& request, HubReply& reply) {
    if (!request.atStorage) return;
    reply.status = 200;
    reply.body = m_hub->files["model.safetensors"];
    if (++cuts == 1) reply.cut = 5'000;
  };
  QCOMPARE(problems(get()), QByteArrayList());
}

void tst_cli_get::requestsToBusyServersAreRepeated() {
  QHash<QByteArray, int> asked;
  m_hub->change = [&](const HubRequest& request, HubReply& reply) {
    if (request.atStorage) return;
    const int time = ++asked[request.method + request.path];
    if (time == 1) reply = {429, {{"Retry-After", "0"}}, "slow down"};
    if (time == 2) reply = {503, {}, "tired"};
  };
  QCOMPARE(problems(get()), QByteArrayList());
  QVERIFY(QDir(repository()).removeRecursively());
  m_hub->change = [](const HubRequest& request, HubReply& reply) {
    if (request.atStorage) reply = {503, {{"Retry-After", "9999"}}, "tired"};
  };
  QCOMPARE(stderrProblem(get({"--json"}), 1, m_hub->storage() + " cannot be used now"),
           QString());
}

void tst_cli_get::refusalsSayWhatToDo_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, int status, const char* field, const char* part) {
    QTest::newRow(name) << QStringList() << status << QString(field) << QString(part);
  };
  row("gated", 403, "X-Error-Code: GatedRepo", "accept its terms: accept them at http");
  row("gated, old", 403, "", "accept its terms");
  row("unknown", 404, "X-Error-Code: RepoNotFound", "check its name");
  row("private", 401, "X-Error-Code: RepoNotFound", "set HF_TOKEN");
  row("no revision", 404, "X-Error-Code: RevisionNotFound", "has no revision \"main\"");
  row("wait too long", 429, "Retry-After: 9999", "asks to wait 9999 s");
  row("teapot", 418, "X-Error-Message: I am a teapot", "says \"I am a teapot\"");
  QTest::newRow("bad name") << QStringList{"owner/../x"} << 200 << ""
                            << "cannot be the name";
  QTest::newRow("bad revision") << QStringList{"--revision", "../x"} << 200 << ""
                                << "cannot be a revision";
}

void tst_cli_get::refusalsSayWhatToDo() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, field);
  QFETCH(QString, part);
  if (status != 200)
    m_hub->change = [&](const HubRequest&, HubReply& reply) {
      reply = {status, {}, {}};
      if (!field.isEmpty())
        reply.fields +=
            {field.section(": ", 0, 0).toUtf8(), field.section(": ", 1).toUtf8()};
    };
  const bool isName = !arguments.isEmpty() && !arguments.front().startsWith('-');
  const auto process = begin(isName ? arguments : QStringList{"owner/tiny"} + arguments);
  QCOMPARE(stderrProblem(resultOf(*process), 1, part), QString());
}

void tst_cli_get::offlineNothingIsRequested() {
  m_environment += "HF_HUB_OFFLINE=1";
  QCOMPARE(stderrProblem(get(), 1, "HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE is set"),
           QString());
  QVERIFY(m_hub->requests.isEmpty());
}

void tst_cli_get::hostileAnswersAreRefused_data() {
  QTest::addColumn<QByteArray>("path");
  QTest::addColumn<QByteArray>("body");
  QTest::addColumn<QByteArray>("field");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* path, const QByteArray& body,
                      const char* field, const char* part) {
    QTest::newRow(name) << QByteArray(path) << body << QByteArray(field) << QString(part);
  };
  const QByteArray sha = R"({"sha": ")" + HubServer::commit() + R"(", )";
  row("no JSON", "/revision/main", "<html>", "", "JSON");
  row("no commit", "/revision/main", R"({"sha": "../x", "siblings": []})", "", "commit");
  row("no list", "/revision/main", sha + R"("siblings": 3})", "", "siblings");
  row("no weights", "/revision/main", sha + R"("siblings": [{"rfilename": "a.bin"}]})",
      "", "only safetensors are read");
  row("names of other folders", "/revision/main",
      sha + R"("siblings": [{"rfilename": "../model.safetensors"}]})", "",
      "only safetensors are read");
  row("no hash", "/config.json", "", "ETag: \"../x\"", "no SHA-256 or git hash");
  row("huge size", "/config.json", "", "X-Linked-Size: 99999999999999999999",
      "no valid size");
  row("other commit", "/config.json", "", "X-Repo-Commit: 1234", "instead of");
  row("other bytes", "storage/model.safetensors", randomBytes(20'000), "", "hash");
  row("more bytes", "storage/model.safetensors", randomBytes(900'000), "", "sends more");
}

void tst_cli_get::hostileAnswersAreRefused() {
  QFETCH(QByteArray, path);
  QFETCH(QByteArray, body);
  QFETCH(QByteArray, field);
  QFETCH(QString, part);
  m_hub->files["model.safetensors"] = QByteArray(20'000, 'x');
  m_hub->change = [&](const HubRequest& request, HubReply& reply) {
    if (!((request.atStorage ? "storage" : "") + request.path).endsWith(path)) return;
    if (!body.isEmpty()) reply.body = body;
    const QByteArray name = field.left(field.indexOf(':'));
    reply.fields.removeIf([&](const auto& one) { return one.first == name; });
    if (!field.isEmpty()) reply.fields += {name, field.mid(field.indexOf(':') + 2)};
  };
  const CommandResult result = get({"--json"});
  QCOMPARE(stderrProblem(result, 1, part), QString());
  QVERIFY(!QFileInfo::exists(snapshot()));
  const QStringList places{repository() + "/blobs",
                           inCache(".locks/models--owner--tiny")};
  QDirIterator all(m_cache->path(), QDir::Files | QDir::Hidden,
                   QDirIterator::Subdirectories);
  while (all.hasNext())
    QVERIFY2(places.contains(QFileInfo(all.next()).path()), qPrintable(all.filePath()));
}

void tst_cli_get::aFileSizeLimitKeepsTheBytesWritten() {
  m_hub->files["model.safetensors"] = randomBytes(400'000);
  QProcess process;
  process.setProcessEnvironment(commandEnvironment(m_environment));
  process.start(
      "bash", {"-c", "ulimit -f 200; exec \"$0\" get owner/tiny --json", commandPath()});
  QCOMPARE(stderrProblem(resultOf(process), 1, ".incomplete"), QString());
  QVERIFY(!QFileInfo::exists(snapshot()));
  const CommandResult later = get();
  QCOMPARE(problems(later), QByteArrayList());
  QCOMPARE(m_hub->rangesOf("model.safetensors").back(), "bytes=204800-");
}

void tst_cli_get::twoProgramsDownloadAFileOnlyOnce() {
  m_hub->files["model.safetensors"] = randomBytes(3'000'000);
  m_hub->piece = 10'000;
  const auto first = begin({"owner/tiny"});
  const auto second = begin({"owner/tiny"});
  for (QProcess* const process : {first.get(), second.get()})
    QCOMPARE(problems(resultOf(*process)), QByteArrayList());
  QCOMPARE(m_hub->bodyBytes, qint64(3'000'000));
}

void tst_cli_get::killedDownloadsKeepTheirBytes() {
  m_hub->files["model.safetensors"] = randomBytes(4'000'000);
  m_hub->piece = 10'000;
  std::mt19937 random(3);
  for (int time = 0; time < 30; ++time) {
    m_hub->pauseAt = m_hub->bodyBytes + std::uniform_int_distribution(1, 100'000)(random);
    const auto process = begin({"owner/tiny"});
    QVERIFY(QTest::qWaitFor([&] { return m_hub->bodyBytes >= m_hub->pauseAt; }, 60'000));
    process->kill();
    process->waitForFinished();
    QVERIFY(!QFileInfo::exists(snapshot()));
  }
  m_hub->pauseAt = -1;
  const CommandResult result = get();
  QCOMPARE(problems(result), QByteArrayList());
  qint64 kept = 0;
  for (const QByteArray& range : m_hub->rangesOf("model.safetensors")) {
    const qint64 from = range.mid(6, range.size() - 7).toLongLong();  // "bytes=5000-"
    QVERIFY2(from >= kept, "an attempt has lost bytes");
    kept = from;
  }
  QVERIFY2(kept > 0, "each attempt began from the start");
}

void tst_cli_get::sigtermEndsTheDownload() {
  m_hub->files["model.safetensors"] = randomBytes(3'000'000);
  m_hub->piece = 1'000;
  m_hub->pauseAt = 10'000;
  const auto process = begin({"owner/tiny"});
  QVERIFY(QTest::qWaitFor([&] { return m_hub->bodyBytes >= 10'000; }, 60'000));
  process->terminate();
  QTRY_COMPARE_WITH_TIMEOUT(process->state(), QProcess::NotRunning, 60'000);
  QCOMPARE(process->exitStatus(), QProcess::NormalExit);
  QVERIFY(process->exitCode() != 0);
  QVERIFY(!QFileInfo::exists(snapshot()));
}

void tst_cli_get::aDownloadedModelIsDeleted() {
  QCOMPARE(get().exitCode, 0);
  const CommandResult result =
      runCommand({"models", "--delete", "owner/tiny"}, m_environment);
  QVERIFY2(result.out.contains("kB are free again"), result.out + result.err);
  QVERIFY(!QFileInfo::exists(repository()));
  QCOMPARE(problems(get()), QByteArrayList());
}

EQUIPATCH_TEST(tst_cli_get)
#include "tst_cli_get.moc"
