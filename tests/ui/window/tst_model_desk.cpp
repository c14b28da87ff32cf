// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/model_desk.h"

#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

MemoryShortage shortage() {
  return {.model = "big",
          .need = {.dtype = DType::F32, .weights = 100},
          .free = 50,
          .fitting = {{.dtype = DType::BF16, .weights = 50}},
          .sentence = "big needs 100 B"};
}

QPushButton* buttonOf(const QWidget& parent, const char* text) {
  for (auto* button : parent.findChildren<QPushButton*>())
    if (button->text().remove(u'&') == QString::fromLatin1(text)) return button;
  return nullptr;
}

struct ModelDeskFixture {
  explicit ModelDeskFixture(const char* forgetFailure = "") {
    engine.forgetFailure = forgetFailure;
    engine.models.models.push_back(
        {.origin = ModelOrigin::Bundled, .entry = {.name = "bundled"}});
  }

  test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  QWidget window;
  MessageBar messages;
  ModelDesk desk{engine, controller, messages, window};
};

}  // namespace

class tst_model_desk : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void shortageQuestionIsAnsweredByItsButtons_data();
  void shortageQuestionIsAnsweredByItsButtons();
  void escapeInTheShortageQuestionLoadsNothing();
  void closingTheShortageQuestionDropsTheRun();
  void theAnswerDecidesWhetherTheRunIsComputed_data();
  void theAnswerDecidesWhetherTheRunIsComputed();
  void offersNoDtypeThatDoesNotFit();
  void aFolderThatCannotBeForgottenIsReported();
  void anUnknownModelNameKeepsTheLoadedModel();
  void aRunsMissingModelKeepsTheLoadedModel();
  void aLoadUnderWayIsNotBegunAnew();
  void noRunStartsForAnUnknownModelName();
  void aModelNameMissingFromTheListIsMarked();
};

/// For example, the run was recorded on another machine.
void tst_model_desk::aRunsMissingModelKeepsTheLoadedModel() {
  ModelDeskFixture f;
  f.desk.panel().setFolder(QStringLiteral("/models/first"));
  f.desk.loadChosen();
  QTRY_VERIFY(f.controller.loaded());
  RunHeader header;
  header.modelFolder = "/unknown/second";
  f.desk.loadModelOf(header);
  QCOMPARE(f.messages.text(), QStringLiteral("There is no /unknown/second"));
  QCOMPARE(f.engine.loads(), 1);
  QCOMPARE(f.desk.panel().folder(), QStringLiteral("/models/first"));
  QCOMPARE(f.controller.loaded()->folder, std::string("/models/first"));
  header.modelFolder = "/models/first";
  QVERIFY(f.desk.findsModelOf(header));
}

/// For example, the user presses Run and then the button below the prompt.
void tst_model_desk::aLoadUnderWayIsNotBegunAnew() {
  ModelDeskFixture f;
  f.desk.panel().setFolder(QStringLiteral("/models/first"));
  RunSettings settings{f.desk.panel().modelRequest(), {.steps = 3}};
  settings.prompt.text = "Once";
  f.controller.run(settings);
  f.desk.loadChosen();
  RunHeader header;
  header.modelFolder = "/models/first";
  header.dtype = DType::BF16;
  QTRY_COMPARE(f.model.stepCount(), 3);
  QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  QCOMPARE(f.engine.loads(), 1);
  for (int times = 0; times < 2; ++times) f.desk.loadModelOf(header);
  QCOMPARE(f.engine.loads(), 2);
  f.desk.panel().setFolder(QStringLiteral("/models/second"));
  f.desk.loadChosen();
  QCOMPARE(f.engine.loads(), 3);
}

void tst_model_desk::shortageQuestionIsAnsweredByItsButtons_data() {
  QTest::addColumn<QString>("button");
  QTest::addColumn<bool>("load");
  QTest::addColumn<bool>("narrower");
  QTest::newRow("narrower") << "Load in bfloat16" << true << true;
  QTest::newRow("anyway") << "Load anyway" << true << false;
  QTest::newRow("cancel") << "Cancel" << false << false;
}

void tst_model_desk::shortageQuestionIsAnsweredByItsButtons() {
  QFETCH(QString, button);
  QFETCH(bool, load);
  QFETCH(bool, narrower);
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  std::optional<ShortageAnswer> answer;
  askAboutShortage(window, shortage(), [&](ShortageAnswer given) { answer = given; });
  const auto* box = window.findChild<QMessageBox*>(QStringLiteral("shortageDialog"));
  QVERIFY(box);
  QCOMPARE(box->text(), QStringLiteral("big needs 100 B."));
  QPushButton* const pressed = buttonOf(window, qPrintable(button));
  QVERIFY(pressed);
  QTest::mouseClick(pressed, Qt::LeftButton);
  QTRY_VERIFY(answer);
  QCOMPARE(answer->load, load);
  QCOMPARE(answer->dtype == DType::BF16, narrower);
}

void tst_model_desk::escapeInTheShortageQuestionLoadsNothing() {
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  std::optional<ShortageAnswer> answer;
  askAboutShortage(window, shortage(), [&](ShortageAnswer given) { answer = given; });
  auto* box = window.findChild<QMessageBox*>(QStringLiteral("shortageDialog"));
  QVERIFY(box);
  QTest::keyClick(box, Qt::Key_Escape);
  QTRY_VERIFY(answer);
  QVERIFY(!answer->load);
}

/// The user may close the question with the window manager's button. If the run were not
/// dropped, a lesson would wait for ever.
void tst_model_desk::closingTheShortageQuestionDropsTheRun() {
  ModelDeskFixture f;
  f.window.show();
  f.engine.shortage = std::make_shared<const MemoryShortage>(shortage());
  f.desk.panel().setFolder(QStringLiteral("/models/big"));
  RunSettings settings{f.desk.panel().modelRequest(), {.steps = 3}};
  settings.prompt.text = "Once";
  const QSignalSpy stopped(&f.controller, &RunController::runStopped);
  const QSignalSpy declined(&f.desk, &ModelDesk::shortageDeclined);
  f.controller.run(settings);
  QMessageBox* box = nullptr;
  QTRY_VERIFY((box = f.window.findChild<QMessageBox*>(QStringLiteral("shortageDialog"))));
  QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  box->close();
  QTRY_COMPARE(declined.count(), 1);
  QCOMPARE(stopped.count(), 1);
  QCOMPARE(f.engine.runs(), 0);
}

void tst_model_desk::theAnswerDecidesWhetherTheRunIsComputed_data() {
  shortageQuestionIsAnsweredByItsButtons_data();
}

void tst_model_desk::theAnswerDecidesWhetherTheRunIsComputed() {
  QFETCH(QString, button);
  QFETCH(bool, load);
  QFETCH(bool, narrower);
  ModelDeskFixture f;
  f.window.show();
  f.engine.shortage = std::make_shared<const MemoryShortage>(shortage());
  f.desk.panel().setFolder(QStringLiteral("/models/big"));
  RunSettings settings{f.desk.panel().modelRequest(), {.steps = 3}};
  settings.prompt.text = "Once";
  QSignalSpy stopped(&f.controller, &RunController::runStopped);
  f.controller.run(settings);
  QTRY_VERIFY(f.window.findChild<QMessageBox*>(QStringLiteral("shortageDialog")));
  QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  QPushButton* const pressed =
      buttonOf(*f.window.findChild<QMessageBox*>(QStringLiteral("shortageDialog")),
               qPrintable(button));
  QVERIFY(pressed);
  QTest::mouseClick(pressed, Qt::LeftButton);
  QTRY_COMPARE(load ? f.model.stepCount() : stopped.count(), load ? 3 : 1);
  QTRY_COMPARE(f.controller.phase(), RunController::Phase::Idle);
  QCOMPARE(f.engine.runs(), load ? 1 : 0);
  QCOMPARE(f.desk.panel().modelRequest().dtype == DType::BF16, narrower);
}

void tst_model_desk::offersNoDtypeThatDoesNotFit() {
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  MemoryShortage none = shortage();
  none.fitting.clear();
  askAboutShortage(window, none, [](ShortageAnswer) {});
  QCOMPARE(window.findChildren<QPushButton*>().size(), 2);
}

void tst_model_desk::aFolderThatCannotBeForgottenIsReported() {
  ModelDeskFixture f("the folder cannot be forgotten");
  bool acted = false;
  f.desk.whenChosen([&acted] { acted = true; });
  Q_EMIT f.desk.panel().forgetRequested(QStringLiteral("/models/lost"));
  QSignalSpy listed(&f.desk, &ModelDesk::listed);  // the list is read again
  QVERIFY(listed.wait());
  QCOMPARE(f.messages.text(), QStringLiteral("The folder cannot be forgotten"));
  QVERIFY(!f.desk.panel().folder().isEmpty());  // the list suggests a model
  QVERIFY(!acted);
}

void tst_model_desk::anUnknownModelNameKeepsTheLoadedModel() {
  ModelDeskFixture f;
  const auto* card = f.desk.panel().findChild<QLabel*>(QStringLiteral("muted"));
  f.desk.panel().setFolder(QStringLiteral("/models/first"));
  f.desk.loadChosen();
  QTRY_VERIFY(f.controller.loaded());
  QVERIFY2(!card->text().startsWith(u"Loaded"), qPrintable(card->text()));
  const QString alone = card->text();
  f.desk.panel().setFolder(QStringLiteral("unknown-model"));
  QCOMPARE(card->text(), QStringLiteral("Loaded: ") + alone);
  f.desk.loadChosen();
  QCOMPARE(f.messages.text(), QStringLiteral("There is no model unknown-model"));
  // The name stays, so that a typing error can be corrected.
  const auto* need = f.desk.panel().findChild<QLabel*>(QStringLiteral("need"));
  QCOMPARE(f.desk.panel().folder(), QStringLiteral("unknown-model"));
  QVERIFY(!need->isHidden() && need->text().contains(QStringLiteral("not found")));
  QCOMPARE(f.controller.loaded()->folder, std::string("/models/first"));
  QVERIFY(f.controller.phase() == RunController::Phase::Idle);
  f.desk.panel().setFolder(QStringLiteral("/models/first"));
  QCOMPARE(card->text(), alone);
  QVERIFY2(!need->text().contains(QStringLiteral("not found")) || need->isHidden(),
           qPrintable(need->text()));
}

/// If the run started, it would release the loaded model and then fail.
void tst_model_desk::noRunStartsForAnUnknownModelName() {
  ModelDeskFixture f;
  f.desk.panel().setFolder(QStringLiteral("unknown-model"));
  bool acted = false;
  f.desk.whenChosen([&acted] { acted = true; });
  QVERIFY(!acted);
  QCOMPARE(f.messages.text(), QStringLiteral("There is no model unknown-model"));
}

/// For example, the saved settings name a model that has been deleted since.
void tst_model_desk::aModelNameMissingFromTheListIsMarked() {
  ModelDeskFixture f;
  f.desk.panel().setFolder(QStringLiteral("unknown-model"));
  const auto* need = f.desk.panel().findChild<QLabel*>(QStringLiteral("need"));
  QVERIFY(need->isHidden());
  QSignalSpy listed(&f.desk, &ModelDesk::listed);
  f.desk.refresh();
  QVERIFY(listed.wait());
  QVERIFY(!need->isHidden() && need->text().contains(QStringLiteral("not found")));
  QCOMPARE(need->toolTip(), QStringLiteral("There is no model unknown-model"));
  QCOMPARE(f.messages.text(), QString());
  f.desk.panel().setFolder(QStringLiteral("bundled"));
  QVERIFY(need->isHidden());
}

EQUIPATCH_TEST(tst_model_desk)
#include "tst_model_desk.moc"
