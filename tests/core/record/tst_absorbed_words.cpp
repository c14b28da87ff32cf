// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/absorbed_words.h"

#include <memory>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A request whose prompt is BOS and the words of `text`.
/// @param absorb the absorbed part, as `--absorb` takes it
RunRequest absorbing(const std::string& text, const std::string& absorb) {
  RunRequest request{.promptText = text};
  request.prompt.push_back({TokenId(1), "<s>", {}, true});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
    request.prompt.push_back({TokenId(9), text.substr(begin, end - begin), {begin, end}});
    begin = end;
  }
  request.absorbed = parseAbsorbedSet(absorb, request.prompt);
  return request;
}

constexpr const char* kText = "The sun rises over the sea. Please answer with one word.";

}  // namespace

class tst_absorbed_words : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void presetPartsAreNamedWithoutPositions() {
    const auto both = [](const char* absorb) {
      const RunRequest request = absorbing(kText, absorb);
      return absorbedWords(request) == absorbedPositions(request)
                 ? absorbedWords(request)
                 : "differ: " + absorbedWords(request);
    };
    QCOMPARE(both("all"), std::string("absorbs all"));
    QCOMPARE(both("prompt"), std::string("absorbs the prompt"));
    QCOMPARE(both("none"), std::string("absorbs nothing"));
    QCOMPARE(both("keep-bos"), std::string("keeps BOS"));
    QCOMPARE(both("generated"), std::string("absorbs the generated tokens"));
    QCOMPARE(absorbedWords(absorbing("", "none")), std::string("absorbs nothing"));
    QCOMPARE(absorbedWords(absorbing("", "generated")), std::string("keeps BOS"));
  }

  void absorbedTokensAreNamedByWordsAndPositions() {
    QCOMPARE(absorbedWords(absorbing(kText, "2")), std::string("absorbs “sun”"));
    QCOMPARE(absorbedWords(absorbing(kText, "2,4-5")),
             std::string("absorbs “sun … over the”"));
    QCOMPARE(absorbedPositions(absorbing(kText, "2,4-5")),
             std::string("absorbs tokens 2,4–5"));
    QCOMPARE(absorbedPositions(absorbing(kText, "2")), std::string("absorbs token 2"));
  }

  void charactersAcrossTokensAreQuotedWhole() {
    RunRequest request = absorbing("Über alles", "all");
    request.prompt[1].span = {0, 1};  // the first byte of "Ü"
    request.prompt.insert(request.prompt.begin() + 2, {TokenId(8), "ber", {1, 5}});
    request.absorbed = parseAbsorbedSet("1-2", request.prompt);
    QCOMPARE(absorbedWords(request), std::string("absorbs “Über”"));
    request.absorbed = parseAbsorbedSet("1", request.prompt);
    QCOMPARE(absorbedWords(request), std::string("absorbs “‹C3›”"));
  }

  /// In the tests of long prompts, quadratic time would exceed the test's time limit.
  void longPartsTakeLinearTime() {
    std::string text = "The sun";
    for (int word = 0; word < 180'000; ++word) text += ' ' + std::string(200, 'a');
    const RunRequest request = absorbing(text, "1-180001");  // all but the last word
    QCOMPARE(absorbedWords(request), std::string("absorbs “The sun … aaaaaaaaaaaa”"));
  }

  void manyImagesDoNotTakeQuadraticTime() {
    const auto picture = std::make_shared<const PictureFile>(
        PictureFile{.name = "a", .sha256 = {}, .bytes = {}});
    RunRequest request{.promptText = "b"};
    request.prompt = {{TokenId(1), "<s>", {}, true}};
    for (std::int64_t image = 1; image <= 1'000'000; ++image) {
      request.prompt.push_back({TokenId(2), "<i>", {}});
      request.images.push_back({picture, {image, image}});
    }
    request.prompt.push_back({TokenId(9), "b", {0, 1}});
    request.absorbed = parseAbsorbedSet("1-1000000", request.prompt);
    QCOMPARE(absorbedWords(request),
             std::string("absorbs “[a][a][a][a][a … [a][a][a][a]”"));
  }

  /// No UTF-8 character contains the byte FF, so no later token completes one.
  void anInvalidByteTakesLinearTime() {
    std::string start;
    for (int letter = 0; letter < 600'000; ++letter) start += "é";
    start += '\xFF';
    RunRequest request{.promptText = start};
    request.prompt = {{TokenId(1), "<s>", {}, true},
                      {TokenId(9), "a", {0, start.size()}}};
    for (int later = 0; later < 120'000; ++later) {
      const std::size_t begin = request.promptText.size();
      request.promptText += 'b';
      request.prompt.push_back({TokenId(9), "b", {begin, begin + 1}});
    }
    request.absorbed = parseAbsorbedSet("1-119999", request.prompt);
    QCOMPARE(absorbedWords(request, 8), std::string("absorbs “éé … bb”"));
  }

  void keysAreEqualOnlyForEqualParts() {
    const auto key = [](const std::string& text, const char* absorb) {
      return absorbedKey(absorbing(text, absorb));
    };
    QCOMPARE(key("The sea. Answer:", "3"), key("The wide sea. Answer:", "4"));
    QVERIFY(key("The sea. Answer:", "1") != key("A sea. Answer:", "1"));
    QVERIFY(key("so so", "1") != key("so so", "2"));  // the second occurrence
    QCOMPARE(key("The sea. Answer:", "keep-bos"), key("A lake.", "keep-bos"));
    QCOMPARE(key("", "all"), key("The sea.", "all"));
  }

  /// Overlapping occurrences count separately.
  void repeatedLettersTakeLinearTime() {
    constexpr std::size_t kHalf = 3'000'000;
    RunRequest request{.promptText = std::string(2 * kHalf, 'a')};
    request.prompt = {{TokenId(9), "a", {0, kHalf}},
                      {TokenId(9), "a", {kHalf, 2 * kHalf}}};
    request.absorbed = parseAbsorbedSet("1", request.prompt);
    QVERIFY(absorbedKey(request).ends_with("\n3000000"));
  }

  /// Searching up to 80 kB for each of 20,000 parts would take seconds.
  void veryManyPartsAreDistinguishedByPosition() {
    RunRequest request;
    request.absorbed.keepsGenerated = true;
    for (std::int64_t token = 0; token < 40'000; ++token) {
      const std::size_t begin = request.promptText.size();
      request.promptText += "ab";
      request.prompt.push_back({TokenId(9), "ab", {begin, begin + 2}});
      if (token % 2 == 0) request.absorbed.keptPrompt.push_back({token, token});
    }
    QCOMPARE(absorbedKey(request), absorbedPositions(request));
  }

  void veryManySpacesTakeLinearTime() {
    constexpr std::size_t kSpaces = 1'000'000;
    RunRequest request{.promptText = std::string(kSpaces, ' ')};
    request.absorbed.keepsGenerated = true;
    for (std::size_t token = 0; token < kSpaces; ++token) {
      const auto position = static_cast<std::int64_t>(token);
      request.prompt.push_back({TokenId(9), " ", {token, token + 1}});
      if (token % 2 == 0) request.absorbed.keptPrompt.push_back({position, position});
    }
    QCOMPARE(absorbedKey(request), absorbedPositions(request));
  }

  /// Long parts may differ only at their ends.
  void longPartsAreShortenedInTheMiddle() {
    QCOMPARE(absorbedWords(absorbing(kText, "1-6")),
             std::string("absorbs “The sun rises over the sea.”"));
    QCOMPARE(absorbedWords(absorbing(kText, "1-9")),
             std::string("absorbs “The sun rises … answer with”"));
    QCOMPARE(absorbedWords(absorbing(kText, "1-11")),
             std::string("absorbs “The sun rises … one word.”"));
  }

  void keptTokensAreNamedIfAllElseIsAbsorbed() {
    QCOMPARE(absorbedWords(absorbing(kText, "0-1,3-11,generated")),
             std::string("keeps “sun”"));
    QCOMPARE(absorbedPositions(absorbing(kText, "0-1,3-11,generated")),
             std::string("keeps token 2"));
  }

  void tokensWithoutTextAreNamedByPosition() {
    RunRequest request = absorbing(kText, "2-3");
    request.promptText.clear();
    QCOMPARE(absorbedWords(request), std::string("absorbs tokens 2–3"));
  }
};

EQUIPATCH_TEST(tst_absorbed_words)
#include "tst_absorbed_words.moc"
