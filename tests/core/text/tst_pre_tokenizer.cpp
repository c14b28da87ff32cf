// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/pre_tokenizer.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::preTokensOf;

class tst_pre_tokenizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void splitsTextIntoPreTokens_data();
  void splitsTextIntoPreTokens();
  void splitsByThePatternsOfModels_data();
  void splitsByThePatternsOfModels();
  void keepsOrigins();
  void prependSchemeFirstActsOnlyAtTheTextStart();
  void refusesUnknownTypes();
};

namespace {

PreTokenizedText applied(const char* json, const AlignedText& text) {
  const Json parsed = Json::parse(json);
  PreTokenizedText result(text);
  PreTokenizer::parse(&parsed, "f: pre_tokenizer")->apply(result);
  return result;
}

}  // namespace

/// The expected pre-tokens are those of Hugging Face's tokenizers.
void tst_pre_tokenizer::splitsTextIntoPreTokens_data() {
  QTest::addColumn<QByteArray>("json");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("preTokens");
  const auto row = [](const char* json, const char* text, const char* preTokens) {
    QTest::addRow("%s: %s", json, text)
        << QByteArray(json) << QString::fromUtf8(text) << QString::fromUtf8(preTokens);
  };
  row("null", "a b", "a b");
  const char* byteLevel = R"({"type":"ByteLevel","add_prefix_space":false})";
  row(byteLevel, "Hello  it's 12x!", "Hello|Ġ|Ġit|'s|Ġ12|x|!");
  row(byteLevel, "é\n", "Ã©|Ċ");
  row(byteLevel, "  ", "ĠĠ");
  row(byteLevel, "", "");
  row(R"({"type":"ByteLevel","add_prefix_space":true,"use_regex":false,"trim_offsets":true})",
      "a b", "ĠaĠb");
  row(R"({"type":"ByteLevel","add_prefix_space":true})", " a", "Ġa");
  row(R"({"type":"Split","pattern":{"Regex":"\\d"},"behavior":"Isolated","invert":false})",
      "a12b", "a|1|2|b");
  row(R"({"type":"Split","pattern":{"Regex":"\\d+"},"behavior":"Removed","invert":true})",
      "a12b3", "12|3");
  row(R"({"type":"Split","pattern":{"String":"."},"behavior":"MergedWithPrevious"})",
      "a.b..c", "a.|b.|.|c");
  row(R"({"type":"Split","pattern":{"String":""},"behavior":"Isolated"})", "aé b",
      "a|é| |b");
  row(R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})",
      "a b  c", "▁a|▁b|▁|▁c");
  row(R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"never","split":false})",
      "a b", "a▁b");
  row(R"({"type":"Metaspace","replacement":"▁","add_prefix_space":true})", " a", "▁a");
  row(R"({"type":"Whitespace"})", "Hey, you\tthere_1 é!", "Hey|,|you|there_1|é|!");
  row(R"({"type":"Whitespace"})", "می\u200Cخواهم 👩\u200D🚀", "می\u200Cخواهم|👩|\u200D|🚀");
  row(R"({"type":"WhitespaceSplit"})", " Hey, you\u00A0there ", "Hey,|you|there");
  row(R"({"type":"Digits","individual_digits":true})", "a12Ⅷ b", "a|1|2|Ⅷ| b");
  row(R"({"type":"Digits","individual_digits":false})", "a12 b3", "a|12| b|3");
  row(R"({"type":"Punctuation"})", "a+b,,c»", "a|+|b|,|,|c|»");
  row(R"({"type":"Punctuation","behavior":"Contiguous"})", "a,,c", "a|,,|c");
  row(R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
          {"type":"Digits","individual_digits":false}]})",
      "a1 22", "a|1|22");
}

void tst_pre_tokenizer::splitsTextIntoPreTokens() {
  QFETCH(QByteArray, json);
  QFETCH(QString, text);
  QFETCH(QString, preTokens);
  const PreTokenizedText result =
      applied(json.constData(), AlignedText(text.toStdString()));
  QCOMPARE(QString::fromStdString(preTokensOf(result)), preTokens);
}

/// The patterns of gpt-oss (o200k) and Qwen 3.5, which use Unicode general categories
/// such as \p{M} and \p{Lu}. The expected pre-tokens are those of Perl's regular
/// expressions.
void tst_pre_tokenizer::splitsByThePatternsOfModels_data() {
  QTest::addColumn<QByteArray>("pattern");
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("preTokens");
  const QByteArray o200k =
      R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+)"
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
      R"([^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*)"
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
      R"(\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";
  const QByteArray qwen =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}|)"
      R"( ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+)";
  const auto row = [](const char* name, const QByteArray& pattern, const char* text,
                      const char* preTokens) {
    QTest::newRow(name) << pattern << QString::fromUtf8(text)
                        << QString::fromUtf8(preTokens);
  };
  const char* code = "HTTPServer's camelCase 12345 x/y//\n  done";
  row("o200k code", o200k, code, "HTTPServer's| camel|Case| |123|45| x|/y|//\n| | done");
  row("qwen code", qwen, code, "HTTPServer|'s| camelCase| |1|2|3|4|5| x|/y|//\n| | done");
  const char* marks = "नमस्ते, e\u0301té I'LL";
  row("o200k marks", o200k, marks, "नमस्ते|,| e\u0301té| I'LL");
  row("qwen marks", qwen, marks, "नमस्ते|,| e\u0301té| I|'LL");
  const char* spaces = "  a\t\tb  \n\n c ";
  row("o200k spaces", o200k, spaces, " | a|\t|\tb|  \n\n| c| ");
  row("qwen spaces", qwen, spaces, " | a|\t|\tb|  \n\n| c| ");
}

void tst_pre_tokenizer::splitsByThePatternsOfModels() {
  QFETCH(QByteArray, pattern);
  QFETCH(QString, text);
  QFETCH(QString, preTokens);
  const QByteArray json = R"({"type":"Split","pattern":{"Regex":")" + pattern +
                          R"("},"behavior":"Isolated","invert":false})";
  const PreTokenizedText result =
      applied(json.constData(), AlignedText(text.toStdString()));
  QCOMPARE(QString::fromStdString(preTokensOf(result)), preTokens);
}

void tst_pre_tokenizer::keepsOrigins() {
  const PreTokenizedText result =
      applied(R"({"type":"ByteLevel","add_prefix_space":true})", AlignedText("é b", 5));
  QCOMPARE(preTokensOf(result), std::string("ĠÃ©|Ġb"));
  // The first Ġ is nowhere in the text; Ã and © are the two bytes of é.
  QCOMPARE(test::originsOf(result.text),
           (std::vector<std::size_t>{5, 5, 5, 6, 6, 7, 7, 8, 8, 9}));
}

void tst_pre_tokenizer::prependSchemeFirstActsOnlyAtTheTextStart() {
  const char* first =
      R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first"})";
  QCOMPARE(preTokensOf(applied(first, AlignedText("a"))), std::string("▁a"));
  QCOMPARE(preTokensOf(applied(first, AlignedText("a", 3))), std::string("a"));
}

void tst_pre_tokenizer::refusesUnknownTypes() {
  const AlignedText text("a");
  QVERIFY_ERROR(applied(R"({"type":"UnicodeScripts"})", text),
                "f: pre_tokenizer of type UnicodeScripts", "not supported");
  QVERIFY_ERROR(applied(R"({"type":"Whitespace","odd":1})", text), "\"odd\"");
  QVERIFY_ERROR(
      applied(R"({"type":"Split","pattern":{"Regex":"["},"behavior":"Removed"})", text),
      "f: pre_tokenizer of type Split", "cannot be compiled");
  QVERIFY_ERROR(
      applied(R"({"type":"Split","pattern":{"String":"a"},"behavior":"Odd"})", text),
      "\"Odd\"");
  QVERIFY_ERROR(applied(R"({"type":"Split","behavior":"Removed"})", text), "pattern");
  QVERIFY_ERROR(applied(R"([])", text), "f: pre_tokenizer", "object");
}

EQUIPATCH_TEST(tst_pre_tokenizer)
#include "tst_pre_tokenizer.moc"
