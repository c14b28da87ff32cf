// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/run_page.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/page/page_assets.h"
#include "core/page/page_values.h"
#include "core/record/context_effect.h"
#include "core/record/verdict.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::changed;
using equipatch::test::computedBy;
using equipatch::test::figureRun;

namespace {

constexpr const char* kDataStart = "<script type=\"application/json\" id=\"data\">";
const std::string kHostile =
    "</script><script>alert(1)</script><img onerror=alert(1) src=x><!-- & ' \" \u2028 "
    "\x07 "
    "\u202E ]]> {{scripts}}";
const std::string kHostileShown =
    "</script><script>alert(1)</script><img onerror=alert(1) src=x><!-- & ' \" ‹U+2028› "
    "\uFFFD ‹U+202E› ]]> {{scripts}}";

std::string dataText(const std::string& page) {
  const std::size_t begin = page.find(kDataStart) + std::string(kDataStart).size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

PageObject dataIn(const std::string& page) {
  return PageObject::parse(dataText(page));
}

int countOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// The contents of all HTML elements named `element` that have no attributes.
QList<QByteArray> contentsOf(const std::string& page, const QString& element) {
  QList<QByteArray> contents;
  const QRegularExpression pattern(QStringLiteral("<%1>(.*?)</%1>").arg(element),
                                   QRegularExpression::DotMatchesEverythingOption);
  auto matches = pattern.globalMatch(QString::fromStdString(page));
  while (matches.hasNext()) contents << matches.next().captured(1).toUtf8();
  return contents;
}

PageRun hostileRun() {
  FigureRun run = figureRun("", 3, {.noise = true, .mismatchEvery = 2});
  auto header = std::make_shared<RunHeader>(*equipatch::test::withPicture(*run.header));
  header->modelName = header->architecture = header->device = kHostile;
  header->patchedMatrices.push_back(kHostile);
  Provenance& provenance = header->provenance;
  provenance.program = provenance.torch = provenance.processor = kHostile;
  provenance.startTime = provenance.configSha256 = kHostile;
  provenance.tensorFiles = {{kHostile, kHostile, kHostile}};
  RunRequest& request = header->request;
  request.measureNoise = true;
  request.promptText = request.branch.file = kHostile;
  request.prompt = {{.id = TokenId(1), .piece = kHostile, .span = {0, kHostile.size()}}};
  auto file = std::make_shared<PictureFile>(*request.images[0].picture);
  file->name = kHostile;
  request.images[0].picture = file;
  run.header = header;
  for (std::size_t step = 0; step < 3; ++step)
    run = changed(run, step, [](StepRecord& record) {
      record.tokenText = record.patchedText = record.continuedBytes = kHostile;
      record.contextual[0].text = record.patched[0].text = record.bare[0].text = kHostile;
      record.layers[0].note = kHostile;
    });
  return {.run = run,
          .damage = kHostile,
          .labels = {.name = kHostile, .notes = kHostile, .tags = {kHostile}}};
}

}  // namespace

class tst_run_page : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void stepsHaveTheRecordedValues() {
    const FigureRun run = figureRun("mine", 4, {.noise = true, .mismatchEvery = 3});
    const PageObject data = dataIn(runPage({{.run = run}}))["runs"][0];
    QCOMPARE(data["name"].get<std::string>(), std::string("mine"));
    QCOMPARE(data["start"].get<int>(), 2);  // the first mismatch
    for (std::size_t step = 0; step < 4; ++step) {
      const StepRecord& record = *run.steps[step];
      const PageObject& shown = data["steps"][step];
      QCOMPARE(shown["match"].get<bool>(), record.match);
      QCOMPARE(shown["token"][0].get<std::int64_t>(), record.token.value);
      QCOMPARE(shown["said"]["step"].get<std::string>(),
               stepSentence(run.steps, step, {}));
      const double linf = record.bareDistance->linf;
      QVERIFY(std::abs(shown["distances"]["bare"][0].get<double>() - linf) < 1e-6 * linf);
      QCOMPARE(shown["choices"]["patched"].size(), record.patched.size());
      const PageObject& choice = shown["choices"]["contextual"][3];
      QCOMPARE(choice[0].get<std::int64_t>(), record.contextual[3].id.value);
      QVERIFY(std::abs(choice[3].get<double>() - record.contextual[3].probability) <
              1e-6);
      QVERIFY(std::abs(shown["layers"]["effect"][5].get<double>() -
                       record.layers[5].effect) < 1e-6);
      QVERIFY(!shown["layers"].contains("experts"));
    }
    const auto verdicts = data["verdicts"].get<std::string>();
    QVERIFY(verdicts.starts_with("By the measured noise floor: "));
    QVERIFY(holds(verdicts, "1 " + spelled(VerdictKind::NearTie)));
    QVERIFY(data["worth"].get<std::string>().starts_with("3 of 4 tokens agree"));
    QVERIFY(holds(data["settings"].dump(), "SyntheticForCausalLM"));
    QVERIFY(!holds(data["settings"].dump(), "/models/"));  // exports hide paths
  }

  void anInfiniteNoiseFloorCountsAsNone() {
    const FigureRun run =
        changed(figureRun("mine", 1, {.noise = true}), 0, [](StepRecord& step) {
          step.noise->linf = std::numeric_limits<double>::infinity();
        });
    const PageObject data = dataIn(runPage({{.run = run}}))["runs"][0];
    QCOMPARE(data["verdicts"].get<std::string>(),
             "Without a noise floor: 1 " + spelled(VerdictKind::Unmeasured) + ".");
  }

  void hostileTextsAddNoMarkup() {
    const PageRun hostile = hostileRun();
    const std::string page = runPage({hostile});
    const std::string text = dataText(page);
    QVERIFY(text.find_first_of("<>&") == std::string::npos);
    QVERIFY(text.find("\u2028") == std::string::npos);
    QVERIFY(text.find("\u202E") == std::string::npos);
    QCOMPARE(countOf(page, "<script"), 1 + int(kPageScripts.size()));
    QCOMPARE(countOf(page, "</script"), 1 + int(kPageScripts.size()));
    QCOMPARE(countOf(page, "<img"), 0);
    const PageObject run = dataIn(page)["runs"][0];
    for (const char* key : {"name", "model", "damage"})
      QCOMPARE(run[key].get<std::string>(), kHostileShown);
    QCOMPARE(run["labels"]["notes"].get<std::string>(), kHostileShown);
    QCOMPARE(run["labels"]["tags"][0].get<std::string>(), kHostileShown);
    QCOMPARE(run["prompt"]["tokens"][0][0].get<std::string>(), kHostileShown);
    QCOMPARE(run["prompt"]["pictures"][0]["name"].get<std::string>(), kHostileShown);
    QVERIFY(!run["prompt"]["pictures"][0].contains("uri"));  // PNM: no browser shows it
    QCOMPARE(run["steps"][0]["layers"]["note"][0].get<std::string>(), kHostileShown);
    const TokenId id = hostile.run.steps[0]->bare[0].id;
    QCOMPARE(run["steps"][0]["choices"]["bare"][0][1].get<std::string>(),
             kHostileShown + " #" + std::to_string(id.value));
  }

  void brokenRunsAreShown() {
    FigureRun run = figureRun("mine", 2, {.noise = true});
    constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
    run = changed(run, 0, [](StepRecord& step) {
      step.patchedDistance = {kNoValue, kNoValue, kNoValue};
      step.contextual.clear();
      step.patched.clear();
      step.bare.clear();
      step.layers.clear();
      step.layerNoise.clear();
      step.tokenText = "\xFF\xFE";
    });
    const PageObject data = dataIn(runPage({{.run = run}}))["runs"][0];
    QVERIFY(data["steps"][0]["distances"]["patched"][0].is_null());
    QCOMPARE(data["steps"][0]["text"].get<std::string>(), std::string("‹FF FE›"));
    QCOMPARE(data["charts"]["map"]["steps"][0]["cells"].get<std::string>(),
             std::string());
    QVERIFY(!data["charts"]["map"]["steps"][1]["cells"].get<std::string>().empty());
  }

  void contentPolicyListsScriptsAndStyles() {
    const std::string page = runPage({{.run = figureRun("mine", 1)}});
    const QString text = QString::fromStdString(page);
    const QString policy =
        QRegularExpression("Content-Security-Policy\" content=\"([^\"]*)\"")
            .match(text)
            .captured(1);
    QVERIFY(policy.startsWith("default-src 'none'; script-src 'sha256-"));
    QVERIFY(!policy.contains("unsafe") && !policy.contains("http"));
    int hashes = 0;
    for (const char* element : {"script", "style"})
      for (const QByteArray& content : contentsOf(page, element)) {
        ++hashes;
        const QByteArray hash =
            QCryptographicHash::hash(content, QCryptographicHash::Sha256).toBase64();
        QVERIFY2(policy.contains("'sha256-" + hash + "'"), element);
      }
    QCOMPARE(hashes, int(kPageScripts.size() + kPageStyles.size()));
    QCOMPARE(policy.count("'sha256-"), hashes);
    QVERIFY(!text.contains("{{"));
  }

  void pagesHaveTheMarkerAndTheUnchangedChartLibrary() {
    QFile readme(QString::fromStdString(
        (equipatch::test::data("") / "../../resources/page/uplot/README.md").string()));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QByteArray notes = readme.readAll();
    for (const std::string_view file :
         {kPageScripts.front(), kPageStyles.front(), kChartLicence}) {
      const QByteArray bytes(file.data(), qsizetype(file.size()));
      const QByteArray hash =
          QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
      QVERIFY2(notes.contains(hash), hash);
    }
    const std::string page = runPage({{.run = figureRun("mine", 1)}});
    QVERIFY(holds(page, std::string(kChartLicence)));
    QVERIFY(page.find(kPageMarker) < 30);
  }

  void aLongRunStaysBelowTwoMegabytes() {
    const FigureRun run =
        figureRun("mine", 64, {.layers = 26, .width = 1152, .noise = true});
    const std::string page = runPage({{.run = run}});
    QVERIFY2(page.size() <= 2'000'000, std::to_string(page.size()).c_str());
    const PageObject map = dataIn(page)["runs"][0]["charts"]["map"];
    QCOMPARE(map["width"].get<int>(), 1152);
    QCOMPARE(map["bins"].get<int>(), 144);
  }

  void aPageHasDistinctRunNamesAndTheGlossary() {
    const FigureRun one = figureRun("", 2);
    const FigureRun other = computedBy(one, DType::F32, {.loop = Loop::Open});
    const PageObject data = dataIn(runPage(
        {{.run = one}, {.run = other}, {.run = other, .labels = {.name = "third"}}}));
    QCOMPARE(data["runs"].size(), std::size_t{3});
    const auto nameOf = [&](int run) {
      return data["runs"][run]["name"].get<std::string>();
    };
    QVERIFY2(nameOf(0).starts_with("bfloat16 "), nameOf(0).c_str());
    QVERIFY2(nameOf(0).ends_with(" closed"), nameOf(0).c_str());
    QVERIFY2(nameOf(1).starts_with("float32 "), nameOf(1).c_str());
    QVERIFY2(nameOf(1).find(" open") != std::string::npos, nameOf(1).c_str());
    QCOMPARE(data["runs"][2]["name"].get<std::string>(), std::string("third"));
    QVERIFY(
        data["words"]["Δm"].get<std::string>().starts_with("The change of the scale"));
    QVERIFY(data["words"].size() > 30);
  }

  void branchesBeginAfterTheSharedSteps() {
    const FigureRun run = figureRun("mine", 6);
    FigureRun branch = figureRun("branch", 3);
    auto header = std::make_shared<RunHeader>(*run.header);
    header->request =
        branchedRequest(run.header->request, {run.steps.begin(), run.steps.begin() + 4},
                        {TokenId(904), "other", 0.0, 0.1});
    branch.header = header;
    std::vector<PageRun> runs{{.run = branch}, {.run = run}};
    alignBranches(runs);
    const PageObject data = dataIn(runPage(runs));
    QCOMPARE(data["runs"][0]["begins"].get<int>(), 5);
    QCOMPARE(data["runs"][1]["begins"].get<int>(), 0);
  }

  void theEndingCountsTheSteps() {
    FigureRun run = figureRun("mine", 3);
    auto header = std::make_shared<RunHeader>(*run.header);
    header->request.steps = 8;
    run.header = header;
    const auto ending = [](const PageRun& page) {
      return dataIn(runPage({page}))["runs"][0]["ending"].get<std::string>();
    };
    QCOMPARE(ending({.run = run}), std::string("3 steps"));  // the sequence ended
    QCOMPARE(ending({.run = run, .ending = RunEnding::Stopped}),
             std::string("stopped after 3 of 8 steps"));
    QCOMPARE(ending({.run = run, .ending = RunEnding::Interrupted}),
             std::string("interrupted after 3 of 8 steps"));
    QCOMPARE(ending({.run = run, .isRecording = true}),
             std::string("3 of 8 steps so far"));
  }

  void aPageWithoutStepsIsRefused() {
    QVERIFY_ERROR(runPage({}), "at least one run");
    QVERIFY_ERROR(runPage({{.run = figureRun("mine", 0)}}), "no finished step");
    QVERIFY_ERROR(runPage({{.run = figureRun("mine", 0), .damage = "it is cut"}}),
                  "(it is cut)");
  }

  void pagesAreWrittenWhole() {
    QTemporaryDir folder;
    const QString path = folder.filePath("page.html");
    const std::vector<PageRun> runs{
        {.run = figureRun("mine", 2)},
        {.run = figureRun("other", 3, {.closesWithScale = false})}};
    test::Patience progress;
    exportPage(runs, path.toStdString(), progress);
    QCOMPARE(contentOf(path), runPage(runs));
    QCOMPARE(progress.asked, 5 * 2 + 4 * 3);
    QVERIFY(std::ranges::is_sorted(progress.fractions));
    QCOMPARE(progress.fractions.back(), 1.0);
    QVERIFY_ERROR(exportPage(runs, "/proc/page.html", progress), "/proc/page.html");
  }

  void aStoppedExportKeepsTheEarlierPage() {
    QTemporaryDir folder;
    const QString path = folder.filePath("page.html");
    std::ofstream(path.toStdString()) << "an earlier page";
    test::Patience progress(3);
    const std::vector<PageRun> runs{{.run = figureRun("mine", 2)}};
    QVERIFY_ERROR(exportPage(runs, path.toStdString(), progress), "stopped on request");
    QCOMPARE(contentOf(path), std::string("an earlier page"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"page.html"});
  }
};

EQUIPATCH_TEST(tst_run_page)
#include "tst_run_page.moc"
