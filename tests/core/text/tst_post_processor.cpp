// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/post_processor.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;
using Ids = std::vector<std::int64_t>;

class tst_post_processor : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void frameIsUndecidedWithoutATemplate();
  void followsATemplate();
  void findsTheTemplateInASequence();
  void readsBertAndRobertaProcessing();
  void refusesInvalidTemplatesAndTypes();
  void tokensAroundTheTextAreLimited();
};

namespace {

TokenFrame parsedFrame(const std::string& json) {
  const Json value = Json::parse(json);
  return TokenFrame::parse(&value, "f: post_processor");
}

std::string templateOf(const std::string& single) {
  return R"({"type":"TemplateProcessing","single":)" + single +
         R"(,"pair":[],"special_tokens":{"<s>":{"id":"<s>","ids":[1,5],"tokens":["<s>","x"]},
          "</s>":{"id":"</s>","ids":[2],"tokens":["</s>"]}}})";
}

const std::string kText = R"({"Sequence":{"id":"A","type_id":0}})";
const std::string kBegin = R"({"SpecialToken":{"id":"<s>","type_id":0}})";
const std::string kEnd = R"({"SpecialToken":{"id":"</s>","type_id":0}})";
const std::string kByteLevelFrame = R"({"type":"ByteLevel","trim_offsets":true})";

}  // namespace

void tst_post_processor::frameIsUndecidedWithoutATemplate() {
  QVERIFY(!parsedFrame("null").isDecided);
  const TokenFrame frame = parsedFrame(kByteLevelFrame);
  QVERIFY(!frame.isDecided);
  QCOMPARE(frame.before, Ids{});
}

void tst_post_processor::followsATemplate() {
  const TokenFrame frame =
      parsedFrame(templateOf("[" + kBegin + "," + kText + "," + kEnd + "]"));
  QVERIFY(frame.isDecided);
  QCOMPARE(frame.before, (Ids{1, 5}));
  QCOMPARE(frame.after, Ids{2});
  QVERIFY(parsedFrame(templateOf("[" + kText + "]")).isDecided);
}

void tst_post_processor::findsTheTemplateInASequence() {
  const std::string inner = templateOf("[" + kBegin + "," + kText + "]");
  const TokenFrame frame =
      parsedFrame(R"({"type":"Sequence","processors":[)" + kByteLevelFrame + "," + inner +
                  "," + kByteLevelFrame + "]}");
  QVERIFY(frame.isDecided);
  QCOMPARE(frame.before, (Ids{1, 5}));
}

void tst_post_processor::readsBertAndRobertaProcessing() {
  const TokenFrame frame = parsedFrame(
      R"({"type":"RobertaProcessing","sep":["</s>",2],"cls":["<s>",0],"trim_offsets":true})");
  QCOMPARE(frame.before, Ids{0});
  QCOMPARE(frame.after, Ids{2});
  QVERIFY_ERROR(parsedFrame(R"({"type":"BertProcessing","sep":["x"],"cls":["y",1]})"),
                "[name, id]");
}

void tst_post_processor::refusesInvalidTemplatesAndTypes() {
  QVERIFY_ERROR(parsedFrame(R"({"type":"Odd"})"), "f: post_processor of type Odd",
                "not supported");
  QVERIFY_ERROR(parsedFrame(templateOf("[" + kBegin + "]")), "leaves the text out");
  QVERIFY_ERROR(parsedFrame(templateOf("[" + kText + "," + kText + "]")),
                "repeats the text");
  QVERIFY_ERROR(parsedFrame(templateOf(R"([{"SpecialToken":{"id":"<x>"}}])")), "\"<x>\"");
  QVERIFY_ERROR(parsedFrame(templateOf(R"([{"Sequence":{"id":"B"}}])")), "sequence A");
  QVERIFY_ERROR(parsedFrame(templateOf("[3]")), "sequence A");
  QVERIFY_ERROR(parsedFrame(templateOf("3")), "single");
  QVERIFY_ERROR(parsedFrame(R"({"type":"TemplateProcessing","single":[],
                           "special_tokens":{"x":{"ids":[1000000000000]}}})"),
                "ids");
  const std::string inner = templateOf("[" + kText + "]");
  QVERIFY_ERROR(
      parsedFrame(R"({"type":"Sequence","processors":[)" + inner + "," + inner + "]}"),
      "more than once");
}

/// kBegin stands for two tokens, and each side of the text may have 1024.
void tst_post_processor::tokensAroundTheTextAreLimited() {
  std::string before, after;
  for (int use = 0; use < 512; ++use) {
    before += kBegin + ",";
    after += "," + kBegin;
  }
  const TokenFrame frame = parsedFrame(templateOf("[" + before + kText + after + "]"));
  QCOMPARE(frame.before.size(), std::size_t{1024});
  QCOMPARE(frame.after.size(), std::size_t{1024});
  QVERIFY_ERROR(parsedFrame(templateOf("[" + before + kEnd + "," + kText + "]")),
                "more than 1024 tokens");
  QVERIFY_ERROR(parsedFrame(templateOf("[" + kText + after + "," + kEnd + "]")),
                "more than 1024 tokens");
}

EQUIPATCH_TEST(tst_post_processor)
#include "tst_post_processor.moc"
