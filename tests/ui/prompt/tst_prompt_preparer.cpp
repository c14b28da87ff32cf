// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_preparer.h"

#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

class tst_prompt_preparer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void preparesTheNewestPrompt();
  void aRefusedPromptIsReported();
};

void tst_prompt_preparer::preparesTheNewestPrompt() {
  test::SyntheticEngine engine;
  PromptPreparer preparer(engine);
  auto model = std::make_shared<LoadedModel>();
  model->tokenizer = std::make_shared<test::WordTokenizer>();
  std::vector<std::string> texts;
  connect(&preparer, &PromptPreparer::prepared, this,
          [&](auto prompt) { texts.push_back(prompt->text); });
  for (const char* message : {"a", "b", "c"})
    preparer.prepare(model, {.text = message, .form = PromptForm::Chat});
  QTRY_VERIFY(!texts.empty());
  QCOMPARE(texts, (std::vector<std::string>{"<user> c <model> "}));
}

void tst_prompt_preparer::aRefusedPromptIsReported() {
  test::SyntheticEngine engine;
  PromptPreparer preparer(engine);
  const auto model = std::make_shared<LoadedModel>();
  QSignalSpy failed(&preparer, &PromptPreparer::failed);
  preparer.prepare(model, {.text = "refuse", .form = PromptForm::Chat});
  QTRY_COMPARE(failed.count(), 1);
  QVERIFY(failed[0][0].toString().contains(QStringLiteral("refuses")));
}

EQUIPATCH_TEST(tst_prompt_preparer)
#include "tst_prompt_preparer.moc"
