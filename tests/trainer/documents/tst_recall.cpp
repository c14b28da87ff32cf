// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::between;
using equipatch::test::documentsOf;

class tst_recall : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theAnswerIsTheValueOfTheKey() {
    for (const Document& document : documentsOf(Skill::Recall, 300, 8, Split::Training)) {
      const std::string question = document.text.substr(document.text.rfind("Which"));
      const std::string key = between(question, "belongs to ", "?");
      const QRegularExpression entry(
          QString::fromStdString("[:,] " + key + "(?: is| means| =|:) (\\w+)"));
      auto found = entry.globalMatch(QString::fromStdString(document.text));
      QVERIFY2(found.hasNext(), document.text.c_str());
      QCOMPARE(" " + found.next().captured(1).toStdString(),
               std::string(document.lastAnswer()));
      QVERIFY2(!found.hasNext(), "a key stands for one value");
    }
  }

  void heldOutDocumentsAskOnce() {
    for (const Document& document : documentsOf(Skill::Recall, 100))
      QCOMPARE(document.answers.size(), std::size_t{1});
  }

  void trainingHasSeveralQuestions() {
    std::size_t most = 0;
    for (const Document& document : documentsOf(Skill::Recall, 100, 8, Split::Training)) {
      const QRegularExpression question("belongs to (\\w+)\\?");
      std::set<QString> keys;
      for (auto found = question.globalMatch(QString::fromStdString(document.text));
           found.hasNext();)
        keys.insert(found.next().captured(1));
      QCOMPARE(keys.size(), document.answers.size());
      most = std::max(most, document.answers.size());
    }
    QCOMPARE(most, std::size_t{4});
  }
};

EQUIPATCH_TEST(tst_recall)
#include "tst_recall.moc"
