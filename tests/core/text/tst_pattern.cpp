#include "core/text/pipeline/regex.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using Spans = std::vector<ByteSpan>;

class tst_pattern : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void takesStringsLiterally();
  void readsBothKinds();
  void replaces();
};

void tst_pattern::takesStringsLiterally() {
  QCOMPARE(Pattern::literal("a.")->matches("a.ba.a."), (Spans{{0, 2}, {3, 5}, {5, 7}}));
  QCOMPARE(Pattern::literal("aa")->matches("aaa"), (Spans{{0, 2}}));
  QCOMPARE(Pattern::literal("")->matches("aaa"), Spans{});
}

void tst_pattern::readsBothKinds() {
  const Json literal{{"String", "."}};
  const Json expression{{"Regex", "."}};
  QCOMPARE(Pattern::parse(&literal, "f")->matches("a"), Spans{});
  QCOMPARE(Pattern::parse(&expression, "f")->matches("a"), (Spans{{0, 1}}));
  for (const Json& wrong : {Json("."), Json{{"Odd", "."}}, Json{{"String", 3}}, Json{}})
    QVERIFY_ERROR(Pattern::parse(&wrong, "f: normalizer"), "f: normalizer", "Regex");
  QVERIFY_ERROR(Pattern::parse(nullptr, "f"), "none");
}

void tst_pattern::replaces() {
  const AlignedText text("a  b c");
  const AlignedText result = Pattern::regex(" +")->replace(text, "▁");
  QCOMPARE(result.text(), std::string("a▁b▁c"));
  QCOMPARE(test::originsOf(result),
           (std::vector<std::size_t>{0, 1, 2, 3, 3, 4, 5, 5, 5, 6}));
  QCOMPARE(Pattern::literal("x")->replace(text, "y").text(), text.text());
  QCOMPARE(Pattern::literal(" ")->replace(text, "").text(), std::string("abc"));
}

EQUIPATCH_TEST(tst_pattern)
#include "tst_pattern.moc"
