#include "tests/support/test_case.h"
#include "ui/prompt/token_spans.h"

using namespace equipatch;

namespace {

std::vector<Token> tokens(const std::vector<ByteSpan>& spans) {
  std::vector<Token> all;
  for (const ByteSpan& span : spans) all.push_back({TokenId(0), {}, span, false});
  return all;
}

}  // namespace

class tst_token_spans : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void countsCodeUnitsWhereTheEngineCountsBytes();
  void givesASplitCharacterToItsFirstToken();
  void survivesSpansBeyondTheText();
};

void tst_token_spans::countsCodeUnitsWhereTheEngineCountsBytes() {
  // a: 1 byte, é: 2, ∞: 3, 𝄞: 4 bytes and 2 code units.
  const QString text = QStringLiteral("aé∞𝄞b");
  const auto spans = textSpans(text, tokens({{0, 1}, {1, 3}, {3, 6}, {6, 10}, {10, 11}}));
  const std::vector<TextSpan> expected = {{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}};
  QVERIFY(spans == expected);
}

void tst_token_spans::givesASplitCharacterToItsFirstToken() {
  const auto spans =
      textSpans(QStringLiteral("∞x"), tokens({{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  const std::vector<TextSpan> expected = {{0, 1}, {1, 1}, {1, 1}, {1, 2}};
  QVERIFY(spans == expected);
}

void tst_token_spans::survivesSpansBeyondTheText() {
  const auto spans = textSpans(QStringLiteral("ab"), tokens({{0, 2}, {2, 99}}));
  const std::vector<TextSpan> expected = {{0, 2}, {2, 2}};
  QVERIFY(spans == expected);
}

EQUIPATCH_TEST(tst_token_spans)
#include "tst_token_spans.moc"
