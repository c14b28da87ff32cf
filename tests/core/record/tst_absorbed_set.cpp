// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/absorbed_set.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<Token> prompt(std::size_t length, bool special = false) {
  std::vector<Token> tokens(length, {.id = TokenId(1)});
  if (length > 0) tokens[0].special = special;
  return tokens;
}

}  // namespace

class tst_absorbed_set : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void rangesJoinNeighbours();
  void parsedTextDeterminesKeptPositions_data();
  void parsedTextDeterminesKeptPositions();
  void writingReproducesTheParsedText_data();
  void writingReproducesTheParsedText();
  void refusesInvalidParts_data();
  void refusesInvalidParts();
  void keepBosNeedsASpecialToken();
  void imageNamesAreReadAndWritten_data();
  void imageNamesAreReadAndWritten();
  void writesTheNameOfOneOfVeryManyImages();
  void refusesPartialAndMissingImages();
  void findsWords();
  void wordsOfTheMessageComeFirst();
  void findsSentences();
};

void tst_absorbed_set::parsedTextDeterminesKeptPositions_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QList<qint64>>(
      "kept");  // of positions 0 to 7: six of the prompt, two generated
  QTest::newRow("all") << "all" << QList<qint64>{};
  QTest::newRow("prompt") << "prompt" << QList<qint64>{6, 7};
  QTest::newRow("none") << "none" << QList<qint64>{0, 1, 2, 3, 4, 5, 6, 7};
  QTest::newRow("keep-bos") << "keep-bos" << QList<qint64>{0};
  QTest::newRow("a position") << "2" << QList<qint64>{0, 1, 3, 4, 5, 6, 7};
  QTest::newRow("ranges") << "0-1,4" << QList<qint64>{2, 3, 5, 6, 7};
  QTest::newRow("overlapping") << "3-4,0-3" << QList<qint64>{5, 6, 7};
  QTest::newRow("generated too") << "1-5,generated" << QList<qint64>{0};
  QTest::newRow("generated only") << "generated" << QList<qint64>{0, 1, 2, 3, 4, 5};
  QTest::newRow("all, spelt out") << "0-5,generated" << QList<qint64>{};
}

void tst_absorbed_set::parsedTextDeterminesKeptPositions() {
  QFETCH(QString, text);
  QFETCH(QList<qint64>, kept);
  const AbsorbedSet set = parseAbsorbedSet(text.toStdString(), prompt(6, true));
  const std::vector<std::int64_t> before = set.keptBefore(8, 6);
  QCOMPARE(QList<qint64>(before.begin(), before.end()), kept);
  for (qint64 position = 0; position < 8; ++position)
    QCOMPARE(set.keeps(position, 6), kept.contains(position));
  QCOMPARE(set.whole(), kept.isEmpty());
  const auto later = std::ranges::find_if(before, [](auto at) { return at >= 3; });
  QCOMPARE(set.keptBefore(3, 6), std::vector<std::int64_t>(before.begin(), later));
}

void tst_absorbed_set::writingReproducesTheParsedText_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"all", "prompt", "none", "0", "1-5", "0-1,4",
                           "1,3,5,generated", "1-5,generated", "generated"})
    QTest::newRow(text) << text;
}

void tst_absorbed_set::writingReproducesTheParsedText() {
  QFETCH(QString, text);
  const AbsorbedSet set = parseAbsorbedSet(text.toStdString(), prompt(6));
  QCOMPARE(QString::fromStdString(absorbedText(set, 6)), text);
}

void tst_absorbed_set::refusesInvalidParts_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("reason");
  for (const char* text :
       {"", "everything", "1-", "-1", "1 -2", "0x1", "1-2-3", "99999999999999999999"})
    QTest::addRow("\"%s\"", text) << text << "is not a part of the context";
  for (const char* text : {"1,", ",1", "0-2,,4"})
    QTest::addRow("\"%s\"", text) << text << "has a comma too many";
  QTest::newRow("all in a list") << "all,1"
                                 << "\"all\" cannot be in a list of parts";
  QTest::newRow("prompt in a list") << "generated,prompt"
                                    << "\"prompt\" cannot be in a list of parts";
  QTest::newRow("words in a list") << "1,words:sun"
                                   << "\"words:sun\" cannot be in a list of parts";
  QTest::newRow("sentence in a list") << "sentence:1,sentence:2"
                                      << "\"sentence:1\" cannot be in a list of parts";
  QTest::newRow("reversed") << "5-2"
                            << "5-2 run backwards; write 2-5";
  QTest::newRow("beyond") << "0-6"
                          << "position 6 is not in the prompt";
  QTest::newRow("far") << "9223372036854775807"
                       << "is not in the prompt";
}

void tst_absorbed_set::refusesInvalidParts() {
  QFETCH(QString, text);
  QFETCH(QString, reason);
  QVERIFY_ERROR(parseAbsorbedSet(text.toStdString(), prompt(6)), reason);
}

void tst_absorbed_set::keepBosNeedsASpecialToken() {
  QVERIFY_ERROR(parseAbsorbedSet("keep-bos", prompt(6)), "starts with an ordinary one",
                "such as 1-5,generated");
  QVERIFY_ERROR(parseAbsorbedSet("keep-bos", prompt(1)), "such as generated");
  QVERIFY(!parseAbsorbedSet("generated", prompt(1)).whole());
}

/// A prompt of 12 tokens with images at 2 to 4 and 7 to 9.
void tst_absorbed_set::imageNamesAreReadAndWritten_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("ranges");
  const auto row = [](const char* text, const char* ranges) {
    QTest::newRow(text) << text << ranges;
  };
  row("images", "2-4,7-9");
  row("image:1", "2-4");
  row("image:2", "7-9");
  row("image:2,image:1", "2-4,7-9");
  row("images,generated", "2-4,7-9,generated");
  row("image:2,0,11", "0,7-9,11");
  row("text", "0-1,5-6,10-11,generated");
  row("text,image:1", "0-6,10-11,generated");
}

void tst_absorbed_set::imageNamesAreReadAndWritten() {
  QFETCH(QString, text);
  QFETCH(QString, ranges);
  const std::vector<Token> prompt(12);
  const std::vector<PositionRange> images{{2, 4}, {7, 9}};
  const AbsorbedSet set = parseAbsorbedSet(text.toStdString(), prompt, images);
  QCOMPARE(absorbedText(set, 12), ranges.toStdString());
  const std::string named = absorbedText(set, 12, images);
  QVERIFY(parseAbsorbedSet(named, prompt, images) == set);
  if (!text.contains(u',')) QCOMPARE(QString::fromStdString(named), text);
  QVERIFY(parseAbsorbedSet(ranges.toStdString(), prompt, images) == set);
}

/// Trying every image's name would exceed the test's time limit.
void tst_absorbed_set::writesTheNameOfOneOfVeryManyImages() {
  constexpr std::int64_t kLength = 1'000'000;
  std::vector<PositionRange> images;
  for (std::int64_t at = 0; at + 1 < kLength; at += 2) images.push_back({at, at});
  const std::vector<Token> prompt(kLength);
  const AbsorbedSet set = parseAbsorbedSet("image:400000", prompt, images);
  QCOMPARE(absorbedText(set, kLength, images), std::string("image:400000"));
}

void tst_absorbed_set::refusesPartialAndMissingImages() {
  const std::vector<Token> prompt(12);
  const std::vector<PositionRange> images{{2, 4}, {7, 9}};
  QVERIFY_ERROR(parseAbsorbedSet("2", prompt, images), "positions 2 to 4",
                "absorb or keep");
  QVERIFY_ERROR(parseAbsorbedSet("0-8", prompt, images), "positions 7 to 9");
  QVERIFY_ERROR(parseAbsorbedSet("image:0", prompt, images), "no image 0", "1 to 2");
  QVERIFY_ERROR(parseAbsorbedSet("image:x", prompt, images), "\"image:x\" is not a part");
  QVERIFY_ERROR(parseAbsorbedSet("images", prompt), "has no images");
  QVERIFY(!parseAbsorbedSet("2", prompt).whole());  // no image at position 2
}

void tst_absorbed_set::rangesJoinNeighbours() {
  QVERIFY(rangesOf({}).empty());
  QVERIFY(rangesOf({true, true, false, true}) ==
          (std::vector<PositionRange>{{0, 1}, {3, 3}}));
}

void tst_absorbed_set::findsWords() {
  const std::string text = "the sun, the sea";
  // BOS, "the", " sun", ",", " the", " s", "ea"
  const std::vector<Token> tokens = {{.id = TokenId(1), .special = true},
                                     {.span = {0, 3}},
                                     {.span = {3, 7}},
                                     {.span = {7, 8}},
                                     {.span = {8, 12}},
                                     {.span = {12, 14}},
                                     {.span = {14, 16}}};
  const auto absorbed = [&](const char* part) {
    return absorbedText(parseAbsorbedSet(part, tokens, {}, text), 7);
  };
  QCOMPARE(absorbed("words:sun, the"), std::string("2-4"));  // the words have a comma
  QCOMPARE(absorbed("words:se"), std::string("5-6"));  // tokens are absorbed as a whole
  QCOMPARE(absorbed("words:the sun, the sea"), std::string("1-6"));
  QVERIFY_ERROR(absorbed("words:the"), "more than once");
  requireWords("words:sun", text);
  requireWords("0-900", text);
  QVERIFY_ERROR(requireWords("words:moon", text), "does not have");
  QVERIFY_ERROR(absorbed("words:Sun"), "does not have the words \"Sun\"");
  QVERIFY_ERROR(absorbed("words:"), "names no words");
  QVERIFY_ERROR(parseAbsorbedSet("words:sun", tokens), "does not have");  // no text
}

/// The system message may contain the words of the user's message.
void tst_absorbed_set::wordsOfTheMessageComeFirst() {
  const std::string text = "<s>Be brief.<u>Be brief. Go, go.</u>";
  const std::vector<Token> tokens = {{.span = {0, 3}},   {.span = {3, 12}},
                                     {.span = {12, 15}}, {.span = {15, 24}},
                                     {.span = {24, 32}}, {.span = {32, 36}}};
  const std::string message = "Be brief. Go, go. ";
  const auto absorbed = [&](const std::string& part) {
    return absorbedText(parseAbsorbedSet(part, tokens, {}, text, message), 6);
  };
  QCOMPARE(sentenceParts(message).front(), std::string("words:Be brief."));
  QCOMPARE(absorbed("words:Be brief."), std::string("3"));
  QCOMPARE(absorbed("words:<s>Be brief."), std::string("0-1"));
  QVERIFY_ERROR(absorbed("words:o"), "more than once");
  const std::string twice = "<s>Be brief.<u>Be brief.";
  for (const char* const part : {"words:Be brief.", "sentence:1"}) {
    const std::vector<Token> four(tokens.begin(), tokens.begin() + 4);
    QCOMPARE(absorbedText(parseAbsorbedSet(part, four, {}, twice, "Be brief."), 4),
             std::string("3"));
  }
  QVERIFY_ERROR(parseAbsorbedSet("words:Be brief.", tokens, {}, text, "Be rude."),
                "more than once");
  // At an image's place, the tokenized text has markup that the message lacks.
  const std::string seen = "<s>Go.<u><start_of_image><soft><end_of_image>Go.";
  const std::vector<Token> parts{{.span = {0, 6}},
                                 {.span = {6, seen.size() - 3}},
                                 {.span = {seen.size() - 3, seen.size()}}};
  for (const char* const part : {"words:Go.", "sentence:1"})
    QCOMPARE(
        absorbedText(parseAbsorbedSet(part, parts, {}, seen, "<start_of_image>Go."), 3),
        std::string("2"));
}

void tst_absorbed_set::findsSentences() {
  const std::string text = "<u>Wait. Wait. Stop.</u>";
  const std::vector<Token> tokens = {{.span = {0, 3}},   {.span = {3, 8}},
                                     {.span = {8, 14}},  {.span = {14, 19}},
                                     {.span = {19, 20}}, {.span = {20, 24}}};
  const auto absorbed = [&](const std::string& part) {
    return absorbedText(parseAbsorbedSet(part, tokens, {}, text, "Wait. Wait. Stop. "),
                        6);
  };
  QCOMPARE(absorbed("sentence:1"), std::string("1"));
  QCOMPARE(absorbed("sentence:2"), std::string("2"));  // of equal sentences, the second
  QCOMPARE(absorbed("sentence:3"), std::string("3-4"));
  QVERIFY_ERROR(absorbed("sentence:4"), "its sentences are 1 to 3");
  QVERIFY_ERROR(absorbed("sentence:0"), "its sentences are 1 to 3");
  QVERIFY_ERROR(absorbed("sentence:x"), "is not a part of the context");
  QVERIFY_ERROR(parseAbsorbedSet("sentence:1", tokens), "has no sentences");  // no text
  QVERIFY_ERROR(parseAbsorbedSet("sentence:1", tokens, {}, text, "WAIT. Stop."),
                "does not read sentence 1 as it was written");
  QVERIFY_ERROR(requireWords("sentence:3", "One. Two."), "its sentences are 1 to 2");
  const auto parts = sentenceParts("Wait. Wait. Stop.");
  QCOMPARE(parts, (std::vector<std::string>{"sentence:1", "sentence:2", "words:Stop."}));
  QVERIFY(isSentencePart(parts[0]) && !isSentencePart(parts[2]));
  QVERIFY_ERROR(sentenceParts("Go"), "at least 2 sentences", "found 1");
}

EQUIPATCH_TEST(tst_absorbed_set)
#include "tst_absorbed_set.moc"
