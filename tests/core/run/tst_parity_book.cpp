#include "core/run/parity_book.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/error.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {
const ParityCache kNoCache{{}};
}  // namespace

class tst_parity_book : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void checksAnArchitectureOnce();
  void whatHasNoReferenceSaysSo();
  void aDamagedReferenceIsTold();
  void textsSayWhatIsKnown_data();
  void textsSayWhatIsKnown();
};

void tst_parity_book::checksAnArchitectureOnce() {
  QTemporaryDir copy;
  const fs::path folder = fs::path(copy.path().toStdString()) / "tiny";
  fs::copy(test::data("golden/llama2_gqa"), folder);
  ParityBook book({folder}, kNoCache);
  SilentProgress silent;
  QVERIFY(book.known("LlamaForCausalLM").state == ParityState::Unknown);
  const ParityBadge badge = book.badge("LlamaForCausalLM", silent);
  QVERIFY2(badge.state == ParityState::Equal, badge.problem.c_str());
  QVERIFY(badge.largest > 0.0);
  QVERIFY(badge.largest < kGoldenTolerance);
  fs::remove_all(folder);  // what was said is kept
  QCOMPARE(book.badge("LlamaForCausalLM", silent).largest, badge.largest);
  QVERIFY(book.known("LlamaForCausalLM").state == ParityState::Equal);
}

void tst_parity_book::whatHasNoReferenceSaysSo() {
  ParityBook book({test::data("golden/llama2_gqa")}, kNoCache);
  SilentProgress silent;
  QVERIFY(book.badge("T5Model", silent).state == ParityState::NoReference);
  QVERIFY(ParityBook({}, kNoCache).badge("LlamaForCausalLM", silent).state ==
          ParityState::NoReference);
}

void tst_parity_book::aDamagedReferenceIsTold() {
  QTemporaryDir copy;
  const fs::path folder = fs::path(copy.path().toStdString()) / "tiny";
  fs::create_directories(folder);
  for (const char* file : {"config.json", "model.safetensors"})
    fs::copy_file(test::data(fs::path("golden/llama2_gqa") / file), folder / file);
  std::ofstream(folder / "golden.safetensors") << "nothing";
  ParityBook book({folder}, kNoCache);
  SilentProgress silent;
  const ParityBadge badge = book.badge("LlamaForCausalLM", silent);
  QVERIFY(badge.state == ParityState::Different);
  QVERIFY(badge.problem.find("golden.safetensors") != std::string::npos);
}

void tst_parity_book::textsSayWhatIsKnown_data() {
  QTest::addColumn<int>("state");
  QTest::addColumn<double>("largest");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* name, ParityState state, double largest,
                      const char* text) {
    QTest::newRow(name) << int(state) << largest << QString::fromUtf8(text);
  };
  row("unknown", ParityState::Unknown, 0.0, "not checked yet");
  row("none", ParityState::NoReference, 0.0, "no reference");
  row("equal", ParityState::Equal, 2e-6, "✓ equals Hugging Face within 2e-06");
  row("rounded up", ParityState::Equal, 2.1e-6, "✓ equals Hugging Face within 3e-06");
  row("into the next", ParityState::Equal, 9.5e-6, "✓ equals Hugging Face within 1e-05");
  row("different", ParityState::Different, 0.25, "✗ differs from Hugging Face by 3e-01");
  row("greedy", ParityState::Different, 1e-6, "✗ other greedy tokens than Hugging Face");
}

void tst_parity_book::textsSayWhatIsKnown() {
  QFETCH(int, state);
  QFETCH(double, largest);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(badgeText({ParityState(state), largest, {}, {}})),
           text);
}

EQUIPATCH_TEST(tst_parity_book)
#include "tst_parity_book.moc"
