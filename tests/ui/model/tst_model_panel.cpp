// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileDialog>
#include <QSignalSpy>

#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/model/model_panel.h"

using namespace equipatch;

namespace {

void choose(const ModelPanel& panel, const char* name, const char* value) {
  auto* box = panel.findChild<QComboBox*>(QString::fromLatin1(name));
  box->setCurrentText(QString::fromLatin1(value));
}

}  // namespace

class tst_model_panel : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void requestsTheChosenSettings();
  void panelDefaultsEqualRequestDefaults();
  void choosingEmitsModelChosen();
  void showsTheMemoryOfTheDtype();
  void theLoadedModelsMemoryCountsAsFree();
  void asStoredStaysChosenForTheStoredDtype();
  void saysThatTheNextRunLoadsAnotherDType();
  void showsTheCardOfTheLoadedModel();
  void browseOpensADialogWithoutBlocking();
  void everyComboBoxHasAName();
  void samplingSettingsReachTheRequest();
  void stateRestoresFieldsNotInUse();
  void settingsComeBackAtTheNextStart();
};

void tst_model_panel::requestsTheChosenSettings() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  panel.setFolder(QStringLiteral(" /models//tiny/ "));
  panel.setSteps(7);
  choose(panel, "dtype", "bfloat16");
  choose(panel, "device", "cuda");
  choose(panel, "weights", "mapped");
  choose(panel, "method", "direct");
  choose(panel, "loop", "open");
  choose(panel, "application", "materialised");
  panel.findChild<QCheckBox*>(QStringLiteral("noise"))->setChecked(true);
  panel.findChild<QCheckBox*>(QStringLiteral("ablated"))->setChecked(true);
  panel.findChild<QCheckBox*>(QStringLiteral("bare"))->setChecked(false);
  const SessionRequest model = panel.modelRequest();
  QCOMPARE(model.folder.string(), std::string("/models/tiny"));
  QVERIFY(model.dtype == DType::BF16);
  QCOMPARE(model.device, std::string("cuda"));
  QVERIFY(model.place == WeightPlace::Mapped);
  ModelPanel other;
  other.showRequest(model);
  QVERIFY(other.modelRequest().place == WeightPlace::Mapped);
  other.showRequest({.folder = "/models/tiny"});
  QVERIFY(!other.modelRequest().place);
  other.showRequest({.folder = "/models/tiny", .device = "cuda:1"});  // not in the list
  QCOMPARE(other.modelRequest().device, std::string("cuda:1"));
  const RunRequest run = panel.runRequest();
  QCOMPARE(run.steps, 7);
  QVERIFY(run.patch.method == Method::Direct);
  QVERIFY(run.patch.loop == Loop::Open);
  QVERIFY(run.patch.application == Application::Materialised);
  QVERIFY(run.measureNoise);
  QVERIFY(run.ablated);
  QVERIFY(!run.bare);
}

void tst_model_panel::panelDefaultsEqualRequestDefaults() {
  const test::ScratchSettings scratch;
  const ModelPanel panel;
  const RunRequest expected;
  const RunRequest run = panel.runRequest();
  QVERIFY(!panel.modelRequest().dtype);
  QVERIFY(!panel.modelRequest().place);
  QCOMPARE(run.steps, expected.steps);
  QVERIFY(run.patch.method == expected.patch.method);
  QVERIFY(run.patch.loop == expected.patch.loop);
  QVERIFY(run.patch.application == expected.patch.application);
  QCOMPARE(run.bare, expected.bare);
  QCOMPARE(run.measureNoise, expected.measureNoise);
  QCOMPARE(run.ablated, expected.ablated);
}

void tst_model_panel::choosingEmitsModelChosen() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  QSignalSpy chosen(&panel, &ModelPanel::modelChosen);
  auto* folder = panel.findChild<QComboBox*>(QStringLiteral("modelFolder"));
  auto* device = panel.findChild<QComboBox*>(QStringLiteral("device"));
  QTest::keyClick(device, Qt::Key_Down);
  QCOMPARE(chosen.count(), 0);  // no folder yet
  QTest::keyClicks(folder, QStringLiteral("/models/x"));
  QCOMPARE(chosen.count(), 0);
  QTest::keyClick(folder, Qt::Key_Return);
  QCOMPARE(chosen.count(), 1);
  QCOMPARE(panel.folder(), QStringLiteral("/models/x"));
  auto* dtype = panel.findChild<QComboBox*>(QStringLiteral("dtype"));
  QTest::keyClick(dtype, Qt::Key_Down);
  QCOMPARE(chosen.count(), 2);
  QTest::keyClick(panel.findChild<QComboBox*>(QStringLiteral("weights")), Qt::Key_Down);
  QCOMPARE(chosen.count(), 3);
}

void tst_model_panel::showsTheMemoryOfTheDtype() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  const auto* need = panel.findChild<QLabel*>(QStringLiteral("need"));
  QVERIFY(need->isHidden());
  panel.showModels(std::make_shared<const ModelList>(test::someModels()));
  panel.setFolder(QStringLiteral("owner/good"));
  QVERIFY(!need->isHidden());
  QCOMPARE(need->text(), QStringLiteral("2.47 GB of 16.0 GB free"));
  panel.setDType(DType::F32);
  QCOMPARE(need->text(), QStringLiteral("4.94 GB of 16.0 GB free"));
  panel.setFolder(QStringLiteral("/models/huge"));
  panel.setDType(DType::BF16);
  QVERIFY(need->text().startsWith(u'✗'));
  QVERIFY(need->text().endsWith(QStringLiteral(", weights mapped")));
  choose(panel, "weights", "resident");
  QVERIFY(!need->text().contains(QStringLiteral("mapped")));
  panel.setFolder(QStringLiteral("/unknown"));
  QVERIFY(need->isHidden());
}

/// The loaded model is released before another one is loaded.
void tst_model_panel::theLoadedModelsMemoryCountsAsFree() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  const auto* need = panel.findChild<QLabel*>(QStringLiteral("need"));
  auto model = std::make_shared<LoadedModel>();
  model->dtype = DType::BF16;
  model->memory = {{.dtype = DType::F32, .weights = 8'000'000'000},
                   {.dtype = DType::BF16, .weights = 4'000'000'000}};
  panel.showModel(model);
  panel.showModels(std::make_shared<const ModelList>(test::someModels()));
  panel.setFolder(QStringLiteral("owner/good"));
  QCOMPARE(need->text(), QStringLiteral("2.47 GB of 20.0 GB free"));
  model = std::make_shared<LoadedModel>(*model);
  model->weights = WeightPlace::Mapped;
  panel.showModel(model);
  panel.showModels(std::make_shared<const ModelList>(test::someModels()));
  QCOMPARE(need->text(), QStringLiteral("2.47 GB of 16.0 GB free"));
}

/// "as stored" and the stored dtype load the same weights.
void tst_model_panel::asStoredStaysChosenForTheStoredDtype() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  panel.showModels(std::make_shared<const ModelList>(test::someModels()));
  panel.setFolder(QStringLiteral("owner/good"));
  panel.showRequest({.folder = "/cache/good", .dtype = DType::BF16});
  QVERIFY(!panel.modelRequest().dtype);
  panel.showRequest({.folder = "/cache/good", .dtype = DType::F32});
  QVERIFY(panel.modelRequest().dtype == DType::F32);
  panel.showRequest({.folder = "/cache/good", .dtype = DType::BF16});
  QVERIFY(panel.modelRequest().dtype == DType::BF16);
}

/// A branch loads the model in the dtype of the branch's run; the panel's choice stays.
void tst_model_panel::saysThatTheNextRunLoadsAnotherDType() {
  const test::ScratchSettings scratch;
  ModelPanel panel;
  const auto* card = panel.findChild<QLabel*>(QStringLiteral("muted"));
  const auto isSaid = [&] { return card->text().contains(u"next run loads it in"); };
  panel.showModels(std::make_shared<const ModelList>(test::someModels()));
  panel.setFolder(QStringLiteral("owner/good"));
  auto model = std::make_shared<LoadedModel>();
  model->folder = "/cache/good";
  model->dtype = DType::F32;
  panel.showModel(model);
  QVERIFY(isSaid());  // the model is stored in bfloat16
  panel.setDType(DType::F32);
  QVERIFY2(!isSaid(), qPrintable(card->text()));
  panel.setDType(DType::F16);
  QVERIFY(isSaid());
}

void tst_model_panel::showsTheCardOfTheLoadedModel() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  auto model = std::make_shared<LoadedModel>();
  model->name = "good";
  model->folder = "/cache/good";
  model->plan.block = "v = x + attention(norm(x))";
  model->spec.architecture = "OtherForCausalLM";
  ModelPanel panel;
  panel.show();
  auto* button = panel.findChild<QPushButton*>(QStringLiteral("showCard"));
  QVERIFY(!button->isVisible());
  ModelList list = test::someModels();
  ListedModel incomplete = list.models.front();  // listed first, without a parity check
  incomplete.entry.name = "owner/incomplete";
  incomplete.entry.missing = {"model.safetensors"};
  incomplete.parity = {};
  list.models.insert(list.models.begin(), incomplete);
  panel.showModels(std::make_shared<const ModelList>(list));
  panel.setFolder(QStringLiteral("owner/good"));
  panel.showModel(model);
  QVERIFY(!panel.card().isEmpty());
  QVERIFY(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  auto* dialog = panel.findChild<CardDialog*>(QStringLiteral("cardDialog"));
  QVERIFY(dialog);
  QVERIFY(!dialog->text().contains(QStringLiteral("equals Hugging Face")));
  model->spec.architecture = "LlamaForCausalLM";  // passed the parity check
  QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(dialog->text().contains(QStringLiteral("v = x + attention(norm(x))")));
  QVERIFY(dialog->text().contains(QStringLiteral("equals Hugging Face")));
  auto* card = dialog->findChild<QTextBrowser*>(QStringLiteral("card"));
  const QImage before = card->grab().toImage();
  QPalette other = dialog->palette();
  other.setColor(QPalette::Text, Qt::red);
  other.setColor(QPalette::WindowText, Qt::red);
  dialog->setPalette(other);
  QVERIFY(card->grab().toImage() != before);
  panel.showModel(nullptr);
  QVERIFY(!button->isVisible());
}

void tst_model_panel::browseOpensADialogWithoutBlocking() {
  const test::ScratchSettings scratch;
  const test::QuietPlatform quiet;
  const QTemporaryDir folder, home;
  const test::ChangedEnvironment environment("HOME", home.path().toUtf8());
  ModelPanel panel;
  panel.show();
  panel.browse();
  auto* dialog = panel.findChild<QFileDialog*>(QStringLiteral("browseDialog"));
  QVERIFY(dialog);
  QCOMPARE(dialog->directory(), QDir(home.path()));  // not where runs were opened last
  QSignalSpy chosen(&panel, &ModelPanel::modelChosen);
  Q_EMIT dialog->fileSelected(folder.path());
  dialog->close();
  QCOMPARE(chosen.count(), 1);
  QCOMPARE(panel.folder(), folder.path());
  panel.browse();
  const auto* beside = panel.findChildren<QFileDialog*>().last();
  QCOMPARE(beside->directory(), QDir(QFileInfo(folder.path()).path()));
  QCOMPARE(beside->selectedFiles().value(0), folder.path());
  panel.setFolder(QStringLiteral("owner/name"));
  panel.browse();
  const auto* again = panel.findChildren<QFileDialog*>().last();
  QCOMPARE(again->directory(), QDir(QFileInfo(folder.path()).path()));
}

void tst_model_panel::everyComboBoxHasAName() {
  const test::ScratchSettings scratch;
  const ModelPanel panel;
  for (const auto* box : panel.findChildren<QComboBox*>())
    QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
}

void tst_model_panel::samplingSettingsReachTheRequest() {
  ModelPanel panel;
  const auto field = [&](const char* name) {
    return panel.findChild<QWidget*>(QString::fromLatin1(name));
  };
  QVERIFY(!panel.runRequest().samples());
  QVERIFY(field("seed")->isHidden());
  RunRequest wanted;
  wanted.sampling = {.temperature = 0.7, .topK = 40, .topP = 0.9, .seed = 123456789012};
  wanted.audit = wanted.freeRun = wanted.ignoreEndOfSequence = wanted.keepFactors = true;
  panel.showRun(wanted);
  QVERIFY(!field("seed")->isHidden() && !field("topK")->isHidden());
  const RunRequest request = panel.runRequest();
  QVERIFY(request.sampling == wanted.sampling);
  QVERIFY(request.audit && request.freeRun && request.ignoreEndOfSequence);
  QVERIFY(request.keepFactors && request.bare && !request.measureNoise);
  auto* temperature = panel.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
  QCOMPARE(temperature->text(), temperature->locale().toString(0.7));
  // The command line accepts such values.
  wanted.sampling = {.temperature = 0.0004, .topK = 2000000, .topP = 1e-6, .seed = 1};
  panel.showRun(wanted);
  QVERIFY(panel.runRequest().sampling == wanted.sampling);
  auto* seed = panel.findChild<QLineEdit*>(QStringLiteral("seed"));
  seed->setText(QStringLiteral("9999999999999999999"));
  QCOMPARE(panel.runRequest().sampling.seed, std::uint64_t{9223372036854775807});
  temperature->setValue(0.0);
  QVERIFY(panel.runRequest().sampling == Sampling());
  QVERIFY(field("seed")->isHidden());
  // A request that does not sample leaves the hidden top-k and top-p unchanged.
  panel.showRun(panel.runRequest());
  temperature->setValue(0.0004);
  QCOMPARE(panel.runRequest().sampling.topK, std::int64_t{2000000});
  QCOMPARE(panel.runRequest().sampling.topP, 1e-6);
}

/// Unlike a request, a state has the fields that are not in use.
void tst_model_panel::stateRestoresFieldsNotInUse() {
  ModelPanel panel;
  RunRequest own;
  own.steps = 17;
  own.patch.loop = Loop::Half;
  own.sampling = {.temperature = 0.5, .topK = 3, .topP = 0.8, .seed = 9};
  panel.showRun(own);
  panel.setFolder(QStringLiteral("/models/a"));
  auto* temperature = panel.findChild<QDoubleSpinBox*>(QStringLiteral("temperature"));
  temperature->setValue(0.0);
  const ModelPanel::State state = panel.state();
  RunRequest other;
  other.sampling = {.temperature = 1.0, .topK = 7, .topP = 0.3, .seed = 1};
  other.keepFactors = true;
  panel.showRun(other);
  panel.setDType(DType::F64);
  panel.setFolder(QStringLiteral("/models/b"));
  panel.restore(state);
  QCOMPARE(panel.folder(), QStringLiteral("/models/a"));
  QVERIFY(!panel.modelRequest().dtype);
  QVERIFY(!panel.runRequest().samples());
  temperature->setValue(0.5);
  QVERIFY(panel.runRequest() == own);
}

void tst_model_panel::settingsComeBackAtTheNextStart() {
  const test::ScratchSettings scratch;
  RunRequest wanted;
  wanted.steps = 17;
  wanted.patch.method = Method::Stable;
  wanted.patch.loop = Loop::Half;
  wanted.sampling = {.temperature = 0.5, .topK = 3, .topP = 0.8, .seed = 9};
  wanted.audit = true;
  wanted.bare = false;
  {
    ModelPanel panel;
    panel.setFolder(QStringLiteral("google/gemma-3-1b-it"));
    panel.setDType(DType::F16);
    panel.showRun(wanted);
    panel.save();
  }
  ModelPanel panel;
  panel.restore();
  QCOMPARE(panel.folder(), QStringLiteral("google/gemma-3-1b-it"));
  QVERIFY(panel.modelRequest().dtype == DType::F16);
  QVERIFY(panel.runRequest() == wanted);
  panel.setFolder(QStringLiteral("/gone/for/ever"));
  panel.save();
  ModelPanel later;
  later.restore();
  QCOMPARE(later.folder(), QString());
}

EQUIPATCH_TEST(tst_model_panel)
#include "tst_model_panel.moc"
