// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/file_saver.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <semaphore>
#include <stop_token>

#include "core/work/control.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

/// Reports the progress 0.5, then waits until it may end or is stopped.
class WaitingJob final : public Job {
 public:
  explicit WaitingJob(std::binary_semaphore& mayEnd) : m_mayEnd(mayEnd) {}
  std::string name() const override { return "Wait"; }
  void run(Control& control) override {
    control.report(0.5, "Waiting");
    const std::stop_callback wake(control.stopToken(), [this] { m_mayEnd.release(); });
    m_mayEnd.acquire();
    control.throwIfStopped();
  }

 private:
  std::binary_semaphore& m_mayEnd;
};

class FailingJob final : public Job {
 public:
  std::string name() const override { return "Fail"; }
  void run(Control&) override { throw badInput("there is nothing to save"); }
};

struct SaverSetup {
  test::QuietPlatform quiet;
  std::binary_semaphore mayEnd{0};  // outlives the saver's worker
  QWidget window;
  FileSaver saver{window, QStringLiteral("Save it")};
  QSignalSpy failed{&saver, &FileSaver::failed};
  int saved = 0;

  void start(const QString& path = QStringLiteral("/a/file")) {
    saver.start(std::make_unique<WaitingJob>(mayEnd), path, [this] { ++saved; });
  }
  QProgressDialog* dialog() const {
    return window.findChild<QProgressDialog*>(QStringLiteral("saveProgress"));
  }
};

}  // namespace

class tst_file_saver : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void showsProgressAndIsAnObstacleUntilTheEnd() {
    SaverSetup s;
    QVERIFY(s.saver.obstacle().isEmpty());
    s.start();
    QVERIFY(
        s.saver.obstacle().startsWith(QStringLiteral("/a/file is still being saved")));
    QVERIFY(s.dialog());
    QCOMPARE(s.dialog()->windowTitle(), QStringLiteral("Save it"));
    QTRY_COMPARE(s.dialog()->value(), 500);
    QCOMPARE(s.saved, 0);
    s.mayEnd.release();
    QTRY_COMPARE(s.saved, 1);
    QVERIFY(s.saver.obstacle().isEmpty());
    QTRY_VERIFY(!s.dialog());
    QVERIFY(s.failed.isEmpty());
  }

  void cancellingTheDialogEndsTheSaving() {
    SaverSetup s;
    s.start();
    Q_EMIT s.dialog()->canceled();
    QTRY_VERIFY(s.saver.obstacle().isEmpty());
    QCOMPARE(s.saved, 0);
    QVERIFY(s.failed.isEmpty());
  }

  void cancelRemovesTheDialogBeforeTheJobEnds() {
    SaverSetup s;
    s.start();
    const QPointer<QProgressDialog> dialog = s.dialog();
    QVERIFY(dialog);
    dialog->findChild<QPushButton*>()->click();
    // Delivers deletions only, not the worker's events, which would end the saving.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!dialog);
    QVERIFY(!s.saver.obstacle().isEmpty());
    QTRY_VERIFY(s.saver.obstacle().isEmpty());
    QVERIFY(s.failed.isEmpty());
  }

  void theDialogNamesTheFile_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("end");
    QTest::newRow("like markup")
        << QStringLiteral("a<b>c&d") << QStringLiteral(" a<b>c&d");
    QTest::newRow("long") << QString(200, u'n') + QStringLiteral("-last")
                          << QStringLiteral("-last");
  }
  void theDialogNamesTheFile() {
    QFETCH(const QString, name);
    QFETCH(const QString, end);
    SaverSetup s;
    s.start(QStringLiteral("/a/") + name);
    const auto* label = s.dialog()->findChild<QLabel*>();
    QCOMPARE(label->textFormat(), Qt::PlainText);
    QVERIFY(label->text().endsWith(end));
    QCOMPARE(label->text().contains(u'…'), name.size() > 100);
    QVERIFY(s.dialog()->testAttribute(Qt::WA_ShowWithoutActivating));
  }

  void aFailedSavingIsReported() {
    SaverSetup s;
    s.saver.start(std::make_unique<FailingJob>(), QStringLiteral("/a/file"),
                  [&s] { ++s.saved; });
    QTRY_COMPARE(s.failed.count(), 1);
    QCOMPARE(s.failed[0][0].toString(), QStringLiteral("there is nothing to save"));
    QCOMPARE(s.saved, 0);
    QVERIFY(s.saver.obstacle().isEmpty());
  }

  /// The job ends only if it is stopped: nobody releases `mayEnd`.
  void destructionStopsTheSaving() {
    SaverSetup s;
    s.start();
    QVERIFY(s.dialog());
  }
};

EQUIPATCH_TEST(tst_file_saver)
#include "tst_file_saver.moc"
