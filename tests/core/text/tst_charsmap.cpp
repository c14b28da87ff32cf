#include "core/text/charsmap.h"

#include <nlohmann/json.hpp>
#include <random>

#include "core/text/base64.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_charsmap : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsWhatSentencePieceCompiled();
  void knowsNothingWhenEmpty();
  void refusesWhatPointsOutside();
  void survivesDamage();
};

namespace {

std::string compiled() {
  const Json json = Json::parse(readBytes(data("tokenizers/unigram/tokenizer.json")));
  return *bytesOfBase64(
      json["normalizer"]["normalizers"][0]["precompiled_charsmap"].get<std::string>());
}

}  // namespace

void tst_charsmap::findsWhatSentencePieceCompiled() {
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

void tst_charsmap::knowsNothingWhenEmpty() {
  QVERIFY(!Charsmap::parse("", "f").find("ﬁ"));
  QVERIFY(!Charsmap().find("ﬁ"));
}

void tst_charsmap::refusesWhatPointsOutside() {
  const std::string good = compiled();
  QVERIFY_ERROR(Charsmap::parse(good.substr(0, 3), "f.json"), "f.json", "damaged");
  QVERIFY_ERROR(Charsmap::parse(good.substr(0, 100), "f.json"), "f.json");
  std::string open = good;
  open.back() = 'x';  // the last text does not end
  QVERIFY_ERROR(Charsmap::parse(open, "f.json"), "f.json");
  std::string far = good;
  far[4] = far[5] = far[6] = '\x7F';  // the root's children
  QVERIFY_ERROR(Charsmap::parse(far, "f.json"), "f.json");
}

/// Whatever becomes of the bytes: an Error, or a table whose lookups stay inside.
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

EQUIPATCH_TEST(tst_charsmap)
#include "tst_charsmap.moc"
