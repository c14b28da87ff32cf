// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/glossary.h"

#include <set>
#include <string>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_glossary : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void everyEntryIsASentence() {
    std::set<std::string_view> words;
    for (const auto& [word, sentence] : glossary()) {
      QVERIFY2(words.insert(word).second, std::string(word).c_str());
      QVERIFY2(sentence.ends_with('.') && !sentence.starts_with(' '),
               std::string(sentence).c_str());
    }
    QVERIFY(words.size() > 30);
    QVERIFY(!words.contains("word"));
  }

  void sentencesAreFoundByTheirTerm() {
    QVERIFY(glossarySentence("cos(z, z_C)").starts_with("How alike"));
    QCOMPARE(glossarySentence("no such word"), std::string_view());
    QCOMPARE(glossarySentence(""), std::string_view());
  }

  /// Captions continue "The balanced method …" with these sentences.
  void methodsAndLoopsBeginWithAVerb() {
    for (const char* word : {"balanced", "direct", "stable", "closed", "half", "open"}) {
      const std::string_view sentence = glossarySentence(word);
      QVERIFY2(sentence.substr(0, sentence.find(' ')).ends_with('s'), word);
    }
  }
};

EQUIPATCH_TEST(tst_glossary)
#include "tst_glossary.moc"
