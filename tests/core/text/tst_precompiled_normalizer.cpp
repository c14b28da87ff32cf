#include "core/text/precompiled_normalizer.h"

#include <nlohmann/json.hpp>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;
using Sizes = std::vector<std::size_t>;

/// That the texts are Hugging Face's is tested through golden.jsonl in
/// tst_tokenizer_json.
class tst_precompiled_normalizer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void replaces_data();
  void replaces();
  void keepsTrackOfBytes();
  void takesLongTexts();
};

namespace {

std::shared_ptr<const Normalizer> normalizer() {
  const Json json = Json::parse(readBytes(data("tokenizers/unigram/tokenizer.json")));
  return Normalizer::parse(&json["normalizer"]["normalizers"][0], "f");
}

std::string normalized(const std::string& text) {
  return normalizer()->normalize(AlignedText(text)).text();
}

}  // namespace

void tst_precompiled_normalizer::replaces_data() {
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

void tst_precompiled_normalizer::replaces() {
  QFETCH(QString, text);
  QFETCH(QString, expected);
  QCOMPARE(QString::fromStdString(normalized(text.toStdString())), expected);
}

void tst_precompiled_normalizer::keepsTrackOfBytes() {
  const AlignedText text = normalizer()->normalize(AlignedText("xﬁ\u00ADy"));
  QCOMPARE(text.text(), std::string("xfiy"));
  QCOMPARE(originsOf(text), (Sizes{0, 1, 4, 4, 7}));
}

void tst_precompiled_normalizer::takesLongTexts() {
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

EQUIPATCH_TEST(tst_precompiled_normalizer)
#include "tst_precompiled_normalizer.moc"
