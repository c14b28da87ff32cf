// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/sample_prompts.h"

#include <QMenu>
#include <QSet>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sample_prompts : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thereAreSomeForBothKindsOfModels() {
    QSet<QString> titles;
    int bundled = 0;
    for (const SamplePrompt& prompt : samplePrompts()) {
      titles += prompt.title;
      bundled += prompt.bundled ? 1 : 0;
    }
    QCOMPARE(titles.size(), qsizetype(samplePrompts().size()));
    QVERIFY(bundled >= 9);  // one a skill
    QVERIFY(bundled < titles.size());
  }

  void theMenuCarriesTheTexts() {
    QMenu menu;
    fillWithSamplePrompts(menu);
    QStringList texts;
    for (const QAction* action : menu.actions())
      if (!action->isSeparator()) texts += action->data().toString();
    QCOMPARE(texts.size(), qsizetype(samplePrompts().size()));
    QVERIFY(texts.first().startsWith("Give a one-sentence weather forecast for Mars"));
    QVERIFY(!texts.contains(QString()));
  }

  void refusesWhatIsNoList() {
    QVERIFY_ERROR(readSamplePrompts("{}"), "list");
    QVERIFY_ERROR(readSamplePrompts("not JSON"), "list");
    QVERIFY_ERROR(readSamplePrompts(R"([{"title": "a"}])"), "text");
    QVERIFY_ERROR(readSamplePrompts(R"([7])"), "title");
    QVERIFY(readSamplePrompts("[]").empty());
  }
};

EQUIPATCH_TEST(tst_sample_prompts)
#include "tst_sample_prompts.moc"
