// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/normalizer.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::originsOf;
using Origins = std::vector<std::size_t>;

class tst_normalizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void changesNothingWhenAbsent();
  void prependAddsTextInFront();
  void replaceFindsStringsAndExpressions();
  void stripRemovesOuterWhiteSpace();
  void sequenceAppliesItsNormalizersInOrder();
  void readsNormalForms();
  void refusesUnknownTypes();
};

namespace {

AlignedText normalized(const Json& json, const char* text) {
  return Normalizer::parse(&json, "f: normalizer")->normalize(AlignedText(text));
}

}  // namespace

void tst_normalizer::changesNothingWhenAbsent() {
  const Json null;
  QCOMPARE(normalized(null, " É ").text(), std::string(" É "));
  QCOMPARE(Normalizer::parse(nullptr, "f")->normalize(AlignedText("a")).text(),
           std::string("a"));
}

void tst_normalizer::prependAddsTextInFront() {
  const Json json{{"type", "Prepend"}, {"prepend", "▁"}};
  const AlignedText result = normalized(json, "ab");
  QCOMPARE(result.text(), std::string("▁ab"));
  QCOMPARE(originsOf(result), (Origins{0, 0, 0, 0, 1, 2}));
  QCOMPARE(normalized(json, "").text(), std::string());  // nothing before nothing
}

void tst_normalizer::replaceFindsStringsAndExpressions() {
  const Json literal{
      {"type", "Replace"}, {"pattern", {{"String", "."}}}, {"content", "-"}};
  QCOMPARE(normalized(literal, "a.b").text(), std::string("a-b"));
  const Json regex{
      {"type", "Replace"}, {"pattern", {{"Regex", "\\s+"}}}, {"content", " "}};
  const AlignedText result = normalized(regex, "a \t\nb");
  QCOMPARE(result.text(), std::string("a b"));
  QCOMPARE(originsOf(result), (Origins{0, 1, 4, 5}));
}

void tst_normalizer::stripRemovesOuterWhiteSpace() {
  const Json both{{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}};
  const AlignedText result = normalized(both, "\u3000 a b\n ");
  QCOMPARE(result.text(), std::string("a b"));
  QCOMPARE(originsOf(result), (Origins{0, 5, 6, 9}));
  const Json left{{"type", "Strip"}, {"strip_right", false}};
  QCOMPARE(normalized(left, " a ").text(), std::string("a "));
  QCOMPARE(normalized(both, " \n").text(), std::string());
}

void tst_normalizer::sequenceAppliesItsNormalizersInOrder() {
  const Json json{{"type", "Sequence"},
                  {"normalizers",
                   {{{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}},
                    {{"type", "Lowercase"}},
                    {{"type", "Prepend"}, {"prepend", "▁"}}}}};
  const AlignedText result = normalized(json, " ÀB ");
  QCOMPARE(result.text(), std::string("▁àb"));
  QCOMPARE(originsOf(result), (Origins{0, 0, 0, 0, 2, 3, 5}));
}

void tst_normalizer::readsNormalForms() {
  const auto form = [](const char* name) {
    return normalized(Json{{"type", name}}, "e\u0301\uFB01").text();
  };
  QCOMPARE(form("NFC"), std::string("é\uFB01"));
  QCOMPARE(form("NFD"), std::string("e\u0301\uFB01"));
  QCOMPARE(form("NFKC"), std::string("éfi"));
  QCOMPARE(form("NFKD"), std::string("e\u0301fi"));
}

void tst_normalizer::refusesUnknownTypes() {
  const Json nested{{"type", "Sequence"},
                    {"normalizers", {{{"type", "BertNormalizer"}}}}};
  QVERIFY_ERROR(normalized(nested, ""),
                "f: normalizer of type Sequence, component of type BertNormalizer",
                "not supported");
  const Json odd{{"type", "NFC"}, {"odd", 1}};
  QVERIFY_ERROR(normalized(odd, ""), "\"odd\"");
  const Json incomplete{{"type", "Prepend"}};
  QVERIFY_ERROR(normalized(incomplete, ""), "prepend");
  const Json noList{{"type", "Sequence"}};
  QVERIFY_ERROR(normalized(noList, ""), "normalizers");
}

EQUIPATCH_TEST(tst_normalizer)
#include "tst_normalizer.moc"
