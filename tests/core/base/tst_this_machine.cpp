#include "core/base/this_machine.h"

#include <QDateTime>
#include <QSysInfo>
#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// processorName() where /proc/cpuinfo says this.
std::string nameIn(const char* cpuinfo) {
  const QTemporaryDir folder;
  const std::filesystem::path root = folder.path().toStdString();
  std::filesystem::create_directory(root / "proc");
  std::ofstream(root / "proc/cpuinfo") << cpuinfo;
  return processorName(root);
}

}  // namespace

class tst_this_machine : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tellsTheTimeInUtc();
  void namesTheProcessorOnOneLine();
  void namesItByItsModel();
  void namesItsKindWhereItHasNoModel();
};

void tst_this_machine::tellsTheTimeInUtc() {
  const QString text = QString::fromStdString(utcNow());
  const QDateTime told = QDateTime::fromString(text, Qt::ISODate);
  QVERIFY2(told.isValid() && text.endsWith('Z'), qPrintable(text));
  QVERIFY(std::abs(told.secsTo(QDateTime::currentDateTimeUtc())) <= 60);
}

void tst_this_machine::namesTheProcessorOnOneLine() {
  const std::string name = processorName();
  QCOMPARE(name.find('\n'), std::string::npos);
  QVERIFY(!name.empty() && !name.starts_with(' '));
}

void tst_this_machine::namesItByItsModel() {
  QCOMPARE(nameIn("processor\t: 0\nmodel\t\t: 85\nmodel name\t: Abacus 9 @ 1 Hz\n"),
           std::string("Abacus 9 @ 1 Hz"));
}

void tst_this_machine::namesItsKindWhereItHasNoModel() {
  const std::string kind = QSysInfo::currentCpuArchitecture() == "arm64"
                               ? "aarch64"
                               : QSysInfo::currentCpuArchitecture().toStdString();
  QCOMPARE(nameIn("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"), kind);
}

EQUIPATCH_TEST(tst_this_machine)
#include "tst_this_machine.moc"
