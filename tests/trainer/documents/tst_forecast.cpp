// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;
using equipatch::test::wordLists;

class tst_forecast : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theForecastMentionsPlaceAndCharacter() {
    for (const Document& document : documentsOf(Skill::Forecast, 300)) {
      QCOMPARE(document.mentions.size(), std::size_t{2});
      for (const std::string& thing : document.mentions) {
        QVERIFY2(document.prompt().find(thing) != std::string_view::npos, thing.c_str());
        QVERIFY2(document.lastAnswer().find(thing) != std::string_view::npos,
                 thing.c_str());
      }
    }
  }

  void theForecastIsOneSentenceOnItsOwnLine() {
    for (const Document& document : documentsOf(Skill::Forecast, 300)) {
      const std::string_view answer = document.lastAnswer();
      QCOMPARE(answer.front(), '\n');
      QCOMPARE(std::ranges::count(answer, '\n'), 1);
      QCOMPARE(std::ranges::count(answer, '.'), 1);
      QCOMPARE(answer.back(), '.');
    }
  }

  void theMoodDecidesTheEnding_data() {
    QTest::addColumn<QString>("tone");
    for (const char* tone : {"bright", "dark", "plain"}) QTest::newRow(tone) << tone;
  }

  void theMoodDecidesTheEnding() {
    QFETCH(QString, tone);
    const std::string name = tone.toStdString();
    int forecasts = 0;
    for (const Document& document : documentsOf(Skill::Forecast, 300))
      for (const std::string& mood : wordLists().words("moods/" + name))
        if (document.prompt().find(" " + mood + " ") != std::string_view::npos) {
          ++forecasts;
          QVERIFY2(
              std::ranges::any_of(wordLists().words("forecast/" + name + "_endings"),
                                  [&](const std::string& ending) {
                                    return document.text.ends_with(", " + ending + ".");
                                  }),
              document.text.c_str());
        }
    QVERIFY2(forecasts > 30, qPrintable(QString::number(forecasts)));
  }

  void somePromptsHaveThePapersWording() {
    const auto documents = documentsOf(Skill::Forecast, 100);
    const auto asPrinted = std::ranges::count_if(documents, [](const Document& document) {
      return document.text.starts_with("Give a one-sentence weather forecast for ") &&
             document.text.find(" from the perspective of a") != std::string::npos;
    });
    QVERIFY(asPrinted > 30);
  }
};

EQUIPATCH_TEST(tst_forecast)
#include "tst_forecast.moc"
