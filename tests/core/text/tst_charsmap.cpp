// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/charsmap.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/strings.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

using Sizes = std::vector<std::size_t>;

/// tst_tokenizer_json compares tokenizers that use a Charsmap with Hugging Face's.
class tst_charsmap : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void findsReplacementsCompiledBySentencePiece();
  void emptyTableFindsNothing();
  void refusesOffsetsOutsideTheTable();
  void refusesTextsOtherThanUtf8();
  void survivesDamage();
  void normalizerReplacesClusters_data();
  void normalizerReplacesClusters();
  void normalizerKeepsOrigins();
  void normalizerTakesLongTexts();
};

namespace {

std::string compiled() {
  const Json json = Json::parse(readBytes(data("tokenizers/unigram/tokenizer.json")));
  return *decodeBase64(
      json["normalizer"]["normalizers"][0]["precompiled_charsmap"].get<std::string>());
}

}  // namespace

void tst_charsmap::findsReplacementsCompiledBySentencePiece() {
  const Charsmap map = Charsmap::parse(compiled(), "f");
  QCOMPARE(map.find("ﬁx"), std::string_view("fi"));
  QCOMPARE(map.find("½"), std::string_view("1⁄2"));
  QCOMPARE(map.find("e\u0301"), std::string_view("é"));
  QCOMPARE(map.find("\u00AD"), std::string_view(""));
  QVERIFY(!map.find("e"));
  QVERIFY(!map.find("e\u0300"));
  QVERIFY(!map.find("\xEF\xAC"));  // half of "ﬁ"
  QVERIFY(!map.find(""));
  QVERIFY(!map.find(std::string_view("\0", 1)));
}

void tst_charsmap::emptyTableFindsNothing() {
  QVERIFY(!Charsmap::parse("", "f").find("ﬁ"));
  QVERIFY(!Charsmap().find("ﬁ"));
}

void tst_charsmap::refusesOffsetsOutsideTheTable() {
  const std::string good = compiled();
  QVERIFY_ERROR(Charsmap::parse(good.substr(0, 3), "f.json"), "f.json", "damaged");
  QVERIFY_ERROR(Charsmap::parse(good.substr(0, 100), "f.json"), "f.json");
  std::string open = good;
  open.back() = 'x';  // the last text has no final NUL
  QVERIFY_ERROR(Charsmap::parse(open, "f.json"), "f.json");
  std::string far = good;
  far[4] = far[5] = far[6] = '\x7F';  // where the root's children begin
  QVERIFY_ERROR(Charsmap::parse(far, "f.json"), "f.json");
}

void tst_charsmap::refusesTextsOtherThanUtf8() {
  std::string invalid = compiled();
  invalid[invalid.rfind(std::string_view("\0fi\0", 4)) + 1] = '\xF0';
  QVERIFY_ERROR(Charsmap::parse(invalid, "f.json"), "f.json", "not UTF-8");

  std::string within = compiled();
  std::uint32_t size = 0;  // of the trie
  std::memcpy(&size, within.data(), sizeof size);
  const std::size_t texts = sizeof size + size;
  const auto accented =
      static_cast<std::uint32_t>(within.find(std::string_view("\0é\0", 4)) + 1 - texts);
  for (std::size_t at = sizeof size; at < texts; at += sizeof size) {
    std::uint32_t unit = 0;
    std::memcpy(&unit, within.data() + at, sizeof unit);
    if (unit == (std::uint32_t{1} << 31 | accented))
      ++within[at];  // now points at the second byte of é
  }
  QVERIFY_ERROR(Charsmap::parse(within, "f.json"), "f.json", "points outside");
}

/// Damaged bytes give an Error, or a table whose lookups stay inside it.
void tst_charsmap::survivesDamage() {
  std::mt19937 random(3);
  const std::string good = compiled();
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = good;
    for (std::size_t i = 1 + random() % 4; i > 0; --i)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    const QString sentence = errorOf([&] {
      const Charsmap map = Charsmap::parse(bytes, "f.json");
      for (const char* text : {"ﬁ", "½", "e\u0301", "\u00AD", "a", "\xFF\xFF\xFF"})
        if (const auto found = map.find(text)) static_cast<void>(std::string(*found));
    });
    QVERIFY(sentence.isEmpty() || sentence.contains("f.json"));
  }
}

namespace {

std::shared_ptr<const Normalizer> normalizer() {
  const Json json = Json::parse(readBytes(data("tokenizers/unigram/tokenizer.json")));
  return Normalizer::parse(&json["normalizer"]["normalizers"][0], "f");
}

std::string normalized(const std::string& text) {
  return normalizer()->normalize(AlignedText(text)).text();
}

}  // namespace

void tst_charsmap::normalizerReplacesClusters_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* name, const char* text, const char* expected) {
    QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
  };
  row("nothing", "", "");
  row("plain", "plain text", "plain text");
  row("a ligature", "aﬁb", "afib");
  row("removed", "a\u00ADb", "ab");
  row("two characters in one cluster", "e\u0301", "é");
  row("all of a short cluster, by its beginning", "ﬁ\u0301", "fi");
  row("a long cluster by its characters", "ﬁ\u0301\u0301", "fi\u0301\u0301");
  row("a line's end is one cluster", "a\r\nb\r\r\n", "a b  ");
  row("a line's end in front of others", "\r\né", " é");
}

void tst_charsmap::normalizerReplacesClusters() {
  QFETCH(QString, text);
  QFETCH(QString, expected);
  QCOMPARE(QString::fromStdString(normalized(text.toStdString())), expected);
}

void tst_charsmap::normalizerKeepsOrigins() {
  const AlignedText text = normalizer()->normalize(AlignedText("xﬁ\u00ADy"));
  QCOMPARE(text.text(), std::string("xfiy"));
  QCOMPARE(originsOf(text), (Sizes{0, 1, 4, 4, 7}));
}

void tst_charsmap::normalizerTakesLongTexts() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "ﬁa\u0301日";
  std::string expected;
  for (int i = 0; i < 100'000; ++i) expected += "fia\u0301日";
  QVERIFY(normalized(text) == expected);
  // One cluster of a megabyte.
  text = "a";
  for (int i = 0; i < 500'000; ++i) text += "\u0301";
  QVERIFY(normalized(text) == text);
}

EQUIPATCH_TEST(tst_charsmap)
#include "tst_charsmap.moc"
