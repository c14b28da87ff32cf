// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/decoder.h"

#include <nlohmann/json.hpp>

#include "tests/support/test_case.h"

using namespace equipatch;
using Pieces = std::vector<std::string>;

class tst_decoder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void decodersTurnPiecesIntoText_data();
  void decodersTurnPiecesIntoText();
  void givesTheBytesOfOnePiece();
  void decodesAsSentencePiece();
  void refusesUnknownTypes();
};

namespace {

std::shared_ptr<const Decoder> parsedDecoder(const char* json) {
  const Json value = Json::parse(json);
  return Decoder::parse(&value, "f: decoder");
}

std::string concatenatedPieces(const Pieces& pieces) {
  std::string result;
  for (const std::string& piece : pieces) result += piece;
  return result;
}

constexpr const char* kLlama =
    R"({"type":"Sequence","decoders":[
        {"type":"Replace","pattern":{"String":"▁"},"content":" "},
        {"type":"ByteFallback"},{"type":"Fuse"},
        {"type":"Strip","content":" ","start":1,"stop":0}]})";
constexpr const char* kByteLevel = R"({"type":"ByteLevel","add_prefix_space":true})";

}  // namespace

/// The expected texts are those of Hugging Face's tokenizers.
void tst_decoder::decodersTurnPiecesIntoText_data() {
  QTest::addColumn<QByteArray>("json");
  QTest::addColumn<QStringList>("pieces");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* json, const QStringList& pieces, const char* text) {
    QTest::addRow("%s %s", json, qPrintable(pieces.join(' ')))
        << QByteArray(json) << pieces << QString::fromUtf8(text);
  };
  row("null", {"a", "b"}, "a b");
  row(kByteLevel, {"Hello", "Ġworld"}, "Hello world");
  row(kByteLevel, {"Ã", "©", "â"}, "é\uFFFD");
  row(kByteLevel, {"<|日本|>", "Ġx"}, "<|日本|> x");
  row(kLlama, {"▁Once", "▁upon", "<0x0A>", "▁"}, "Once upon\n ");
  row(kLlama, {"<0xE2>", "<0x82>", "<0xAC>", "x"}, "€x");
  row(kLlama, {"<0xE2>", "<0x82>", "x", "<0xFF>"}, "\uFFFD\uFFFDx\uFFFD");
  row(kLlama, {"<0xZZ>", "<0x4>", "<0x041>"}, "<0xZZ><0x4><0x041>");
  row(kLlama, {"▁▁▁", "a"}, "  a");
  row(kLlama, {}, "");
  row(R"({"type":"Strip","content":"é","start":2,"stop":1})", {"éééaéé", "é", ""}, "éaé");
  row(R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always"})",
      {"▁a▁b", "▁c"}, "ab c");
  row(R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never"})", {"▁a", "▁c"},
      " a c");
  row(R"({"type":"Replace","pattern":{"Regex":"_+"},"content":" "})", {"a__b", "_"},
      "a b ");
}

void tst_decoder::decodersTurnPiecesIntoText() {
  QFETCH(QByteArray, json);
  QFETCH(QStringList, pieces);
  QFETCH(QString, text);
  Pieces input;
  for (const QString& piece : pieces) input.push_back(piece.toStdString());
  QCOMPARE(QString::fromStdString(
               concatenatedPieces(parsedDecoder(json.constData())->apply(input))),
           text);
}

void tst_decoder::givesTheBytesOfOnePiece() {
  QCOMPARE(parsedDecoder(kLlama)->surface("▁a"), std::string(" a"));
  QCOMPARE(parsedDecoder(kLlama)->surface("<0xE2>"), std::string("\xE2"));
  QCOMPARE(parsedDecoder(kByteLevel)->surface("Ġâ"), std::string(" \xE2"));
  QCOMPARE(parsedDecoder(kByteLevel)->surface("日"), std::string("日"));
  QCOMPARE(parsedDecoder(R"({"type":"Metaspace","replacement":"▁"})")->surface("▁a"),
           std::string(" a"));
  QCOMPARE(parsedDecoder("null")->surface("a"), std::string(" a"));
  // The step after ByteFallback must accept part of a character.
  QCOMPARE(parsedDecoder(R"({"type":"Sequence","decoders":[{"type":"ByteFallback"},
                      {"type":"Replace","pattern":{"Regex":"a"},"content":"b"}]})")
               ->surface("<0xE2>"),
           std::string("\xE2"));
}

void tst_decoder::decodesAsSentencePiece() {
  const Pieces pieces{"▁a", "▁b", "<0x21>"};
  QCOMPARE(concatenatedPieces(
               Decoder::sentencePiece(Decoder::DummyPrefix::Present)->apply(pieces)),
           std::string("a b!"));
  QCOMPARE(concatenatedPieces(
               Decoder::sentencePiece(Decoder::DummyPrefix::Absent)->apply(pieces)),
           std::string(" a b!"));
}

void tst_decoder::refusesUnknownTypes() {
  QVERIFY_ERROR(parsedDecoder(R"({"type":"CTC"})"), "f: decoder of type CTC",
                "not supported");
  QVERIFY_ERROR(parsedDecoder(R"({"type":"Fuse","odd":1})"), "\"odd\"");
  QVERIFY_ERROR(parsedDecoder(R"({"type":"Strip","content":"ab","start":1,"stop":0})"),
                "\"ab\"");
  QVERIFY_ERROR(parsedDecoder(R"({"type":"Strip","content":"a","start":-1,"stop":0})"),
                "start");
}

EQUIPATCH_TEST(tst_decoder)
#include "tst_decoder.moc"
