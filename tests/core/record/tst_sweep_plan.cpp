// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_plan.h"

#include <sys/stat.h>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <fstream>

#include "core/base/json.h"
#include "core/record/file/run_writer.h"
#include "core/record/sweep/sweep_folder.h"
#include "tests/core/record/small_sweep.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_sweep_plan : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override { m_folder = std::make_unique<QTemporaryDir>(); }

 private Q_SLOTS:
  void cellsAreAllPromptsAtAllPoints();
  void shardsAreDisjointAndComplete();
  void shardNumbersAreParsed_data();
  void shardNumbersAreParsed();
  void runsOfACellAreRecognized();
  void reportsWhatMakesSweepsIncomparable();
  void aPlanIsReadBackUnchanged();
  void sampledPromptsUseANewerFormat();
  void strengthsUseANewerFormat();
  void absorbedPartsUseANewerFormat();
  void aDamagedPlanIsRefused_data();
  void aDamagedPlanIsRefused();
  void refusesTooManyCells();
  void aSweepsFolderMayBeClaimedAgain();
  void aFolderThatCannotBeReadIsReported();
  void theFolderOfAnotherSweepIsRefused();
  void foldersWithoutASweepAreRefused();
  void onlyACompleteRunFinishesItsCell();

 private:
  fs::path folder() const { return m_folder->filePath("sweep").toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

void tst_sweep_plan::cellsAreAllPromptsAtAllPoints() {
  const auto cells = cellsOf(test::smallSweep());
  QStringList names;
  for (const SweepCell& cell : cells) names += QString::fromStdString(cell.fileName());
  QCOMPARE(names, (QStringList{"one.float32.balanced.open.factored.eqrun",
                               "two.float32.balanced.open.factored.eqrun",
                               "one.float32.balanced.closed.factored.eqrun",
                               "two.float32.balanced.closed.factored.eqrun",
                               "one.bfloat16.balanced.open.factored.eqrun",
                               "two.bfloat16.balanced.open.factored.eqrun"}));
}

void tst_sweep_plan::shardsAreDisjointAndComplete() {
  const SweepPlan plan = test::smallSweep();
  const auto all = cellsOf(plan);
  for (std::int64_t count = 1; count <= 8; ++count) {
    std::vector<int> taken(all.size(), 0);
    for (std::int64_t index = 1; index <= count; ++index)
      for (const SweepCell& cell : cellsOf(plan, {index, count}))
        ++taken[std::size_t(std::ranges::find(all, cell) - all.begin())];
    QCOMPARE(taken, std::vector<int>(all.size(), 1));
  }
}

void tst_sweep_plan::shardNumbersAreParsed_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("known");
  for (const char* text : {"1/1", "2/4", "4/4", "1/1000000"})
    QTest::newRow(text) << text << true;
  for (const char* text : {"0/4", "5/4", "-1/4", "1", "1/", "/4", "1/2/3", "a/b", "1 /2",
                           "1/99999999999999999999", ""})
    QTest::newRow(text) << text << false;
}

void tst_sweep_plan::shardNumbersAreParsed() {
  QFETCH(QString, text);
  QFETCH(bool, known);
  if (!known) {
    QVERIFY_ERROR(parseShard(text.toStdString()), "1/N to N/N", "\"" + text + "\"");
    return;
  }
  const Shard shard = parseShard(text.toStdString());
  QCOMPARE(QString("%1/%2").arg(shard.index).arg(shard.count), text);
}

void tst_sweep_plan::runsOfACellAreRecognized() {
  const SweepPlan plan = test::smallSweep();
  const SweepCell cell = cellsOf(plan)[2];
  const RunHeader header = *test::runOf(plan, cell).header;
  QVERIFY(isRunOf(header, plan, cell));
  const auto isStill = [&](auto change) {
    RunHeader other = header;
    change(other);
    return isRunOf(other, plan, cell);
  };
  QVERIFY(isStill([](RunHeader& h) { h.provenance.threads = 9; }));
  QVERIFY(!isStill([](RunHeader& h) { h.dtype = DType::F64; }));
  QVERIFY(!isStill([](RunHeader& h) { h.device = "cuda"; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.steps = 3; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.patch.loop = Loop::Half; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.measureNoise = true; }));
  // A run that absorbs the whole prompt has no ablated pass, even if one was requested.
  QVERIFY(isStill([](RunHeader& h) { h.request.ablated = true; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.ignoreEndOfSequence = true; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.promptText = "Twice"; }));
  QVERIFY(!isStill([](RunHeader& h) { h.provenance.configSha256 = "decaf"; }));
  // No sweep has these settings.
  QVERIFY(!isStill([](RunHeader& h) { h.request.freeRun = true; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.roundLogits = true; }));
  QVERIFY(!isStill([](RunHeader& h) { h.request.bare = false; }));
  QVERIFY(!isStill([](RunHeader& h) { h.computesFloat32 = true; }));
  // A chat template adds text, so the run's prompt text differs from the cell's.
  SweepCell chat = cell;
  chat.prompt.chat = true;
  RunHeader rendered = header;
  rendered.request.promptText = "<user>Once</user>";
  QVERIFY(isRunOf(rendered, plan, chat));
}

void tst_sweep_plan::reportsWhatMakesSweepsIncomparable() {
  const SweepPlan plan = test::smallSweep();
  SweepPlan other = plan;
  other.prompts.pop_back();
  other.points.pop_back();
  QCOMPARE(differentSettings(plan, other).size(), 0u);
  other.origin.configSha256 = "decaf";
  other.steps = 3;
  other.device = "cuda";
  other.measureNoise = other.ablated = other.ignoreEndOfSequence = true;
  QCOMPARE(differentSettings(plan, other),
           (std::vector<std::string>{
               "config.json differs", "the device is cuda instead of cpu",
               "steps are 3 instead of 2", "noise is measured: yes instead of no",
               "the ablated pass is run: yes instead of no",
               "end of sequence is ignored: yes instead of no"}));
}

namespace {

Json smallJson() {
  return Json::parse(toJson(test::smallSweep()).dump());
}

}  // namespace

void tst_sweep_plan::aPlanIsReadBackUnchanged() {
  SweepPlan plan = test::smallSweep();
  plan.measureNoise = plan.ablated = plan.ignoreEndOfSequence = true;
  plan.device = "cuda:1";
  plan.prompts[1].chat = true;
  const Json json = Json::parse(toJson(plan).dump());
  QVERIFY(sweepPlanFrom(json, "sweep.json") == plan);
  // Earlier versions of the program expect the key "folder".
  QVERIFY(json["model"]["folder"] == json["model"]["name"]);
}

/// With the newer format, versions of the program without the feature refuse the plan.
void tst_sweep_plan::sampledPromptsUseANewerFormat() {
  SweepPlan plan = test::smallSweep();
  QCOMPARE(toJson(plan)["format"].get<int>(), 1);
  SweepPlan withImage = plan;
  withImage.prompts[0].images = {{"cat.png", "cafe"}};
  QCOMPARE(toJson(withImage)["format"].get<int>(), 2);
  plan.prompts = sampledPrompts(plan.prompts, 0.75, {1, 2});
  const auto json = toJson(plan);
  QCOMPARE(json["format"].get<int>(), 2);
  QVERIFY(sweepPlanFrom(nlohmann::json(json), "plan") == plan);
  const SweepCell cell = cellsOf(plan).front();
  const StoredRun run = test::runOf(plan, cell);
  QVERIFY(isRunOf(*run.header, plan, cell));
  SweepCell other = cell;
  other.prompt.sampling.seed = 2;
  QVERIFY(!isRunOf(*run.header, plan, other));
  auto damaged = nlohmann::json(json);
  damaged["prompts"][0]["temperature"] = -1.0;
  QVERIFY_ERROR(sweepPlanFrom(damaged, "plan"), "temperature should be above 0");
}

void tst_sweep_plan::strengthsUseANewerFormat() {
  SweepPlan plan = test::smallSweep();
  plan.points = parseGrid("strength=0.1,1", DType::F32);
  const auto json = toJson(plan);
  QCOMPARE(json["format"].get<int>(), 3);
  QVERIFY(!json["points"][1].contains("strength"));
  QVERIFY(sweepPlanFrom(nlohmann::json(json), "plan") == plan);
  const std::vector<SweepCell> cells = cellsOf(plan);
  const StoredRun run = test::runOf(plan, cells.front());
  QVERIFY(isRunOf(*run.header, plan, cells.front()));
  QVERIFY(!isRunOf(*run.header, plan, {cells.front().prompt, plan.points[1]}));
  auto damaged = nlohmann::json(json);
  damaged["points"][0]["strength"] = 1e6;
  QVERIFY_ERROR(sweepPlanFrom(damaged, "plan"), "strength should be from -10 to 10");
}

void tst_sweep_plan::absorbedPartsUseANewerFormat() {
  SweepPlan plan = test::smallSweep();
  plan.prompts[0].absorb = "words:Once";
  const auto json = toJson(plan);
  QCOMPARE(json["format"].get<int>(), 4);
  QVERIFY(!json["prompts"][1].contains("absorb"));
  QVERIFY(sweepPlanFrom(nlohmann::json(json), "plan") == plan);
  const SweepCell cell = cellsOf(plan).front();
  RunHeader header = *test::runOf(plan, cell).header;
  header.request.promptText = "Once more";
  header.request.prompt = {{.id = TokenId(4), .span = {0, 4}},
                           {.id = TokenId(5), .span = {4, 9}}};
  SweepCell part = cell;
  part.prompt.text = header.request.promptText;
  QVERIFY(!isRunOf(header, plan, part));  // this run absorbs the whole prompt
  header.request.absorbed = {.keptPrompt = {{1, 1}}, .keepsGenerated = true};
  QVERIFY(isRunOf(header, plan, part));
  plan.ablated = true;
  QCOMPARE(toJson(plan)["format"].get<int>(), 6);
  QVERIFY(!isRunOf(header, plan, part));
  header.request.ablated = true;
  QVERIFY(isRunOf(header, plan, part));
  part.prompt.absorb = "words:Twice";
  QVERIFY(!isRunOf(header, plan, part));
  plan.prompts[0].absorb = "sentence:1";
  QCOMPARE(toJson(plan)["format"].get<int>(), 6);
  plan.ablated = false;
  QCOMPARE(toJson(plan)["format"].get<int>(), 5);
}

void tst_sweep_plan::aDamagedPlanIsRefused_data() {
  QTest::addColumn<QString>("path");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("reason");
  const auto row = [](const char* path, const char* value, const char* reason) {
    QTest::newRow(qPrintable(QString("%1 %2").arg(path, value)))
        << QString(path) << QString(value) << QString(reason);
  };
  row("/format", "7", "in format 7, this program reads format 6");
  row("/format", "\"1\"", "\"format\" should be");
  row("/steps", "0", "\"steps\" should be");
  row("/steps", "1e300", "\"steps\" should be");
  row("/device", "7", "\"device\" should be a string");
  row("/measure_noise", "1", "\"measure_noise\" should be true or false");
  row("/model", "null", "\"model\" is missing");
  row("/model", "[]", "expected a JSON object");
  row("/model/tensor_files", "{}", "\"tensor_files\" should be a list");
  row("/model/tensor_files/0/file", "null", "\"file\" is missing");
  row("/begun/threads", "-1", "\"threads\" should be");
  row("/points", "7", "\"points\" should be a list");
  row("/points/0", "7", "expected a JSON object");
  row("/points/0/dtype", "\"int8\"", "no model computes in int8");
  row("/points/0/method", "\"best\"",
      "\"method\" is \"best\"; expected direct, stable or balanced");
  row("/points/1/loop", "\"\"", "\"loop\" is \"\"; expected open, half or closed");
  row("/prompts", "null", "\"prompts\" should be a list");
  row("/prompts/0/name", "\"../../etc/passwd\"", "is not valid for a prompt");
  row("/prompts/1/name", "\"one\"", "occurs twice");
  row("/prompts/1/text", "[]", "\"text\" should be a string");
}

void tst_sweep_plan::aDamagedPlanIsRefused() {
  QFETCH(QString, path);
  QFETCH(QString, value);
  QFETCH(QString, reason);
  Json json = smallJson();
  json[Json::json_pointer(path.toStdString())] = Json::parse(value.toStdString());
  QVERIFY_ERROR(sweepPlanFrom(json, "sweep.json"), "sweep.json", reason);
}

/// A small file may ask for millions of cells or for gigabytes of text.
void tst_sweep_plan::refusesTooManyCells() {
  Json many = smallJson();
  const Json prompt = many["prompts"][0];
  many["points"] = std::vector<Json>(1001, many["points"][0]);
  many["prompts"] = Json::array();
  for (int number = 0; number < 1000; ++number) {
    many["prompts"].push_back(prompt);
    many["prompts"].back()["name"] = "p" + std::to_string(number);
  }
  QVERIFY_ERROR(sweepPlanFrom(many, "sweep.json"), "1001 points and 1000 prompts",
                "more than a million cells");
  many["points"].erase(1000);
  QCOMPARE(sweepPlanFrom(many, "sweep.json").points.size(), std::size_t{1000});
  // Not "= {prompt}": g++ makes an array of it, clang a copy of the object.
  many["prompts"] = Json::array({prompt});
  const std::string long2MiB(2 << 20, 'a');  // in each of 1000 cells
  many["prompts"][0]["text"] = long2MiB;
  QVERIFY_ERROR(sweepPlanFrom(many, "sweep.json"), "more than 1 GiB");
  // A cell also contains the paths and hashes of its images.
  for (const char* key : {"file", "sha256"}) {
    Json image{{"file", "cat.png"}, {"sha256", "cafe"}};
    image[key] = long2MiB;
    many["prompts"] = Json::array({prompt});
    many["prompts"][0]["images"] = Json::array({image});
    QVERIFY_ERROR(sweepPlanFrom(many, "sweep.json"), "more than 1 GiB");
  }
}

namespace {

void write(const fs::path& path, const StoredRun& run, RunEnding ending) {
  fs::remove(path);
  RunWriter writer(path, *run.header);
  for (const auto& step : run.steps) writer.add(*step);
  writer.finish(ending);
}

}  // namespace

void tst_sweep_plan::aSweepsFolderMayBeClaimedAgain() {
  const SweepPlan plan = test::smallSweep();
  QVERIFY(!isSweepFolder(folder()));
  claimSweepFolder(folder(), plan);
  QVERIFY(isSweepFolder(folder()));
  SweepPlan moved = plan;
  moved.origin.startTime = "later";
  claimSweepFolder(folder(), moved);
  QVERIFY(readSweepPlan(folder()) == plan);
  QCOMPARE(std::distance(fs::directory_iterator(folder()), fs::directory_iterator()), 1);
}

void tst_sweep_plan::aFolderThatCannotBeReadIsReported() {
  claimSweepFolder(folder(), test::smallSweep());
  fs::permissions(folder(), fs::perms::none);
  const auto restored =
      qScopeGuard([this] { fs::permissions(folder(), fs::perms::all); });
  QVERIFY_ERROR(test::withOrdinaryRights([this] { return readSweepPlan(folder()); }),
                "sweep.json: reading is not permitted");
}

void tst_sweep_plan::theFolderOfAnotherSweepIsRefused() {
  const SweepPlan plan = test::smallSweep();
  claimSweepFolder(folder(), plan);
  SweepPlan other = plan;
  other.steps = 3;
  other.points.pop_back();
  other.prompts[0].text = "Never";
  QVERIFY_ERROR(claimSweepFolder(folder(), other), "holds another sweep",
                "steps are 3 instead of 2", "the prompts differ", "the grid differs");
  QVERIFY(readSweepPlan(folder()) == plan);
}

void tst_sweep_plan::foldersWithoutASweepAreRefused() {
  QVERIFY_ERROR(readSweepPlan(folder()), "not the folder of a sweep");
  fs::create_directories(folder());
  std::ofstream(folder() / "sweep.json") << "{\"format\": 1";
  QVERIFY_ERROR(claimSweepFolder(folder(), test::smallSweep()), "sweep.json",
                "not valid JSON");
  QVERIFY_ERROR(claimSweepFolder("/proc/sweep", test::smallSweep()), "/proc/sweep");
}

void tst_sweep_plan::onlyACompleteRunFinishesItsCell() {
  const SweepPlan plan = test::smallSweep();
  const SweepCell cell = cellsOf(plan)[0];
  fs::create_directories(folder());
  const fs::path path = folder() / cell.fileName();
  const auto finished = [&] { return finishedRun(folder(), plan, cell).has_value(); };
  QVERIFY(!finished());
  write(path, test::runOf(plan, cell), RunEnding::Stopped);
  QVERIFY(!finished());
  write(path, test::runOf(plan, cellsOf(plan)[1]), RunEnding::Complete);
  QVERIFY(!finished());
  write(path, test::runOf(plan, cell), RunEnding::Complete);
  QCOMPARE(finishedRun(folder(), plan, cell)->steps.size(), 2u);
  const auto whole = fs::file_size(path);
  for (const auto size : {whole - 4096, whole / 2, std::uintmax_t(4096),
                          std::uintmax_t(100), std::uintmax_t(0)}) {
    fs::resize_file(path, size);
    QVERIFY2(!finished(), qPrintable(QString::number(size)));
  }
  // Opening a pipe would block.
  fs::remove(path);
  QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
  QVERIFY(!finished());
}

EQUIPATCH_TEST(tst_sweep_plan)
#include "tst_sweep_plan.moc"
