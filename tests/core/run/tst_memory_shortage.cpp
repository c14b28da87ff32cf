// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/memory_shortage.h"

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::vector<MemoryEstimate> needs() {
  return {{.dtype = DType::F64, .weights = 80},
          {.dtype = DType::F32, .weights = 40, .cache = 3},
          {.dtype = DType::BF16, .weights = 20},
          {.dtype = DType::F16, .weights = 20}};
}

}  // namespace

class tst_memory_shortage : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aFittingModelIsNoShortage();
  void namesTheFittingDtypes();
  void reportsThatNoDtypeFits();
  void aTinyModelFitsHere();
  void devicesHaveTheirOwnMemory();
};

void tst_memory_shortage::aFittingModelIsNoShortage() {
  QVERIFY(!shortageOf("big", needs(), DType::F32, 43));
  QVERIFY(shortageOf("big", needs(), DType::F32, 42));
  QVERIFY(!shortageOf("big", needs(), DType::F64, 1000));
  QVERIFY(!shortageOf("big", {}, DType::F64, 0));
}

void tst_memory_shortage::namesTheFittingDtypes() {
  const auto shortage = shortageOf("big", needs(), DType::F32, 30);
  QVERIFY(shortage);
  QCOMPARE(shortage->fitting.size(), std::size_t(2));
  const auto sentence = QString::fromStdString(shortage->sentence);
  for (const char* part : {"big needs about 43 B in float32", "only 30 B",
                           "bfloat16 (20 B) or float16 (20 B) would fit"})
    QVERIFY2(sentence.contains(QString::fromUtf8(part)), qPrintable(sentence));
}

void tst_memory_shortage::reportsThatNoDtypeFits() {
  const auto shortage = shortageOf("big", needs(), DType::BF16, 5);
  QVERIFY(shortage);
  QVERIFY(shortage->fitting.empty());
  QVERIFY(shortage->sentence.find("no dtype") != std::string::npos);
}

void tst_memory_shortage::aTinyModelFitsHere() {
  QVERIFY(!findShortage({.folder = test::data("golden/gemma3_text")}));
  QVERIFY_ERROR(findShortage({.folder = "/nowhere/model"}), "/nowhere/model");
}

void tst_memory_shortage::devicesHaveTheirOwnMemory() {
  QVERIFY(!findShortage({.folder = "/nowhere/model", .device = "cuda"}));
}

EQUIPATCH_TEST(tst_memory_shortage)
#include "tst_memory_shortage.moc"
