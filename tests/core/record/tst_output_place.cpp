#include "core/record/export/output_file.h"

#include <QDir>
#include <QTemporaryDir>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "tests/support/test_case.h"

using namespace equipatch;

/// Temporary files lie in a folder of the test's own.
class tst_output_place : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    m_before = qgetenv("TMPDIR");
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("TMPDIR", m_folder->path().toUtf8());
  }
  void cleanup() {
    m_before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_before);
  }
  void aNameStaysAFile();
  void aDashGoesToTheStream();
  void nothingIsSentBeforeItIsWhole();
  void aStreamThatRefusesIsAnError();
  void whatIsNoStreamIsTold();

 private:
  static void write(const OutputPlace& place, const std::string& bytes) {
    std::ofstream(place.path(), std::ios::binary) << bytes;
  }
  bool nothingIsLeft() const { return QDir(m_folder->path()).isEmpty(); }

  QByteArray m_before;
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_output_place::aNameStaysAFile() {
  for (const char* name : {"./-", "a-", "folder/-", "--"}) {
    OutputPlace place(name);
    QVERIFY(!place.isStandardOutput());
    QCOMPARE(place.path(), std::filesystem::path(name));
    std::ostringstream out;
    place.deliver(out);
    QCOMPARE(out.str(), std::string());
  }
}

void tst_output_place::aDashGoesToTheStream() {
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  OutputPlace place("-");
  QVERIFY(place.isStandardOutput());
  write(place, bytes);
  std::ostringstream out;
  place.deliver(out);
  QVERIFY(out.str() == bytes);
  QVERIFY(nothingIsLeft());
}

void tst_output_place::nothingIsSentBeforeItIsWhole() {
  {
    const OutputPlace place("-");
    write(place, "half");
    QVERIFY(!nothingIsLeft());
  }
  QVERIFY(nothingIsLeft());
}

void tst_output_place::aStreamThatRefusesIsAnError() {
  std::ofstream full("/dev/full");
  if (!full) QSKIP("this system has no /dev/full");
  OutputPlace place("-");
  write(place, "text");
  QVERIFY_ERROR(place.deliver(full), "standard output");
  QVERIFY(nothingIsLeft());
}

void tst_output_place::whatIsNoStreamIsTold() {
  const QString sentence = QString::fromStdString(notToStandardOutput("a folder"));
  QVERIFY2(sentence.contains("a folder cannot be written;"), qPrintable(sentence));
  QVERIFY2(sentence.contains("./-"), qPrintable(sentence));
}

EQUIPATCH_TEST(tst_output_place)
#include "tst_output_place.moc"
