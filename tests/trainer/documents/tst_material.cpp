// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/material.h"

#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::wordLists;

class tst_material : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void freshEntriesBelongToTheSplit_data() {
    QTest::addColumn<Split>("split");
    QTest::newRow("training") << Split::Training;
    QTest::newRow("held out") << Split::HeldOut;
  }
  void freshEntriesBelongToTheSplit() {
    QFETCH(Split, split);
    Material material(wordLists(), split, Random(5));
    for (int i = 0; i < 500; ++i)
      for (const std::string& thing : {material.name(), material.place(),
                                       material.inventedWord(), material.character()})
        QVERIFY2(splitOf(thing) == split, thing.c_str());
  }

  /// Held-out documents use only real characters; training documents also use misspelt
  /// ones, such as "a grumpy pixrate".
  void onlyTrainingTextHasMisspellings() {
    const Words& characters = wordLists().words("characters");
    const auto real = [&](Split split) {
      Material material(wordLists(), split, Random(8));
      int count = 0;
      for (int i = 0; i < 1000; ++i)
        count += std::ranges::count(characters, material.character()) > 0 ? 1 : 0;
      return count;
    };
    QCOMPARE(real(Split::HeldOut), 1000);
    const int trained = real(Split::Training);
    QVERIFY2(trained > 500 && trained < 800, std::to_string(trained).c_str());
  }

  void entriesDrawnTogetherAreDifferent() {
    Material material(wordLists(), Split::Training, Random(6));
    for (int i = 0; i < 100; ++i) {
      const Words names = material.names(5);
      QCOMPARE(std::set<std::string>(names.begin(), names.end()).size(), std::size_t{5});
      const Words things = material.several("things", 9);
      QCOMPARE(std::set<std::string>(things.begin(), things.end()).size(),
               std::size_t{9});
    }
    QCOMPARE(material.several("groups/metal", 1000).size(),
             wordLists().words("groups/metal").size());
  }

  void inventedWordsAreRarelyKnownWords() {
    Material material(wordLists(), Split::Training, Random(7));
    const Words& things = wordLists().words("things");
    int known = 0;
    for (int i = 0; i < 1000; ++i)
      known += std::ranges::count(things, material.inventedWord()) > 0 ? 1 : 0;
    QVERIFY(known < 30);  // "pen" is a word and a syllable
  }

  void articlesAndCapitalsAreEnglish() {
    QCOMPARE(withArticle("cat"), "a cat");
    QCOMPARE(withArticle("owl"), "an owl");
    QCOMPARE(withArticle("unicorn"), "a unicorn");
    QCOMPARE(capitalised("zor"), "Zor");
    QCOMPARE(capitalised("Zor"), "Zor");
  }
};

EQUIPATCH_TEST(tst_material)
#include "tst_material.moc"
