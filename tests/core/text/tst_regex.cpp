// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/regex.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using Spans = std::vector<ByteSpan>;

class tst_regex : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsMatchesInBytes();
  void supportsNegativeLookahead();
  void matchesUnicodeClasses();
  void findsWordBoundaries();
  void findsEmptyMatchesOnce();
  void searchesLongTexts();
  void refusesPatternsThatDoNotCompile();
  void givesUpOnHostilePatterns();
  void literalPatternsMatchOnlyTheirText();
  void readsLiteralsAndExpressions();
  void replacesMatchesAndKeepsOrigins();
};

void tst_regex::findsMatchesInBytes() {
  QCOMPARE(Regex("é+").matches("aéébé"), (Spans{{1, 5}, {6, 8}}));
  QCOMPARE(Regex("x").matches("abc"), Spans{});
  QCOMPARE(Regex("x").matches(""), Spans{});
  QCOMPARE(Regex("(?i:'S|'t)").matches("'s'T"), (Spans{{0, 2}, {2, 4}}));
  QCOMPARE(Regex("^b").matches("a\nb"), (Spans{{2, 3}}));  // at the start of each line
  QCOMPARE(Regex("(a)(?<n>b)|c").matches("abcab"), (Spans{{0, 2}, {2, 3}, {3, 5}}));
}

void tst_regex::supportsNegativeLookahead() {
  // The lookahead leaves out the last of several spaces; \S+ does not match it either.
  QCOMPARE(Regex("\\s+(?!\\S)|\\S+").matches("a   b"), (Spans{{0, 1}, {1, 3}, {4, 5}}));
}

void tst_regex::matchesUnicodeClasses() {
  QCOMPARE(Regex("\\p{L}+").matches("1日本2ß"), (Spans{{1, 7}, {8, 10}}));
  QCOMPARE(Regex("\\s").matches("\u00A0\u0085"), (Spans{{0, 2}, {2, 4}}));
  QCOMPARE(Regex("\\s").matches("\u180E\u200B"), Spans{});
  QCOMPARE(Regex("\\w+").matches("a\u0301_\u0663-"), (Spans{{0, 6}}));
  QCOMPARE(Regex("\\w+").matches("x²①"), (Spans{{0, 3}}));
  QCOMPARE(Regex("[\\w]+|\\W+").matches("x²①"), (Spans{{0, 1}, {3, 6}}));
}

void tst_regex::findsWordBoundaries() {
  // The combining mark between "a" and "b" is a word character; ① is not.
  const char* text = "a\u0301b ①c";
  QCOMPARE(Regex("\\b").matches(text), (Spans{{0, 0}, {4, 4}, {8, 8}, {9, 9}}));
  QCOMPARE(Regex("\\B").matches(text), (Spans{{1, 1}, {3, 3}, {5, 5}}));
}

void tst_regex::findsEmptyMatchesOnce() {
  // There is no empty match next to another match or inside a character.
  QCOMPARE(Regex("a*").matches("aaé"), (Spans{{0, 2}, {4, 4}}));
  QCOMPARE(Regex("").matches("é"), (Spans{{0, 0}, {2, 2}}));
}

void tst_regex::searchesLongTexts() {
  std::string text(200'001, '-');
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) text.replace(i, 2, "é");
  text += "x";
  QCOMPARE(Regex("x").matches(text), (Spans{{text.size() - 1, text.size()}}));
  QCOMPARE(Regex("[^x]+").matches(text), (Spans{{0, text.size() - 1}}));
  QCOMPARE(Regex("(?:é)+").matches(text), (Spans{{0, 200'000}}));
}

void tst_regex::refusesPatternsThatDoNotCompile() {
  QVERIFY_ERROR(Regex("a("), "a(", "cannot be compiled", "parenthesis");
  QVERIFY_ERROR(Regex("\\p{Nonsense}"), "\\p{Nonsense}", "compiled");
  QVERIFY_ERROR(Regex(std::string(100'000, 'a')), "100000 bytes");
}

void tst_regex::givesUpOnHostilePatterns() {
  const std::string text(40, 'a');
  QVERIFY_ERROR(Regex("(a+)+[xy]").matches(text), "(a+)+[xy]", "gave up", "40 bytes");
  QVERIFY_ERROR(Regex("(a|aa)+[xy]").matches(std::string(5000, 'a')), "gave up");
  QVERIFY_ERROR(Regex("(a(?1)?b?)+[xy]").matches(text), "gave up");  // recursion
  // A match that would begin within the one before it.
  QVERIFY_ERROR(Regex("x|(?<=(?1))b|(?!)(\\Kx)").matches("xb"), "gave up");
}

void tst_regex::literalPatternsMatchOnlyTheirText() {
  QCOMPARE(Pattern::literal("a.")->matches("a.ba.a."), (Spans{{0, 2}, {3, 5}, {5, 7}}));
  QCOMPARE(Pattern::literal("aa")->matches("aaa"), (Spans{{0, 2}}));
  QCOMPARE(Pattern::literal("")->matches("aaa"), Spans{});
}

void tst_regex::readsLiteralsAndExpressions() {
  const Json literal{{"String", "."}};
  const Json expression{{"Regex", "."}};
  QCOMPARE(Pattern::parse(&literal, "f")->matches("a"), Spans{});
  QCOMPARE(Pattern::parse(&expression, "f")->matches("a"), (Spans{{0, 1}}));
  for (const Json& wrong : {Json("."), Json{{"Odd", "."}}, Json{{"String", 3}}, Json{}})
    QVERIFY_ERROR(Pattern::parse(&wrong, "f: normalizer"), "f: normalizer", "Regex");
  QVERIFY_ERROR(Pattern::parse(nullptr, "f"), "none");
}

void tst_regex::replacesMatchesAndKeepsOrigins() {
  const AlignedText text("a  b c");
  const AlignedText result = Pattern::regex(" +")->replace(text, "▁");
  QCOMPARE(result.text(), std::string("a▁b▁c"));
  QCOMPARE(test::originsOf(result),
           (std::vector<std::size_t>{0, 1, 2, 3, 3, 4, 5, 5, 5, 6}));
  QCOMPARE(Pattern::literal("x")->replace(text, "y").text(), text.text());
  QCOMPARE(Pattern::literal(" ")->replace(text, "").text(), std::string("abc"));
}

EQUIPATCH_TEST(tst_regex)
#include "tst_regex.moc"
