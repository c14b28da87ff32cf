// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/sample_prompts.h"

#include <QMenu>
#include <QSet>
#include <span>

#include "core/base/hash.h"
#include "core/image/picture.h"
#include "tests/support/test_case.h"
#include "ui/prompt/prompt_editor.h"

using namespace equipatch;

class tst_sample_prompts : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void titlesDifferAndTheBundledModelHasSamples() {
    QSet<QString> titles;
    int bundled = 0;
    for (const SamplePrompt& prompt : samplePrompts()) {
      titles += prompt.title;
      bundled += prompt.bundled && prompt.picture.isEmpty() ? 1 : 0;
    }
    QCOMPARE(titles.size(), qsizetype(samplePrompts().size()));
    QVERIFY(bundled >= 9);  // as many as its skills
    QVERIFY(bundled < titles.size());
  }

  void theMenuHasEachSampleOnceAndImagesFirst() {
    QMenu menu;
    fillWithSamplePrompts(menu);
    QSet<int> numbers;
    int entries = 0;
    for (const QAction* action : menu.actions())
      if (!action->isSeparator()) {
        const int number = action->data().toInt();
        numbers += number;
        ++entries;
        QCOMPARE(action->text(), samplePrompts().at(std::size_t(number)).title);
      }
    QCOMPARE(numbers.size(), qsizetype(samplePrompts().size()));
    QCOMPARE(entries, int(samplePrompts().size()));
    // After the heading.
    QCOMPARE(menu.actions().at(1)->text(), "What stands above the number?");
  }

  void samplesContainReadablePictures() {
    int pictures = 0;
    for (const SamplePrompt& prompt : samplePrompts()) {
      const PromptParts parts = prompt.parts();
      QCOMPARE(parts.written(), prompt.text);
      QCOMPARE(parts.pictures.empty(), prompt.picture.isEmpty());
      for (const PromptParts::Place& place : parts.pictures) {
        ++pictures;
        const auto bytes = std::as_bytes(std::span(place.picture->bytes));
        QCOMPARE(decodePicture(bytes, place.picture->name).width, std::int64_t{96});
        QCOMPARE(place.picture->sha256, sha256(bytes));
      }
    }
    QVERIFY(pictures >= 4);
    const SamplePrompt missing{.title = QStringLiteral("a"),
                               .text = QStringLiteral("<start_of_image>b"),
                               .picture = QStringLiteral("gone.png")};
    QVERIFY_ERROR(missing.parts(), "gone.png");
  }

  void undoRestoresATextDeletedBeforeASample() {
    const Theme theme;
    PictureShelf shelf({});
    PromptEditor editor(theme, shelf);
    editor.setText(QStringLiteral("mine"));
    editor.setText(QString());
    editor.takeSample(0);
    QCOMPARE(editor.text(), samplePrompts().front().text);
    editor.undo();
    QCOMPARE(editor.text(), QString());
    editor.undo();
    QCOMPARE(editor.text(), QStringLiteral("mine"));
    editor.undo();  // the first text replaced nothing
    QCOMPARE(editor.text(), QStringLiteral("mine"));
  }

  void refusesInvalidLists() {
    QVERIFY_ERROR(readSamplePrompts("{}"), "list");
    QVERIFY_ERROR(readSamplePrompts("not JSON"), "list");
    QVERIFY_ERROR(readSamplePrompts(R"([{"title": "a"}])"), "text");
    QVERIFY_ERROR(readSamplePrompts(R"([7])"), "title");
    QVERIFY_ERROR(readSamplePrompts(R"([{"title": "a", "text": "<start_of_image>b"}])"),
                  "picture");
    QVERIFY(readSamplePrompts("[]").empty());
  }
};

EQUIPATCH_TEST(tst_sample_prompts)
#include "tst_sample_prompts.moc"
