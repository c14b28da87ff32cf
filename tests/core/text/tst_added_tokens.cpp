// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/added_tokens.h"

#include <nlohmann/json.hpp>
#include <random>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::ampleLimits;

class tst_added_tokens : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void matcherPrefersTheLeftmostThenTheLongest();
  void matcherAgreesWithTryingEveryPhrase();
  void matcherIsLinear();
  void findsTheLongestFirst();
  void lstripAndRstripIncludeWhiteSpace();
  void singleWordTokensAreNotFoundInsideWords();
  void findsNormalizedTokensInNormalizedText();
  void looksTokensUp();
  void refusesInvalidTokens();
};

namespace {

/// "phrase@begin-end " of every match.
std::string found(const PhraseMatcher& matcher, const std::string& text) {
  std::string result;
  for (const auto& match : matcher.matches(text))
    result += std::to_string(match.phrase) + "@" + std::to_string(match.range.begin) +
              "-" + std::to_string(match.range.end) + " ";
  return result;
}

std::string foundByTrying(const std::vector<std::string>& phrases,
                          const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t best = phrases.size();
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      const bool longer =
          best == phrases.size() || phrases[i].size() > phrases[best].size();
      if (!phrases[i].empty() && longer &&
          text.compare(at, phrases[i].size(), phrases[i]) == 0)
        best = i;
    }
    if (best == phrases.size()) {
      ++at;
      continue;
    }
    const std::size_t end = at + phrases[best].size();
    result +=
        std::to_string(best) + "@" + std::to_string(at) + "-" + std::to_string(end) + " ";
    at = end;
  }
  return result;
}

}  // namespace

void tst_added_tokens::matcherPrefersTheLeftmostThenTheLongest() {
  const PhraseMatcher matcher({"ab", "abc", "bcde", "", "  ", "   "});
  QCOMPARE(found(matcher, "xabcde"), std::string("1@1-4 "));
  QCOMPARE(found(matcher, "abde"), std::string("0@0-2 "));
  QCOMPARE(found(matcher, "       "), std::string("5@0-3 5@3-6 "));
  QCOMPARE(found(matcher, ""), std::string());
  QCOMPARE(found(PhraseMatcher({}), "abc"), std::string());
  QCOMPARE(found(PhraseMatcher({"a", "a"}), "a"), std::string("0@0-1 "));
}

void tst_added_tokens::matcherAgreesWithTryingEveryPhrase() {
  std::mt19937 random(3);
  const auto word = [&](std::size_t longest) {
    std::string text(random() % (longest + 1), 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 2);
    return text;
  };
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> phrases;
    for (int i = 0; i < 6; ++i) phrases.push_back(word(5));
    const std::string text = word(60);
    QCOMPARE(found(PhraseMatcher(phrases), text), foundByTrying(phrases, text));
  }
}

/// Trying every phrase everywhere would compare 4·10^11 bytes here.
void tst_added_tokens::matcherIsLinear() {
  std::vector<std::string> phrases;
  for (int i = 0; i < 5000; ++i) phrases.push_back("aaaa" + std::to_string(i));
  phrases.push_back(std::string(500'000, 'a') + "b");
  const std::string text = std::string(1'000'000, 'a') + "4999";
  const PhraseMatcher matcher(phrases);
  const auto matches = matcher.matches(text);
  QCOMPARE(matches.size(), std::size_t{1});
  QCOMPARE(matches[0].phrase, std::size_t{4999});
  QCOMPARE(matches[0].range.end, text.size());
}

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
  return shown(tokens.splitRaw(text, ampleLimits()), text);
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

void tst_added_tokens::lstripAndRstripIncludeWhiteSpace() {
  const AddedTokens tokens = parsed({token(5, "L", {{"lstrip", true}}),
                                     token(6, "R", {{"rstrip", true}}), token(7, " X")});
  QCOMPARE(raw(tokens, "a \u3000L b"), std::string("a|{ \u3000L}| b"));
  QCOMPARE(raw(tokens, "a R \n b"), std::string("a |{R \n }|b"));
  QCOMPARE(raw(tokens, "R L"), std::string("{R }|{L}"));
  QCOMPARE(raw(tokens, "R X"), std::string("{R }|X"));  // the space is taken already
}

void tst_added_tokens::singleWordTokensAreNotFoundInsideWords() {
  const AddedTokens tokens = parsed({token(5, "or", {{"single_word", true}})});
  QCOMPARE(raw(tokens, "or word or, éor _or"), std::string("{or}| word |{or}|, éor _or"));
}

void tst_added_tokens::findsNormalizedTokensInNormalizedText() {
  const AddedTokens tokens = parsed(
      {token(5, "YES", {{"normalized", true}}), token(6, "NO")}, {{"type", "Lowercase"}});
  QCOMPARE(raw(tokens, "YES NO"), std::string("YES |{NO}"));
  const std::string_view lowered = "yes YES";
  QCOMPARE(shown(tokens.splitNormalized(lowered, ampleLimits()), lowered),
           std::string("{yes}| YES"));
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

void tst_added_tokens::refusesInvalidTokens() {
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
