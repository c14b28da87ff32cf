#include "core/checkpoint/prompt_rows.h"

#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_prompt_rows : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void shortPromptsGoTogether();
  void scoresOfLongOnesStayBounded();
  void sizesFromAFileDoNoHarm();
};

void tst_prompt_rows::shortPromptsGoTogether() {
  ModelSpec spec;
  spec.heads = 32;
  QCOMPARE(promptRows(spec, 1, 512), 512);
  QCOMPARE(promptRows(spec, 4096, 512), 512);
  QCOMPARE(promptRows(spec, 4096, 256), 256);
}

void tst_prompt_rows::scoresOfLongOnesStayBounded() {
  ModelSpec spec;
  for (const std::int64_t heads : {1, 7, 32, 96})
    for (const std::int64_t positions : {5'000, 32'768, 100'000}) {
      spec.heads = heads;
      const std::int64_t rows = promptRows(spec, positions, kMostPromptRows);
      QVERIFY(rows * heads * positions * 4 <= 256 << 20 || rows == 16);
      // No fewer than the bound asks for.
      QVERIFY((rows + 1) * heads * positions * 4 > 256 << 20 || rows == kMostPromptRows);
    }
}

void tst_prompt_rows::sizesFromAFileDoNoHarm() {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  ModelSpec spec;
  spec.heads = kHuge;
  QCOMPARE(promptRows(spec, kHuge, 512), 16);
  spec.heads = 0;
  QCOMPARE(promptRows(spec, 0, 8), 8);
}

EQUIPATCH_TEST(tst_prompt_rows)
#include "tst_prompt_rows.moc"
