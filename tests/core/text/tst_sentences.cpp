// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentences.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<std::string> partsOf(const std::vector<ByteSpan>& spans,
                                 std::string_view text) {
  std::vector<std::string> parts;
  for (const ByteSpan& span : spans)
    parts.emplace_back(text.substr(span.begin, span.end - span.begin));
  return parts;
}

}  // namespace

class tst_sentences : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void sentencesEndAsInUnicode() {
    const std::string text =
        "  Mr. Smith paid 3.5 dollars.  “Why?” he asked!\n\nQ: "
        "雨が降る。風が吹く。\nToday ";
    QCOMPARE(
        partsOf(sentencesOf(text), text),
        (std::vector<std::string>{"Mr. Smith paid 3.5 dollars.", "“Why?”", "he asked!",
                                  "Q: 雨が降る。", "風が吹く。", "Today"}));
    QVERIFY(sentencesOf("").empty());
    QVERIFY(sentencesOf(" \n ").empty());
    QVERIFY_ERROR(sentencesOf("\xFF"), "UTF-8");
  }

  /// At an image's place, the model reads tokens that the user did not write.
  void anImagesPlaceIsInNoSentence() {
    const std::string message =
        "Look. <start_of_image> how many are there? <start_of_image>Be brief.";
    const std::vector<std::string> sentences{"Look.", "how many are there?", "Be brief."};
    QCOMPARE(partsOf(sentencesOf(message), message), sentences);
    QVERIFY(sentencesOf("<start_of_image>").empty());
    const std::string image = "\n\n<start_of_image><soft><soft><end_of_image>\n\n";
    const std::string chat = "<system>Look. Be brief.<user>Look. " + image +
                             " how many are there? " + image + "Be brief.<model>";
    const auto spans = sentencesIn(message, chat);
    QCOMPARE(partsOf(spans, chat), sentences);
    QCOMPARE(spans[0].begin, chat.find("<user>") + 6);
    QCOMPARE(spans[2].end, chat.find("<model>"));
  }

  /// The tokens of an image are no words of the message.
  void wordsAfterAnImageAreFoundInTheChat() {
    const std::string text = "<user>\n\n<start_of_image><soft><end_of_image>\n\n";
    const std::string asked = text + "Where is the end?<model>";
    const std::string message = "<start_of_image>Where is the end?";
    QCOMPARE(placeInMessage("end", message, asked), asked.find("end?"));
    QCOMPARE(placeInMessage("image>Where", message, asked), std::string::npos);
    QCOMPARE(placeInMessage("start", message, asked), std::string::npos);
    const std::string word = text + "end<model>";
    for (const std::size_t place : {placeInMessage("end", "<start_of_image>end", word),
                                    sentencesIn("<start_of_image>end", word)[0].begin})
      QCOMPARE(place, word.find("end<model>"));
    QCOMPARE(placeInMessage("kind", "Be kind.", "<user>Kind: kind. Be kind.<model>"),
             std::size_t{21});
  }

  /// A template trims the message, and a system message may have the same sentence.
  void sentencesOfAMessageAreFoundInTheChat() {
    const std::string message = " Be brief. Be kind.\nBe brief. ";
    const std::string chat = "<system>Be brief. <user>Be brief. Be kind.\nBe brief.<end>";
    const auto spans = sentencesIn(message, chat);
    QCOMPARE(partsOf(spans, chat),
             (std::vector<std::string>{"Be brief.", "Be kind.", "Be brief."}));
    QCOMPARE(spans[0].begin, chat.find("<user>") + 6);
    QCOMPARE(spans[2].end, chat.find("<end>"));
    // The system message contains the user's whole message.
    const std::string twice = "<system>Be kind. Be brief. <user>Be brief.<model>";
    QCOMPARE(sentencesIn("Be brief.", twice).front().begin, twice.find("<user>") + 6);
    QCOMPARE(placeOfMessage(" Be brief.\n", twice), twice.find("<user>") + 6);
    QCOMPARE(placeOfMessage("model", "<user>model<model>"), std::size_t{6});
    const std::string roles = "<start_of_turn>user\nuser<end_of_turn>\n<|end|>model\n";
    QCOMPARE(placeOfMessage("user", roles), roles.find("user<"));
    QCOMPARE(placeOfMessage("of", roles), std::string::npos);
    QCOMPARE(placeOfMessage("end", roles), std::string::npos);
    QCOMPARE(placeOfMessage("model", "user\nmodel\nmodel\n"), std::size_t{5});
    const std::string named = "<|system|>An assistant.<|user|>assistant<|assistant|>";
    QCOMPARE(placeOfMessage("assistant", named), named.find("assistant<"));
    QCOMPARE(placeOfMessage("a", "<start>a b\na<end>"), std::size_t{11});
    QCOMPARE(placeOfMessage("Be rude.", twice), std::string::npos);
    const auto changed = sentencesIn("One. Two.", "ONE. Two.");
    QVERIFY(changed[0].empty());
    QCOMPARE(changed[1], (ByteSpan{5, 9}));
  }
};

EQUIPATCH_TEST(tst_sentences)
#include "tst_sentences.moc"
