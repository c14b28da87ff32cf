// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_parts.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::shared_ptr<const PictureFile> picture(const char* name) {
  return std::make_shared<const PictureFile>(PictureFile{.name = name});
}

}  // namespace

class tst_prompt_parts : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void textsWithImagesAreWrittenUnchanged();
  void surplusMarkersStayTextAndSurplusPicturesAreLeftOut();
  void imageSpansOfTheModelsTextBecomeImages();
  void writesIdsAndImages();
};

void tst_prompt_parts::textsWithImagesAreWrittenUnchanged() {
  const Pictures pictures{picture("a"), picture("b")};
  for (const QString& text :
       {QStringLiteral("<start_of_image><start_of_image>"),
        QStringLiteral("∞<start_of_image>𝄞 x\n<start_of_image> end")}) {
    const PromptParts parts = partsOf(text, pictures);
    QCOMPARE(parts.files(), pictures);
    QCOMPARE(parts.written(), text);
    QCOMPARE(parts.text.size(), text.size() - 2 * (kPicturePlace.size() - 1));
    QCOMPARE(parts.written(QStringLiteral("?")).count(u'?'), 2);
  }
}

void tst_prompt_parts::surplusMarkersStayTextAndSurplusPicturesAreLeftOut() {
  const QString text = QStringLiteral("a<start_of_image>b<start_of_image>c");
  const PromptParts parts = partsOf(text, {picture("a")});
  QCOMPARE(parts.files().size(), std::size_t{1});
  QVERIFY(parts.text.endsWith(QStringLiteral("b<start_of_image>c")));
  QCOMPARE(parts.written(), text);
  QVERIFY(partsOf(QStringLiteral("none"), {picture("a")}).pictures.empty());
}

void tst_prompt_parts::imageSpansOfTheModelsTextBecomeImages() {
  const PromptImage image{picture("a"), {2, 3}};
  const ImageSpan span{.written = {1, 7}, .firstToken = 4};
  const PromptParts parts = partsOf(std::string("a\n\nII\n\nb"), {span}, {image});
  QCOMPARE(parts.written(QStringLiteral("|")), QStringLiteral("a|b"));
  // An image without a span is left out.
  QVERIFY(partsOf(std::string("abc"), {}, {image}).pictures.empty());
}

void tst_prompt_parts::writesIdsAndImages() {
  const std::vector<Token> prompt{{TokenId(2)}, {TokenId(7)}, {TokenId(7)}, {TokenId(3)}};
  const PromptParts parts = idPartsOf(prompt, {{picture("a"), {1, 2}}});
  QCOMPARE(parts.written(QStringLiteral("|")), QStringLiteral("2, |7, 7, 3"));
  QCOMPARE(parts.files().size(), std::size_t{1});
}

EQUIPATCH_TEST(tst_prompt_parts)
#include "tst_prompt_parts.moc"
