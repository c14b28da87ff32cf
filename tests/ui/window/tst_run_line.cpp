// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_line.h"

#include <QMenu>
#include <QSignalSpy>

#include "core/base/program_files.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/prompt/sample_prompts.h"

using namespace equipatch;

namespace {

struct LineSetup {
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  QWidget window;
  RunLine line{model, controller, &window};

  /// Shows a run of the model in `folder` that continued with `tokens`.
  void show(const std::string& folder, const std::vector<std::int64_t>& tokens,
            const std::string& prompt = "Once upon a time") {
    RunHeader header = *test::makeHeader();
    header.request.promptText = prompt;
    header.modelFolder = folder;
    model.begin(std::make_shared<const RunHeader>(header));
    std::vector<RunModel::Record> records;
    for (const std::int64_t token : tokens) {
      StepRecord record = *test::makeRecord(int(records.size()));
      record.continued = TokenId(token);
      records.push_back(std::make_shared<const StepRecord>(record));
    }
    model.append(records);
  }
};

std::string bundledFolder() {
  return findResource(Resource::BundledModel).value().string();
}

}  // namespace

class tst_run_line : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theLineSaysHowManyTokensAgree() {
    LineSetup setup;
    QVERIFY(setup.line.isHidden() && setup.line.sentence().isEmpty());
    setup.show("/models/any", {1, 2, 3});
    QVERIFY2(
        setup.line.sentence().startsWith(QStringLiteral("3 of 3 tokens agree; without "
                                                        "the context logits are off ")),
        qPrintable(setup.line.sentence()));
    QVERIFY(setup.line.hint().isEmpty());
    QVERIFY(!setup.line.isHidden());
    setup.line.setExplained(false);
    QVERIFY(setup.line.isHidden());
    setup.line.offerSettings(true);  // shown even without explanations
    QVERIFY(!setup.line.isHidden());
    setup.line.offerSettings(false);
    QVERIFY(setup.line.isHidden());
  }

  /// During a run, the sentence says "so far". A load after the run must not bring these
  /// words back.
  void aRunThatEndedHasItsSummaryWhileAModelLoads() {
    LineSetup setup;
    setup.show("/models/any", {1, 2, 3});
    const QString summary = setup.line.sentence();
    setup.controller.load({.folder = "/models/next"});
    QCOMPARE(setup.controller.phase(), RunController::Phase::Loading);
    QCOMPARE(setup.line.sentence(), summary);
  }

  void hintsWhenTheBundledModelRepeats() {
    LineSetup setup;
    setup.show(bundledFolder(), {1, 2, 3, 4, 5});
    QVERIFY(setup.line.hint().isEmpty());
    setup.show("/models/any", {7, 7, 7, 7, 7});
    QVERIFY(setup.line.hint().isEmpty());
    setup.show(bundledFolder(), {7, 7, 7, 7, 7});
    QVERIFY(setup.line.hint().startsWith(QStringLiteral("The model repeats")));
    setup.line.setExplained(false);  // shown even without explanations
    QVERIFY(!setup.line.isHidden());
  }

  /// If the answer to a known kind of prompt is nonsense, a space at the prompt's end is
  /// the likeliest reason.
  void namesASpaceAtThePromptsEnd() {
    LineSetup setup;
    setup.show(bundledFolder(), {7, 7, 7, 7, 7}, "Who has the lamp? Answer: ");
    QVERIFY2(setup.line.hint().contains(QStringLiteral("ends with a space")),
             qPrintable(setup.line.hint()));
    setup.show(bundledFolder(), {7, 7, 7, 7, 7}, "Who has the lamp? Answer:");
    QVERIFY(!setup.line.hint().contains(QStringLiteral("ends with a space")));
    setup.show(bundledFolder(), {1, 2, 3, 4, 5}, "Who has the lamp? Answer: ");
    QVERIFY(setup.line.hint().isEmpty());
  }

  void aBranchHasNoHint() {
    LineSetup setup;
    setup.show(bundledFolder(), {7, 7, 7, 7, 7});
    setup.line.setInheritedTokens(17);
    QVERIFY(setup.line.hint().isEmpty());
    setup.line.setInheritedTokens(0);
    QVERIFY(!setup.line.hint().isEmpty());
  }

  void offersTheSamplesThatTheModelCanAnswer() {
    LineSetup setup;
    QSignalSpy chosen(&setup.line, &RunLine::sampleChosen);
    for (const Resource model : {Resource::BundledModel, Resource::BundledVisionModel}) {
      setup.show(findResource(model).value().string(), {7, 7, 7, 7, 7});
      const auto actions = setup.line.findChild<QMenu*>()->actions();
      QVERIFY(actions.size() >= 5);
      for (QAction* action : actions) {
        action->trigger();
        const SamplePrompt& sample =
            samplePrompts().at(std::size_t(chosen.takeLast()[0].toInt()));
        QCOMPARE(action->text(), sample.title);
        QVERIFY(sample.bundled);
        QCOMPARE(sample.picture.isEmpty(), model == Resource::BundledModel);
      }
    }
  }
};

EQUIPATCH_TEST(tst_run_line)
#include "tst_run_line.moc"
