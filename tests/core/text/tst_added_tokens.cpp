#include "core/text/added_tokens.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_added_tokens : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsTheLongestFirst();
  void takesWhiteSpace();
  void staysOutOfWords();
  void findsNormalizedOnesInNormalizedText();
  void looksTokensUp();
  void refusesTokensThatCannotBe();
};

namespace {

Json token(std::int64_t id, const std::string& content,
           const Json& more = Json::object()) {
  Json json{{"id", id}, {"content", content}, {"special", false}, {"normalized", false}};
  json.update(more);
  return json;
}

AddedTokens parsedJson(const Json& list, const Json& normalizer = Json()) {
  Vocabulary model;
  model.add("a", 0, "f");
  model.add("<s>", 1, "f");
  return AddedTokens::parse(&list, model, *Normalizer::parse(&normalizer, "f"),
                            "f: added_tokens");
}

AddedTokens parsed(const std::vector<Json>& list, const Json& normalizer = Json()) {
  return parsedJson(Json(list), normalizer);
}

/// Texts of the parts joined by '|', tokens in braces.
std::string shown(const std::vector<AddedTokens::Part>& parts, std::string_view text) {
  std::string result;
  for (const auto& part : parts) {
    const std::string bytes(
        text.substr(part.range.begin, part.range.end - part.range.begin));
    result += result.empty() ? "" : "|";
    result += part.token ? "{" + bytes + "}" : bytes;
  }
  return result;
}

std::string raw(const AddedTokens& tokens, std::string_view text) {
  return shown(tokens.splitRaw(text), text);
}

}  // namespace

void tst_added_tokens::findsTheLongestFirst() {
  const AddedTokens tokens =
      parsed({token(5, "<a>"), token(6, "<a><b>"), token(7, "  ")});
  QCOMPARE(raw(tokens, "x<a><b><a>y"), std::string("x|{<a><b>}|{<a>}|y"));
  QCOMPARE(raw(tokens, "x   y"), std::string("x|{  }| y"));
  QCOMPARE(raw(tokens, "<a>"), std::string("{<a>}"));
  QCOMPARE(raw(tokens, ""), std::string());
  QCOMPARE(raw(parsed({}), "x"), std::string("x"));
}

void tst_added_tokens::takesWhiteSpace() {
  const AddedTokens tokens = parsed({token(5, "L", {{"lstrip", true}}),
                                     token(6, "R", {{"rstrip", true}}), token(7, " X")});
  QCOMPARE(raw(tokens, "a \u3000L b"), std::string("a|{ \u3000L}| b"));
  QCOMPARE(raw(tokens, "a R \n b"), std::string("a |{R \n }|b"));
  QCOMPARE(raw(tokens, "R L"), std::string("{R }|{L}"));
  QCOMPARE(raw(tokens, "R X"), std::string("{R }|X"));  // the space is taken already
}

void tst_added_tokens::staysOutOfWords() {
  const AddedTokens tokens = parsed({token(5, "or", {{"single_word", true}})});
  QCOMPARE(raw(tokens, "or word or, éor _or"), std::string("{or}| word |{or}|, éor _or"));
}

void tst_added_tokens::findsNormalizedOnesInNormalizedText() {
  const AddedTokens tokens = parsed(
      {token(5, "YES", {{"normalized", true}}), token(6, "NO")}, {{"type", "Lowercase"}});
  QCOMPARE(raw(tokens, "YES NO"), std::string("YES |{NO}"));
  const std::string_view lowered = "yes YES";
  QCOMPARE(shown(tokens.splitNormalized(lowered), lowered), std::string("{yes}| YES"));
}

void tst_added_tokens::looksTokensUp() {
  const AddedTokens tokens =
      parsed({token(5, "x"), token(1, "<s>", {{"special", true}})});
  QCOMPARE(tokens.find(5)->content, std::string("x"));
  QVERIFY(!tokens.find(0));
  QCOMPARE(tokens.find("<s>")->id, std::uint32_t{1});
  QVERIFY(tokens.find("<s>")->special);
  QVERIFY(!tokens.find("y"));
  QCOMPARE(tokens.size(), std::int64_t{6});
}

void tst_added_tokens::refusesTokensThatCannotBe() {
  QVERIFY_ERROR(parsed({token(-1, "x")}), "added_tokens[0]", "id");
  QVERIFY_ERROR(parsed({token(1'000'000'000'000, "x")}), "id", "1000000000000");
  QVERIFY_ERROR(parsed({token(5, "x"), token(5, "y")}), "\"x\"", "\"y\"");
  QVERIFY_ERROR(parsed({token(5, "x"), token(6, "x")}), "\"x\"", "5 and 6");
  QVERIFY_ERROR(parsed({token(0, "x")}), "\"x\"", "\"a\"");     // the model's id
  QVERIFY_ERROR(parsed({token(7, "<s>")}), "\"<s>\"", "id 1");  // the model's piece
  QVERIFY_ERROR(parsed({token(5, "x", {{"odd", 1}})}), "\"odd\"");
  QVERIFY_ERROR(parsed({Json{{"id", 5}}}), "content");
  QVERIFY_ERROR(parsed({Json(3)}), "added_tokens[0]");
  QVERIFY_ERROR(parsedJson(Json{{"x", 5}}), "list");
}

EQUIPATCH_TEST(tst_added_tokens)
#include "tst_added_tokens.moc"
