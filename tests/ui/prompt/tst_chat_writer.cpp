#include "ui/prompt/prompt_preparer.h"

#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

class tst_chat_writer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void writesTheNewestMessage();
  void tellsARefusal();
};

void tst_chat_writer::writesTheNewestMessage() {
  test::SyntheticEngine engine;
  ChatWriter writer(engine);
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<test::WordTokenizer>();
  std::vector<std::string> texts;
  connect(&writer, &ChatWriter::written, this,
          [&](auto chat) { texts.push_back(chat->text); });
  for (const char* message : {"a", "b", "c"})
    writer.write(model, QString::fromLatin1(message));
  QTRY_VERIFY(!texts.empty());
  QCOMPARE(texts, (std::vector<std::string>{"<user> c <model> "}));
}

void tst_chat_writer::tellsARefusal() {
  test::SyntheticEngine engine;
  ChatWriter writer(engine);
  const auto model = std::make_shared<LoadedModel>();
  QSignalSpy failed(&writer, &ChatWriter::failed);
  writer.write(model, QStringLiteral("refuse"));
  QTRY_COMPARE(failed.count(), 1);
  QVERIFY(failed[0][0].toString().contains(QStringLiteral("refuses")));
}

EQUIPATCH_TEST(tst_chat_writer)
#include "tst_chat_writer.moc"
