// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/documents/word_lists.h"

#include <QTemporaryDir>
#include <fstream>
#include <set>

#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::wordLists;

using Pair = WordPairs::value_type;

class tst_word_lists : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void splitsAreDisjointAndComplete_data() {
    QTest::addColumn<QString>("list");
    for (const char* list : {"places", "names", "characters"})
      QTest::newRow(list) << list;
  }
  void splitsAreDisjointAndComplete() {
    QFETCH(QString, list);
    const std::string name = list.toStdString();
    const Words& training = wordLists().words(name, Split::Training);
    const Words& heldOut = wordLists().words(name, Split::HeldOut);
    std::multiset<std::string> both(training.begin(), training.end());
    both.insert(heldOut.begin(), heldOut.end());
    const Words& all = wordLists().words(name);
    QCOMPARE(both, std::multiset<std::string>(all.begin(), all.end()));
    QCOMPARE(std::set<std::string>(both.begin(), both.end()).size(), both.size());
    QVERIFY(heldOut.size() * 20 > all.size());  // enough for questions
    QVERIFY(heldOut.size() * 5 < all.size());
  }

  void placesIncludeThePlanets() {
    const Words& places = wordLists().words("places");
    QVERIFY(places.size() >= 40);
    for (const char* planet :
         {"Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"})
      QVERIFY2(std::ranges::find(places, planet) != places.end(), planet);
  }

  void groupsAndPairsAreFoundByName() {
    QVERIFY(std::ranges::count(wordLists().groupNames(), "groups/animal") == 1);
    QVERIFY(std::ranges::count(wordLists().pairNames(), "capitals") == 1);
    QVERIFY(std::ranges::count(wordLists().pairs("capitals"), Pair("Japan", "Tokyo")) ==
            1);
    const Pair plum("plum", "fruit");
    QVERIFY(std::ranges::count(wordLists().pairs(kKinds), plum) == 1);
    const Pair orange("orange", "colour");  // also a fruit; the first group counts
    QVERIFY(std::ranges::count(wordLists().pairs(kKinds), orange) == 1);
  }

  void lineEndsOfWindowsAreNoPartOfWords() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::filesystem::create_directory(path / "pairs");
    std::ofstream(path / "few.txt") << "one\r\n\r\ntwo\r\n";
    std::ofstream(path / "pairs" / "both.txt") << "one\ttwo\r\n";
    const WordLists lists = WordLists::read(path);
    QCOMPARE(lists.words("few"), (Words{"one", "two"}));
    QCOMPARE(lists.pairs("both"), WordPairs{Pair("one", "two")});
  }

  void missingListsAreNamed() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "few.txt") << "one\n";
    const WordLists lists = WordLists::read(path);
    const Split other =
        splitOf("one") == Split::HeldOut ? Split::Training : Split::HeldOut;
    QVERIFY_ERROR(lists.words("few", other), "few.txt", "none of the 1 entries");
    QVERIFY_ERROR(lists.words("names"), "names.txt", "missing");
    QVERIFY_ERROR(lists.words("names", other), "names.txt", "missing");
    QVERIFY_ERROR(lists.pairs("capitals"), "pairs/capitals.txt", "missing");
    QVERIFY_ERROR(lists.rhymes(), "rhymes.txt", "missing");
    QVERIFY_ERROR(lists.groupNames(), "groups/animal.txt", "missing");
  }

  void invalidFoldersAreRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    QVERIFY_ERROR(WordLists::read(path), "found no .txt");
    QVERIFY_ERROR(WordLists::read(path / "absent"), "absent", "found no .txt");
    std::filesystem::create_directory(path / "pairs");
    std::ofstream(path / "pairs" / "broken.txt") << "one two\n";
    QVERIFY_ERROR(WordLists::read(path), "broken.txt", "separated by a tab", "one two");
    std::ofstream(path / "pairs" / "broken.txt") << "\n\n";
    QVERIFY_ERROR(WordLists::read(path), "broken.txt", "found none");
    std::ofstream(path / "pairs" / "broken.txt") << "one\ttwo\n";
    std::ofstream(path / "rhymes.txt") << "cat hat\nlonely\n";
    QVERIFY_ERROR(WordLists::read(path), "rhymes.txt", "lonely");
    std::filesystem::create_directory(path / "few.txt");
    QVERIFY_ERROR(WordLists::read(path), "few.txt", "cannot be read");
  }

  void foldersThatCannotBeReadAreErrors() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::ofstream(path / "few.txt") << "one\n";
    std::filesystem::create_directory(path / "pairs");
    std::filesystem::permissions(path / "pairs", std::filesystem::perms::none);
    const std::vector<QString> problems = equipatch::test::withOrdinaryRights([&path] {
      const auto problemOf = [](const std::filesystem::path& of) {
        return equipatch::test::errorOf([&] { WordLists::read(of); });
      };
      return std::vector{problemOf(path), problemOf(path / "pairs" / "lists")};
    });
    std::filesystem::permissions(path / "pairs", std::filesystem::perms::owner_all);
    for (const QString& problem : problems)
      QVERIFY2(problem.contains("cannot be read as a whole"), qPrintable(problem));
  }
};

EQUIPATCH_TEST(tst_word_lists)
#include "tst_word_lists.moc"
