// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>

#include "core/base/strings.h"
#include "core/page/run_data.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::string bytesOfPicture(const char* name) {
  QFile file(QString::fromStdString((equipatch::test::data("pictures") / name).string()));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

PromptImage imageOf(const std::string& name, const std::string& bytes) {
  return {std::make_shared<const PictureFile>(PictureFile{name, "", bytes}), {1, 2}};
}

std::string missing(const std::string& bytes) {
  const PageObject data = pictureData(imageOf("<b>.png", bytes));
  return data.contains("uri") ? "shown" : data["missing"].get<std::string>();
}

}  // namespace

class tst_prompt_data : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tokensHaveTheirTextIdAndFlags() {
    RunRequest request =
        equipatch::test::withPicture(*equipatch::test::makeHeader())->request;
    request.absorbed.keptPrompt = {{0, 0}};
    request.prompt[0].special = true;
    const PageObject data = promptData(request);
    QCOMPARE(data["tokens"].dump(),
             std::string("[[\"What \",1,3],[\"<image>\",9,4],[\"<image>\",9,4],[\"is "
                         "this?\",2,8]]"));
    QCOMPARE(data["keepsGenerated"].get<bool>(), false);
    QCOMPARE(data["pictures"].size(), std::size_t{1});
  }

  void theNewestTokenIsNotShownAsKept() {
    RunRequest request;
    request.prompt = {{.id = TokenId(1)}, {.id = TokenId(2)}};
    request.absorbed.keptPrompt = {{0, 1}};
    QCOMPARE(promptData(request)["tokens"].dump(),
             std::string("[[\"#1\",1,2],[\"#2\",2,8]]"));
  }

  void picturesAreEmbeddedUnchanged_data() {
    QTest::addColumn<QString>("type");
    QTest::newRow("rgb.png") << "image/png";
    QTest::newRow("photo.jpg") << "image/jpeg";
    QTest::newRow("photo.webp") << "image/webp";
  }

  void picturesAreEmbeddedUnchanged() {
    QFETCH(QString, type);
    const std::string bytes = bytesOfPicture(QTest::currentDataTag());
    QVERIFY(!bytes.empty());
    const PageObject data = pictureData(imageOf("a.png", bytes));
    QVERIFY(data["width"].get<int>() > 0);
    const std::string start = "data:" + type.toStdString() + ";base64,";
    const std::string uri = data["uri"].get<std::string>();
    QVERIFY(uri.starts_with(start));
    QVERIFY(decodeBase64(uri.substr(start.size())) == bytes);
  }

  void picturesThatCannotBeShownGiveAReason() {
    const std::string png = bytesOfPicture("rgb.png");
    QCOMPARE(missing(""), std::string("the run was recorded without its images"));
    QVERIFY(missing("<svg onload='alert(1)'>").starts_with("its format"));
    QVERIFY(missing(bytesOfPicture("gray.pgm")).starts_with("its format"));
    QVERIFY(missing("\x89PNG\r\n\x1A\n<script>").starts_with("<b>.png"));
    QVERIFY(missing(png.substr(0, png.size() / 2)) != "shown");
    QVERIFY(missing(bytesOfPicture("animated.webp"))
                .starts_with("<b>.png: expected a single image"));
    QCOMPARE(missing(png), std::string("shown"));
  }
};

EQUIPATCH_TEST(tst_prompt_data)
#include "tst_prompt_data.moc"
