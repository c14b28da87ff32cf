// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars.h"

#include <QDesktopServices>
#include <QPixmap>
#include <QRegularExpression>
#include <QToolButton>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct BarSetup {
  test::SyntheticEngine engine;
  Theme theme;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  QAction run, pause, step, stop;
  TransportBar bar{{&run, &pause, &step, &stop}, controller, model, theme};
  RunSettings settings;

  BarSetup() {
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
  }
};

}  // namespace

/// Stands in for the desktop, which would open files.
class UrlLog : public QObject {
  Q_OBJECT
 public:
  UrlLog() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "take"); }
  ~UrlLog() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
  QList<QUrl> urls;

 public Q_SLOTS:
  void take(const QUrl& url) { urls << url; }
};

class tst_bars : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsMessagesUntilDismissed();
  void aSavedFileCanBeOpened();
  void aFileThatTheDesktopCannotOpenIsNamed();
  void textIsSelectableAndNeverMarkup();
  void transportIconsDiffer();
  void disabledIconsLookDifferent();
  void statusSaysThatAModelIsMissingOrReady();
  void countsStepsAndMismatches();
  void countsSampledDifferencesApart();
  void requestedStepsBeyondAnIntAreShown();
  void theBarOfAPausedOrStoppedRunIsNotFull();
  void statusSaysThatARunWasInterrupted();
  void escapeKeepsAMessageThatIsNotEscapable();
  void theLabelOfAnEarlierJobIsNotShown();
  void readingARunsStepsKeepsTheProgress();
  void aRunWaitingForALoadKeepsTheProgress();
};

void tst_bars::aRunWaitingForALoadKeepsTheProgress() {
  BarSetup s;
  s.controller.load(s.settings.model);
  Q_EMIT s.controller.progressed(0.5, QStringLiteral("Reading weights"));
  s.controller.run(s.settings);
  QVERIFY(!s.controller.canRunWhenLoaded());  // the run waits for the model
  QCOMPARE(s.bar.progress(), 500);
  QCOMPARE(s.bar.status(), QStringLiteral("Reading weights"));
  s.controller.load({.folder = "/models/other"});
  QCOMPARE(s.bar.progress(), 0);
  QCOMPARE(s.bar.status(), QStringLiteral("Loading the model…"));
}

void tst_bars::readingARunsStepsKeepsTheProgress() {
  BarSetup s;
  s.controller.openRun("earlier.eqrun");
  QCOMPARE(s.controller.phase(), RunController::Phase::Loading);
  QCOMPARE(s.bar.progress(), 0);
  QCOMPARE(s.bar.status(), QStringLiteral("Reading the run…"));
  Q_EMIT s.controller.progressed(0.5, QStringLiteral("Reading the run"));
  s.model.begin(test::makeHeader({}));
  s.model.append({test::makeRecord(0, {})});
  QCOMPARE(s.bar.progress(), 500);
}

void tst_bars::theLabelOfAnEarlierJobIsNotShown() {
  BarSetup s;
  s.settings.run.steps = 2;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Ready: 2 steps, no mismatch"));
  s.controller.load({.folder = "/models/other"});
  QCOMPARE(s.controller.phase(), RunController::Phase::Loading);
  QCOMPARE(s.bar.status(), QStringLiteral("Loading the model…"));
}

void tst_bars::showsMessagesUntilDismissed() {
  QWidget parent;
  MessageBar bar(&parent);
  QVERIFY(!bar.isVisibleTo(&parent));
  bar.showMessage(QStringLiteral("there is no model a"));  // core uses lower case
  QCOMPARE(bar.text(), QStringLiteral("There is no model a"));
  bar.showMessage(QStringLiteral("Two."));
  QVERIFY(bar.isVisibleTo(&parent));
  QCOMPARE(bar.text(), QStringLiteral("Two."));
  bar.showNotice(QStringLiteral("Saved."));
  QCOMPARE(bar.text(), QStringLiteral("Saved."));
  QVERIFY(bar.property("notice").toBool());
  bar.dismissNotice();
  QVERIFY(!bar.isVisibleTo(&parent));
  bar.showMessage(QStringLiteral("Two."));
  QVERIFY(!bar.property("notice").toBool());
  bar.dismissNotice();  // a failure stays
  QVERIFY(bar.isVisibleTo(&parent));
  bar.findChild<QToolButton*>(QStringLiteral("messageDismiss"))->click();
  QVERIFY(!bar.isVisibleTo(&parent));
}

void tst_bars::aSavedFileCanBeOpened() {
  QWidget parent;
  MessageBar bar(&parent);
  auto* open = bar.findChild<QToolButton*>(QStringLiteral("messageOpen"));
  auto* folder = bar.findChild<QToolButton*>(QStringLiteral("messageFolder"));
  bar.showSaved(QStringLiteral("Saved."), QStringLiteral("/tmp/a/page.html"));
  QVERIFY(bar.property("notice").toBool());
  UrlLog log;
  open->click();
  folder->click();
  QCOMPARE(log.urls, (QList<QUrl>{QUrl(QStringLiteral("file:///tmp/a/page.html")),
                                  QUrl(QStringLiteral("file:///tmp/a"))}));
  bar.showNotice(QStringLiteral("Another notice."));
  QVERIFY(!open->isVisibleTo(&parent) && !folder->isVisibleTo(&parent));
}

void tst_bars::aFileThatTheDesktopCannotOpenIsNamed() {
  const test::QuietPlatform quiet;
  MessageBar bar;
  bar.showSaved(QStringLiteral("Saved."), QStringLiteral("/tmp/a/page.html"));
  const UrlLog log;
  // A handler without the slot fails, as a desktop without a program for the file does.
  QDesktopServices::setUrlHandler(QStringLiteral("file"), &bar, "missing");
  QTest::ignoreMessage(QtWarningMsg,
                       QRegularExpression(QStringLiteral("No such method")));
  bar.findChild<QToolButton*>(QStringLiteral("messageOpen"))->click();
  QVERIFY(!bar.property("notice").toBool());
  QVERIFY2(bar.text().contains(QStringLiteral("/tmp/a/page.html")),
           qPrintable(bar.text()));
}

void tst_bars::textIsSelectableAndNeverMarkup() {
  QWidget parent;
  MessageBar bar(&parent);
  const QString text = QStringLiteral("The file <b>x</b> is missing.");
  bar.showMessage(text);
  const auto* label = bar.findChild<QLabel*>(QStringLiteral("messageText"));
  QCOMPARE(label->text(), text);
  QCOMPARE(label->textFormat(), Qt::PlainText);
  QVERIFY(label->textInteractionFlags() & Qt::TextSelectableByMouse);
}

void tst_bars::transportIconsDiffer() {
  const auto picture = [](TransportShape shape) {
    return transportIcon(shape, Qt::black, Qt::gray).pixmap(16, 16).toImage();
  };
  const QImage run = picture(TransportShape::Run);
  QVERIFY(!run.isNull());
  QVERIFY(run != picture(TransportShape::Pause));
  QVERIFY(run != picture(TransportShape::Step));
  QVERIFY(picture(TransportShape::Stop) != picture(TransportShape::Pause));
}

void tst_bars::disabledIconsLookDifferent() {
  const QIcon icon = transportIcon(TransportShape::Stop, Qt::black, Qt::gray);
  QVERIFY(icon.pixmap(QSize(16, 16), QIcon::Normal).toImage() !=
          icon.pixmap(QSize(16, 16), QIcon::Disabled).toImage());
}

void tst_bars::statusSaysThatAModelIsMissingOrReady() {
  BarSetup s;
  QCOMPARE(s.bar.status(), QStringLiteral("No model is loaded yet"));
  s.controller.load(s.settings.model);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Ready: press Run"));
}

void tst_bars::countsStepsAndMismatches() {
  BarSetup s;
  s.engine.shape.mismatchEvery = 4;
  s.settings.run.steps = 8;
  s.controller.run(s.settings);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Ready: 8 steps, 2 mismatches"));
  QCOMPARE(s.bar.progress(), 1000);
  QCOMPARE(s.bar.rate(), QStringLiteral("80 tokens/s"));
}

void tst_bars::countsSampledDifferencesApart() {
  BarSetup s;
  s.model.begin(test::makeHeader({}));
  for (const bool sampledMatch : {true, false}) {
    StepRecord record = *test::makeRecord(0, {});
    record.sampledMatch = sampledMatch;
    s.model.append({std::make_shared<const StepRecord>(record)});
  }
  QTRY_COMPARE(s.bar.status(),
               QStringLiteral(
                   "Stopped after 2 of 64 steps, no mismatch of the most likely tokens, "
                   "1 of the sampled ones"));
}

/// A file from a stranger may request more steps than an int holds.
void tst_bars::requestedStepsBeyondAnIntAreShown() {
  BarSetup s;
  RunHeader header = *test::makeHeader({});
  header.request.steps = 5'000'000'000;
  s.model.begin(std::make_shared<const RunHeader>(header));
  s.model.append({test::makeRecord(0, {})});
  QVERIFY2(
      s.bar.status().startsWith(QStringLiteral("Stopped after 1 of 5,000,000,000 steps")),
      qPrintable(s.bar.status()));
}

void tst_bars::theBarOfAPausedOrStoppedRunIsNotFull() {
  BarSetup s;
  s.settings.run.steps = 4;
  s.controller.step(s.settings);
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Paused after 1 of 4 steps, no mismatch"));
  QCOMPARE(s.bar.progress(), 250);
  s.controller.stop();
  QTRY_COMPARE(s.bar.status(), QStringLiteral("Stopped after 1 of 4 steps, no mismatch"));
  QCOMPARE(s.bar.progress(), 250);
}

void tst_bars::statusSaysThatARunWasInterrupted() {
  BarSetup s;
  s.engine.storedEnding = RunEnding::Interrupted;
  s.controller.openRun("interrupted.eqrun");
  QTRY_VERIFY2(s.bar.status().startsWith(QStringLiteral("Interrupted after 7 steps")),
               qPrintable(s.bar.status()));
  s.engine.storedEnding = RunEnding::Complete;
  s.controller.openRun("whole.eqrun");
  QTRY_VERIFY2(s.bar.status().startsWith(QStringLiteral("Ready: 7 steps")),
               qPrintable(s.bar.status()));
}

void tst_bars::escapeKeepsAMessageThatIsNotEscapable() {
  QWidget window;
  MessageBar bar(&window);
  bar.showMessage(QStringLiteral("A sentence."));
  window.show();
  QVERIFY(QTest::qWaitForWindowActive(&window));
  bar.setEscapable(false);
  QTest::keyClick(&window, Qt::Key_Escape);
  QVERIFY(bar.isVisible());
  bar.setEscapable(true);
  QTest::keyClick(&window, Qt::Key_Escape);
  QTRY_VERIFY(!bar.isVisible());
}

EQUIPATCH_TEST(tst_bars)
#include "tst_bars.moc"
