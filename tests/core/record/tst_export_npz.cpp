// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>
#include <cstring>

#include "core/base/child_process.h"
#include "core/base/error.h"
#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

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
using Arrays = QMap<QString, Array>;

constexpr const char* kReader = R"(
import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
entries = archive.infolist()
assert all(e.compress_type == zipfile.ZIP_STORED for e in entries)
assert all(e.date_time == (1980, 1, 1, 0, 0, 0) for e in entries)
json.dump({e.filename: archive.read(e).hex() for e in entries}, sys.stdout)
)";

Array arrayOf(const QString& name, const QByteArray& bytes) {
  if (!name.endsWith(".npy") || !bytes.startsWith(QByteArray("\x93NUMPY\x01\x00", 8)))
    throw badInput(name.toStdString() + " is not a .npy array");
  const auto length = quint8(bytes[8]) + 256 * quint8(bytes[9]);
  if ((10 + length) % 64 != 0) throw badInput(name.toStdString() + " is not aligned");
  return {bytes.mid(10, length).trimmed(), bytes.mid(10 + length)};
}

/// Reads the arrays with Python's zipfile, which is independent of the writer.
/// @throws Error with Python's standard error, or naming an entry that is no aligned .npy
Arrays readArrays(const QString& path) {
  const ChildResult result =
      runChild({.program = QStandardPaths::findExecutable("python3").toStdString(),
                .arguments = {"-I", "-B", "-c", kReader, path.toStdString()},
                .environment = {{"LC_ALL", "C.UTF-8"}}});
  if (result.ending != ChildEnding::Exited || result.code != 0)
    throw badInput("python3 ended with " + std::to_string(result.code) + ": " +
                   result.standardError);
  Arrays arrays;
  const QByteArray output = QByteArray::fromStdString(result.output);
  const QJsonObject entries = QJsonDocument::fromJson(output).object();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry)
    arrays[entry.key().chopped(4)] =
        arrayOf(entry.key(), QByteArray::fromHex(entry.value().toString().toLatin1()));
  return arrays;
}

}  // namespace

class tst_export_npz : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const QString path = m_folder.filePath("run.npz");
    exportNpz(test::smallRun(), path.toStdString());
    QCOMPARE(test::errorOf([&] { m_arrays = readArrays(path); }), QString());
  }
  void arraysHaveShapesAndTypes_data();
  void arraysHaveShapesAndTypes();
  void numbersAreThoseOfTheRun();
  void settingsAreAByteString();
  void theSameRunGivesTheSameFile();
  void runsWithoutStepsGiveEmptyArrays();
  void arraysWithTooManyGapsAreRefused();
  void tooManyMissingCandidatesAreRefused();
  void unwritablePlacesAreNamed();

 private:
  Array array(const char* name) const { return m_arrays.value(name); }

  QTemporaryDir m_folder;
  Arrays m_arrays;  ///< of the small run
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
  QCOMPARE(bare.size(), 2);
  QVERIFY(std::isnan(bare[0]) && bare[1] == 4.0);
  const auto down = array("layer_dw_down").numbers<double>();
  QCOMPARE(down.size(), 4);
  QVERIFY(std::isnan(down[2]) && down[3] == 77.0);
}

void tst_export_npz::settingsAreAByteString() {
  const Array settings = array("run_json");
  const QByteArray size = QByteArray::number(settings.data.size());
  QCOMPARE(settings.header, QByteArray("{'descr': '|S" + size +
                                       "', 'fortran_order': False, 'shape': (), }"));
  const QJsonObject run = QJsonDocument::fromJson(settings.data).object();
  QVERIFY(!run.isEmpty());
  QCOMPARE(run["model_name"].toString().toStdString(),
           test::smallRun().header->modelName);
}

/// Both files may be written in the same second and then have equal time stamps.
/// Therefore kReader checks the dates of the entries.
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
  const QString path = m_folder.filePath("empty.npz");
  exportNpz(run, path.toStdString());
  Arrays arrays;
  QCOMPARE(test::errorOf([&] { arrays = readArrays(path); }), QString());
  const Array margin = arrays["margin"];
  QVERIFY(margin.header.contains("'shape': (0, )"));
  QVERIFY(margin.data.isEmpty());
}

void tst_export_npz::arraysWithTooManyGapsAreRefused() {
  const QTemporaryDir folder;
  StoredRun run = test::smallRun();
  auto header = std::make_shared<RunHeader>(*run.header);
  header->width = 1 << 20;
  run.header = header;
  StepRecord step = *run.steps[0];
  step.layers.assign(150, LayerRecord());
  run.steps.assign(2, std::make_shared<const StepRecord>(step));
  QVERIFY_ERROR(exportNpz(run, folder.filePath("run.npz").toStdString()),
                "300 layers, counted over all steps", "1048576 channels");
}

void tst_export_npz::tooManyMissingCandidatesAreRefused() {
  const QTemporaryDir folder;
  StoredRun run = test::smallRun();
  // A copy, because `assign` must not get a reference into the vector itself.
  const auto few = run.steps.front();
  StepRecord many = *few;
  many.contextual.assign(3000, few->contextual.front());
  const auto full = std::make_shared<const StepRecord>(many);
  run.steps.assign(3000, few);
  run.steps.push_back(full);
  QVERIFY_ERROR(exportNpz(run, folder.filePath("run.npz").toStdString()),
                "contextual pass", "up to 3000 a step", "3001 steps", "CSV");
  // When every step has equally many candidates, the array has no gaps.
  run.steps.assign(100, full);
  exportNpz(run, folder.filePath("run.npz").toStdString());
}

void tst_export_npz::unwritablePlacesAreNamed() {
  QVERIFY_ERROR(
      exportNpz(test::smallRun(), m_folder.filePath("no/run.npz").toStdString()),
      "run.npz", "there is no folder", "make it");
  QVERIFY_ERROR(exportNpz(test::smallRun(), "/proc/run.npz"), "run.npz",
                "cannot be written");
}

EQUIPATCH_TEST(tst_export_npz)
#include "tst_export_npz.moc"
