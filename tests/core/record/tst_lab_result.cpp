// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/lab_result.h"

#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

LabResult example() {
  LabResult result{.experiment = "theorem", .title = "One, \"two\"", .finished = true};
  LabPanel panel{.title = "Loss",
                 .x = {"step", "", LabScale::Linear, {}},
                 .y = {"loss", "nats", LabScale::Logarithmic, {}},
                 .curves = {{"with", {0, 1, 2}, {3.5, 0.1, 1e-300}, {0.5, 0.25, 0}},
                            {"without", {0.5}, {2}, {}}},
                 .map = LabMap{"difference", "", LabScale::Linear, {1, 2}, {3}, {4, 5}}};
  LabPanel words{.title = "Words", .x = {"token", "", LabScale::Linear, {"a", "·b"}}};
  LabPanel cells{
      .title = "Cells", .x = {"column"}, .y = {.label = "row", .downwards = true}};
  cells.map =
      LabMap{.label = "L∞", .x = {1}, .y = {1}, .values = {2}, .overPicture = true};
  result.panels = {panel, words, cells};
  result.picture = LabPicture{"a.png", std::string("\x89P\0\xff", 4)};
  result.scalars = {{"mean difference", 1.25e-7, "", 1e-7}, {"rank", 3, "", {}}};
  result.notes = {"A sentence."};
  result.origin = {.setting = "own",
                   .choices = {{"batch", std::int64_t{32}},
                               {"rate", 0.005},
                               {"text", std::string("a b")}},
                   .seed = std::numeric_limits<std::uint64_t>::max(),
                   .threads = 2,
                   .program = "0.1",
                   .torch = "1.13",
                   .processor = "X",
                   .startTime = "2026-11-21T08:30:00Z",
                   .seconds = 1.5};
  return result;
}

}  // namespace

class tst_lab_result : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aSavedResultIsReadBackUnchanged();
  void valuesThatAreNotFiniteBecomeNan();
  void theErrorNamesTheDamagedPart_data();
  void theErrorNamesTheDamagedPart();
  void paperTextGivesThePapersNumber();

 private:
  QTemporaryDir m_folder;
  std::filesystem::path path() const {
    return m_folder.filePath("result.json").toStdString();
  }
};

void tst_lab_result::aSavedResultIsReadBackUnchanged() {
  const LabResult saved = example();
  saveLabResult(saved, path());
  QVERIFY(readLabResult(path()) == saved);
}

void tst_lab_result::valuesThatAreNotFiniteBecomeNan() {
  LabResult saved = example();
  saved.panels[0].curves[0].y[1] = std::numeric_limits<double>::quiet_NaN();
  saved.scalars[0].value = std::numeric_limits<double>::infinity();
  saveLabResult(saved, path());
  const LabResult read = readLabResult(path());
  QVERIFY(std::isnan(read.panels[0].curves[0].y[1]));
  QVERIFY(std::isnan(read.scalars[0].value));
  QCOMPARE(read.panels[0].curves[0].y[0], 3.5);
}

void tst_lab_result::theErrorNamesTheDamagedPart_data() {
  QTest::addColumn<QByteArray>("pointer");
  QTest::addColumn<QByteArray>("value");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* pointer, const char* value, const char* part) {
    QTest::newRow(pointer) << QByteArray(pointer) << QByteArray(value) << QString(part);
  };
  row("/equipatch_lab", "0", "equipatch_lab");
  row("/equipatch_lab", "2", "in format 2, this program reads format 1");
  row("/experiment", "7", "experiment");
  row("/panels", "{}", "panels: expected a list");
  row("/panels/0/x/scale", "\"cubic\"", "expected 'linear' or 'log'");
  row("/panels/0/curves/0/y", "[1]", "expected 3 numbers, found 1");
  row("/panels/0/curves/0/error", "[1, 2]", "expected 3 numbers, found 2");
  row("/panels/0/curves/1/x", "[\"a\"]", "curves 1, x 0: expected a number");
  row("/panels/0/map/values", "[]", "expected 2 numbers, found 0");
  row("/panels/1/x/ticks", "[1]", "expected a text");
  row("/panels/2/y/direction", "\"left\"", "expected 'up' or 'down'");
  row("/picture", "7", "picture");
  row("/picture/bytes", "\"?\"", "expected Base64");
  row("/notes", "[{}]", "expected a text");
  row("/origin/choices", "[]", "expected an object");
  row("/origin/choices/rate", "true", "expected a number or a text");
  row("/origin/seed", "-1", "seed");
}

void tst_lab_result::theErrorNamesTheDamagedPart() {
  QFETCH(QByteArray, pointer);
  QFETCH(QByteArray, value);
  QFETCH(QString, part);
  nlohmann::json json = nlohmann::json::parse(toJson(example()).dump());
  json[nlohmann::json::json_pointer(pointer.toStdString())] =
      nlohmann::json::parse(value.toStdString());
  std::ofstream(path()) << json;
  QVERIFY_ERROR(readLabResult(path()), "result.json", part);
}

void tst_lab_result::paperTextGivesThePapersNumber() {
  QCOMPARE(paperText(example().scalars[0]), std::string("paper: about 1e-07"));
  QCOMPARE(paperText(example().scalars[1]), std::string());
}

EQUIPATCH_TEST(tst_lab_result)
#include "tst_lab_result.moc"
