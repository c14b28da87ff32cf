#include "core/run/run_origin.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>

#include "core/run/session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

Provenance goldenProvenance(const char* name) {
  SilentProgress silent;
  return provenanceOf(
      *Session::open({.folder = test::data(std::string("golden/") + name)}, silent));
}

std::string digest(const QByteArray& bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256)
      .toHex()
      .toStdString();
}

}  // namespace

class tst_run_origin : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void hashesWhatTheCheckpointIs();
  void namesProgramAndMachine();
  void differencesAreNamed();
};

void tst_run_origin::hashesWhatTheCheckpointIs() {
  const Provenance provenance = goldenProvenance("mixtral");
  const auto read = [](const char* file) {
    QFile opened(QString::fromStdString((test::data("golden/mixtral") / file).string()));
    if (!opened.open(QIODevice::ReadOnly)) return QByteArray();
    return opened.readAll();
  };
  QCOMPARE(provenance.configSha256, digest(read("config.json")));
  QCOMPARE(provenance.tensorFiles.size(), 2u);
  QCOMPARE(provenance.tensorFiles[1].file,
           std::string("model-00002-of-00002.safetensors"));
  const QByteArray file = read("model-00002-of-00002.safetensors");
  quint64 length = 0;
  std::memcpy(&length, file.constData(), sizeof length);
  QCOMPARE(provenance.tensorFiles[1].headerSha256,
           digest(file.mid(8, qsizetype(length))));
}

void tst_run_origin::namesProgramAndMachine() {
  useThreads(1);
  const Provenance provenance = goldenProvenance("gpt2");
  QCOMPARE(provenance.program, std::string(EQUIPATCH_VERSION));
  QVERIFY(!provenance.torch.empty());
  QCOMPARE(provenance.threads, 1);
  const auto start =
      QDateTime::fromString(QString::fromStdString(provenance.startTime), Qt::ISODate);
  QCOMPARE(start.timeSpec(), Qt::UTC);
  QVERIFY(std::abs(start.secsTo(QDateTime::currentDateTimeUtc())) < 600);
}

void tst_run_origin::differencesAreNamed() {
  const Provenance then{.program = "0.1.0",
                        .torch = "1.13.0",
                        .processor = "A",
                        .threads = 2,
                        .startTime = "2026-01-01T00:00:00Z",
                        .configSha256 = "aa",
                        .tensorFiles = {{"x.safetensors", "bb"}}};
  Provenance now = then;
  now.startTime = "2026-02-02T00:00:00Z";
  QVERIFY(differences(then, now).empty());
  now.configSha256 = "ab";
  now.tensorFiles[0].headerSha256 = "bc";
  now.threads = 6;
  now.torch = "2.1.0";
  QCOMPARE(differences(then, now),
           (std::vector<std::string>{"config.json is another one",
                                     "x.safetensors has another header",
                                     "libtorch 2.1.0 instead of 1.13.0",
                                     "the number of threads is 6 instead of 2"}));
  now.tensorFiles.clear();
  QVERIFY(differences(then, now)[1].starts_with("0 tensor files instead of 1"));
}

EQUIPATCH_TEST(tst_run_origin)
#include "tst_run_origin.moc"
