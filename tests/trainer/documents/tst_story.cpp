// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <map>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;

namespace {

/// Reads a story sentence by sentence and answers its question.
class Reader {
 public:
  QString answer(const QString& story) {
    for (const QString& sentence : story.split(". ")) read(sentence);
    const QString question = story.section(". ", -1);
    if (const auto who = matched(question, "Who has the (.+)\\? Answer:"); who.hasMatch())
      return m_holders.value(who.captured(1)) + " has the " + who.captured(1) + ".";
    const auto where = matched(question, "Where is (.+)\\? Answer:");
    return where.captured(1) + " is in the " + m_places.value(where.captured(1)) + ".";
  }

 private:
  static QRegularExpressionMatch matched(const QString& text, const char* pattern) {
    return QRegularExpression(pattern).match(text);
  }

  void read(const QString& sentence) {
    if (const auto has = matched(sentence, "^(\\w+) has an? (.+)$"); has.hasMatch())
      m_holders[has.captured(2)] = has.captured(1);
    if (const auto gives = matched(sentence, "^\\w+ gives the (.+) to (\\w+)$");
        gives.hasMatch())
      m_holders[gives.captured(1)] = gives.captured(2);
    if (const auto takes = matched(sentence, "^(\\w+) takes the (.+) from \\w+$");
        takes.hasMatch())
      m_holders[takes.captured(2)] = takes.captured(1);
    if (const auto goes = matched(sentence, "^(\\w+) goes to the (.+)$"); goes.hasMatch())
      m_places[goes.captured(1)] = goes.captured(2);
  }

  QMap<QString, QString> m_holders;
  QMap<QString, QString> m_places;
};

}  // namespace

class tst_story : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void answersFollowFromTheStory() {
    for (const Document& document : documentsOf(Skill::Story, 500, 8, Split::Training)) {
      const QString story = QString::fromStdString(std::string(document.prompt()));
      QCOMPARE(" " + Reader().answer(story),
               QString::fromStdString(std::string(document.lastAnswer())));
    }
  }

  void whoAndWhereQuestionsOccur() {
    int who = 0;
    int where = 0;
    for (const Document& document : documentsOf(Skill::Story, 500, 8, Split::Training)) {
      who += document.text.find("Who has") != std::string::npos ? 1 : 0;
      where += document.text.find("Where is") != std::string::npos ? 1 : 0;
      QVERIFY(document.answers.size() <= 4);
    }
    QVERIFY(who > 300 && where > 100);
  }
};

EQUIPATCH_TEST(tst_story)
#include "tst_story.moc"
