// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::between;
using equipatch::test::documentsOf;
using equipatch::test::wordsOf;

namespace {

Words carriedOut(const std::string& order, Words words) {
  if (order == "Say this backwards") return {words.rbegin(), words.rend()};
  if (order == "Say only the first and the last word")
    return {words.front(), words.back()};
  if (order.starts_with("Repeat this without "))
    words.erase(std::ranges::find(words, wordsOf(order).back()));
  if (order == "Move the first word to the end") {
    words.push_back(words.front());
    words.erase(words.begin());
  }
  if (order == "Repeat this twice") {
    const Words once = words;
    words.insert(words.end(), once.begin(), once.end());
  }
  return words;
}

}  // namespace

class tst_copy : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void answersFollowTheInstruction() {
    std::set<std::string> orders;
    for (const Document& document : documentsOf(Skill::Copy, 400)) {
      const std::string order = document.text.substr(0, document.text.find(':'));
      const Words words = wordsOf(between(document.text, ": ", ". Answer"));
      QCOMPARE(wordsOf(document.lastAnswer()), carriedOut(order, words));
      orders.insert(order.substr(0, std::string("Repeat this without").size()));
    }
    QCOMPARE(orders.size(), std::size_t{6});
  }
};

EQUIPATCH_TEST(tst_copy)
#include "tst_copy.moc"
