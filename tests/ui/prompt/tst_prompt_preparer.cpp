#include "ui/prompt/prompt_preparer.h"

#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

class tst_prompt_preparer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void writesTheNewestMessage();
  void tellsARefusal();
};

void tst_prompt_preparer::writesTheNewestMessage() {
  test::SyntheticEngine engine;
  PromptPreparer writer(engine);
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<test::WordTokenizer>();
  std::vector<std::string> texts;
  connect(&writer, &PromptPreparer::written, this,
          [&](auto chat) { texts.push_back(chat->text); });
  for (const char* message : {"a", "b", "c"})
    writer.write(model, QString::fromLatin1(message));
  QTRY_VERIFY(!texts.empty());
  QCOMPARE(texts, (std::vector<std::string>{"<user> c <model> "}));
}

void tst_prompt_preparer::tellsARefusal() {
  test::SyntheticEngine engine;
  PromptPreparer writer(engine);
  const auto model = std::make_shared<LoadedModel>();
  QSignalSpy failed(&writer, &PromptPreparer::failed);
  writer.write(model, QStringLiteral("refuse"));
  QTRY_COMPARE(failed.count(), 1);
  QVERIFY(failed[0][0].toString().contains(QStringLiteral("refuses")));
}

EQUIPATCH_TEST(tst_prompt_preparer)
#include "tst_prompt_preparer.moc"
