// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/settings_form.h"

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct FormSetup {
  test::SyntheticEngine engine;
  SettingsForm form;

  const Experiment& counting() { return engine.experiments()[0]; }
  const Experiment& words() { return engine.experiments()[1]; }
};

/// Chooses a preset as a user does.
void choose(SettingsForm& form, int preset) {
  form.presets()->setCurrentIndex(preset);
  Q_EMIT form.presets()->activated(preset);
}

}  // namespace

class tst_settings_form : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void presetsFillTheFields() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    QCOMPARE(s.form.settings().preset(), std::string("quick"));
    choose(s.form, 1);
    const LabSettings settings = s.form.settings();
    QCOMPARE(settings.preset(), std::string("paper"));
    QCOMPARE(settings.count("steps"), 50);
    QCOMPARE(settings.number("rate"), 1e-3);
    QCOMPARE(settings.text("dtype"), std::string("float64"));
  }

  void aSavedStateIsRestored() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    choose(s.form, 1);
    s.form.setSuggestion("rate", "0.25");
    s.form.seedBox()->setValue(5);
    qobject_cast<QSpinBox*>(s.form.field("steps"))->setValue(9);
    const SettingsForm::State state = s.form.state();
    s.form.setExperiment(s.words());
    s.form.restoreDefaults();
    s.form.setExperiment(s.counting());
    s.form.restore(state);
    QCOMPARE(s.form.settings().count("steps"), 9);
    QCOMPARE(s.form.settings().number("rate"), 0.25);
    QCOMPARE(s.form.presets()->currentText(), QString("Changed"));
    QCOMPARE(s.form.seed(), std::uint64_t{5});
    choose(s.form, 1);  // the suggestion is part of the preset
    QCOMPARE(s.form.settings().count("steps"), 50);
    QCOMPARE(s.form.settings().number("rate"), 0.25);
  }

  void aChangedFieldSetsThePresetToChanged() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    QComboBox& presets = *s.form.presets();
    QCOMPARE(presets.currentIndex(), 0);
    auto* steps = qobject_cast<QSpinBox*>(s.form.field("steps"));
    const int quick = steps->value();
    steps->setValue(quick + 1);
    QCOMPARE(presets.currentText(), QString("Changed"));
    steps->setValue(quick);
    QCOMPARE(presets.currentText(), QString("Quick"));
    steps->setValue(quick + 1);
    choose(s.form, 0);
    QCOMPARE(steps->value(), quick);
    QCOMPARE(presets.currentText(), QString("Quick"));
    auto* rate = qobject_cast<QLineEdit*>(s.form.field("rate"));
    rate->setText("0.7");
    QCOMPARE(presets.currentText(), QString("Changed"));
    rate->setText("0.500");  // the number it was
    QCOMPARE(presets.currentText(), QString("Quick"));
    s.form.setSuggestion("dtype", "float64");  // counts as the preset's value
    choose(s.form, 1);
    QCOMPARE(presets.currentText(), QString("As in the paper"));
  }

  void fieldsHaveTypesAndBounds() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    auto* steps = qobject_cast<QSpinBox*>(s.form.field("steps"));
    QVERIFY(steps && steps->minimum() == 1 && steps->maximum() == 1000000);
    steps->setValue(9);
    auto* rate = qobject_cast<QLineEdit*>(s.form.field("rate"));
    QVERIFY(rate);
    rate->setText("2.5e-2");
    QCOMPARE(s.form.settings().number("rate"), 0.025);
    QCOMPARE(s.form.settings().count("steps"), 9);
    QCOMPARE(s.form.settings().preset(), std::string("own"));
    rate->clear();
    QTest::keyClicks(rate, "-1");
    QVERIFY_ERROR(s.form.settings(), "rate", "from 0 to 1", "-1");
    auto* dtype = qobject_cast<QComboBox*>(s.form.field("dtype"));
    QVERIFY(dtype && dtype->count() == 2);
  }

  void anotherExperimentHasOtherFields() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    s.form.setExperiment(s.words());
    QVERIFY(!s.form.field("steps"));
    QVERIFY(s.form.field("prompt"));
    QCOMPARE(s.form.settings().text("prompt"), std::string("usual"));
  }

  void suggestionsReplaceDefaults() {
    FormSetup s;
    s.form.setSuggestion("prompt", "Once upon");
    s.form.setExperiment(s.words());
    QCOMPARE(s.form.settings().text("prompt"), std::string("Once upon"));
    QCOMPARE(s.form.settings().text("model"), std::string("usual"));
    s.form.setSuggestion("model", "/models/mine");
    QCOMPARE(s.form.settings().text("model"), std::string("/models/mine"));
  }

  void restoringDefaultsReplacesChosenSettings() {
    FormSetup s;
    s.form.setExperiment(s.counting());
    choose(s.form, 1);
    qobject_cast<QSpinBox*>(s.form.field("steps"))->setValue(7);
    s.form.seedBox()->setValue(12);
    s.form.restoreDefaults();
    QCOMPARE(s.form.presets()->currentIndex(), 0);
    QCOMPARE(s.form.seed(), std::uint64_t{0});
    QCOMPARE(s.form.settings().preset(), std::string("quick"));
  }

  /// A lesson's experiment does not depend on what is in the window.
  void restoringDefaultsReplacesSuggestions() {
    FormSetup s;
    s.form.setExperiment(s.words());
    s.form.setSuggestion("prompt", "Once upon");
    s.form.restoreDefaults();
    QCOMPARE(s.form.settings().text("prompt"), std::string("usual"));
    QCOMPARE(s.form.settings().preset(), std::string("quick"));
    s.form.setSuggestion("prompt", "Once upon");
    QCOMPARE(s.form.settings().text("prompt"), std::string("Once upon"));
  }

  void theSeedCanBeSet() {
    FormSetup s;
    s.form.seedBox()->setValue(12);
    QCOMPARE(s.form.seed(), std::uint64_t{12});
  }
};

EQUIPATCH_TEST(tst_settings_form)
#include "tst_settings_form.moc"
