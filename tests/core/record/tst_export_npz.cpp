// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_npz.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// An array as Python's zipfile takes it from the archive: another reader of both formats
/// than the writer.
struct Array {
  QByteArray header;
  QByteArray data;

  template <typename Number>
  QList<Number> numbers() const {
    QList<Number> values(data.size() / qsizetype(sizeof(Number)));
    std::memcpy(values.data(), data.constData(), std::size_t(data.size()));
    return values;
  }
};

Array readArray(const QString& path, const QString& name) {
  QProcess python;
  python.start("python3", {"-c",
                           "import sys, zipfile\n"
                           "z = zipfile.ZipFile(sys.argv[1])\n"
                           "assert z.testzip() is None\n"
                           "e = z.getinfo(sys.argv[2] + '.npy')\n"
                           "assert e.compress_type == zipfile.ZIP_STORED\n"
                           "sys.stdout.buffer.write(z.read(e))",
                           path, name});
  if (!python.waitForFinished()) return {};
  const QByteArray bytes = python.readAllStandardOutput();
  if (!bytes.startsWith(QByteArray("\x93NUMPY\x01\x00", 8))) return {};
  const auto length = quint8(bytes[8]) + 256 * quint8(bytes[9]);
  if ((10 + length) % 64 != 0) return {};
  return {bytes.mid(10, length).trimmed(), bytes.mid(10 + length)};
}

}  // namespace

class tst_export_npz : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    exportNpz(test::smallRun(), m_folder.filePath("run.npz").toStdString());
  }
  void arraysHaveShapesAndTypes_data();
  void arraysHaveShapesAndTypes();
  void numbersAreThoseOfTheRun();
  void theSameRunGivesTheSameFile();
  void runsWithoutStepsGiveEmptyArrays();
  void arraysOfGapsAreRefused();
  void unwritablePlacesAreNamed();

 private:
  Array array(const char* name) const {
    return readArray(m_folder.filePath("run.npz"), name);
  }
  QTemporaryDir m_folder;
};

void tst_export_npz::arraysHaveShapesAndTypes_data() {
  QTest::addColumn<QByteArray>("header");
  const auto row = [](const char* name, const char* type, const char* shape) {
    QTest::newRow(name) << QByteArray("{'descr': '") + type +
                               "', 'fortran_order': False, 'shape': (" + shape + "), }";
  };
  row("margin", "<f8", "2, ");
  row("token", "<i8", "2, ");
  row("sampled_match", "<i8", "2, ");
  row("patched_token_id", "<i8", "2, ");
  row("patched_id", "<i8", "2, 1, ");
  row("layer_effect", "<f8", "2, 2, ");
  row("layer_dscale_norm", "<f8", "2, 2, ");
  row("layer_guarded", "<i8", "2, 2, ");
  row("scale_delta", "<f4", "2, 2, 2, ");
  row("contextual_id", "<i8", "2, 2, ");
  row("bare_logit", "<f8", "2, 0, ");
  row("prompt_ids", "<i8", "2, ");
}

void tst_export_npz::arraysHaveShapesAndTypes() {
  QFETCH(QByteArray, header);
  QCOMPARE(array(QTest::currentDataTag()).header, header);
}

void tst_export_npz::numbersAreThoseOfTheRun() {
  QCOMPARE(array("margin").numbers<double>(), (QList<double>{0.1, 100.1}));
  QCOMPARE(array("match").numbers<qint64>(), (QList<qint64>{1, 0}));
  QCOMPARE(array("sampled_match").numbers<qint64>(), (QList<qint64>{-1, 0}));
  QCOMPARE(array("prompt_ids").numbers<qint64>(), (QList<qint64>{7, 9}));
  QCOMPARE(array("layer_effect").numbers<double>(),
           (QList<double>{0.5, 1.5, 100.5, 101.5}));
  QCOMPARE(array("scale_delta").numbers<float>(),
           (QList<float>{0.0f, 0.1f, 1.0f, 0.1f, 100.0f, 0.1f, 101.0f, 0.1f}));
  QCOMPARE(array("contextual_logit").numbers<double>(),
           (QList<double>{11.0, 10.0, 111.0, 10.0}));
  const auto bare = array("bare_linf").numbers<double>();
  QVERIFY(std::isnan(bare[0]) && bare[1] == 4.0);
  const auto down = array("layer_dw_down").numbers<double>();
  QVERIFY(std::isnan(down[2]) && down[3] == 77.0);
}

void tst_export_npz::theSameRunGivesTheSameFile() {
  exportNpz(test::smallRun(), m_folder.filePath("again.npz").toStdString());
  const auto bytes = [&](const char* name) {
    QFile file(m_folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  QVERIFY(!bytes("run.npz").isEmpty());
  QCOMPARE(bytes("again.npz"), bytes("run.npz"));
}

void tst_export_npz::runsWithoutStepsGiveEmptyArrays() {
  StoredRun run = test::smallRun();
  run.steps.clear();
  exportNpz(run, m_folder.filePath("empty.npz").toStdString());
  const Array margin = readArray(m_folder.filePath("empty.npz"), "margin");
  QVERIFY(margin.header.contains("'shape': (0, )"));
  QVERIFY(margin.data.isEmpty());
}

void tst_export_npz::arraysOfGapsAreRefused() {
  const QTemporaryDir folder;
  StoredRun run = test::smallRun();
  auto header = std::make_shared<RunHeader>(*run.header);
  header->width = 1 << 20;
  run.header = header;
  StepRecord step = *run.steps[0];
  step.layers.assign(300, LayerRecord());
  run.steps = {std::make_shared<const StepRecord>(step)};
  QVERIFY_ERROR(exportNpz(run, folder.filePath("run.npz").toStdString()), "300 layers",
                "1048576 channels");
}

void tst_export_npz::unwritablePlacesAreNamed() {
  QVERIFY_ERROR(exportNpz(test::smallRun(), "/proc/nowhere/run.npz"), "run.npz",
                "cannot be written");
}

EQUIPATCH_TEST(tst_export_npz)
#include "tst_export_npz.moc"
