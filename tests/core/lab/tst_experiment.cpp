#include "core/lab/experiment.h"

#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_experiment : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void allAreComplete();
  void defaultsAreAllowed();
  void anUnknownNameIsToldTheKnown();
};

void tst_experiment::allAreComplete() {
  QCOMPARE(experiments().size(), 9u);
  std::set<std::string> names;
  for (const Experiment& experiment : experiments()) {
    names.insert(experiment.name);
    QVERIFY(!experiment.title.empty() && experiment.claim.ends_with('.'));
    QVERIFY(experiment.run != nullptr);
    QCOMPARE(&experimentNamed(experiment.name), &experiment);
    std::set<std::string> settings;
    for (const LabSetting& setting : experiment.settings) settings.insert(setting.name);
    QCOMPARE(settings.size(), experiment.settings.size());
  }
  QCOMPARE(names.size(), experiments().size());
}

void tst_experiment::defaultsAreAllowed() {
  for (const Experiment& experiment : experiments())
    for (const LabPreset preset : {LabPreset::Quick, LabPreset::Paper}) {
      const bool paper = preset == LabPreset::Paper;
      LabSettings settings(experiment.settings, preset);
      for (const LabSetting& setting : experiment.settings) {
        QCOMPARE(setting.quick.index(), setting.paper.index());
        settings.set(setting.name, toText(paper ? setting.paper : setting.quick));
      }
      QCOMPARE(settings.preset(), std::string(paper ? "paper" : "quick"));
    }
}

void tst_experiment::anUnknownNameIsToldTheKnown() {
  QVERIFY_ERROR(experimentNamed("magic"), "\"magic\"", "theorem", "words");
}

EQUIPATCH_TEST(tst_experiment)
#include "tst_experiment.moc"
