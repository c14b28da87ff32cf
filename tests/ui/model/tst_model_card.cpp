// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_card.h"

#include <QScrollBar>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_model_card : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void summaryNamesTheModel();
  void summaryReportsUnreadKeysAndTensors();
  void cardShowsThePlan();
  void namesFromFilesAreEscaped();
  void escapeClosesTheCard();
  void aPaletteChangeOpensNoClosedCard();
};

void tst_model_card::summaryNamesTheModel() {
  LoadedModel model;
  model.spec.architecture = "LlamaForCausalLM";
  model.spec.width = 64;
  model.spec.layers.resize(5);
  model.parameters = 1235000000;
  model.dtype = DType::BF16;
  model.device = "cuda";
  const QString summary = modelSummary(model);
  for (const char* part : {"LlamaForCausalLM", "5 layers", "width 64", "1.24 G",
                           "bfloat16", "cuda, resident", "no tokenizer"})
    QVERIFY2(summary.contains(QString::fromLatin1(part)), qPrintable(summary));
  QVERIFY(!summary.contains(QStringLiteral("images")));
  model.spec.vision = VisionSpec{.tokens = 36};
  model.visionParameters = 590000;
  QVERIFY(modelSummary(model).contains(
      QStringLiteral("images: 36 tokens each, vision tower of 590 k parameters")));
  QVERIFY(
      modelCard(model, Method::Direct, {}).contains(QStringLiteral("590 k parameters")));
  model.spec.vision->problem = "tensor \"v.bias\" is missing";
  QVERIFY(modelSummary(model).contains(QStringLiteral("\ntensor \"v.bias\" is")));
  QVERIFY(modelCard(model, Method::Direct, {})
              .contains(QStringLiteral("<p>tensor &quot;v.bias&quot; is missing</p>")));
  model.weights = WeightPlace::Mapped;
  QVERIFY(modelSummary(model).contains(QStringLiteral("cuda, mapped")));
}

void tst_model_card::summaryReportsUnreadKeysAndTensors() {
  LoadedModel model;
  QVERIFY(!modelSummary(model).contains(QStringLiteral("unused")));
  model.unreadKeys = {"foo", "bar"};
  model.unreadTensors = {"extra.weight"};
  QVERIFY(modelSummary(model).contains(
      QStringLiteral("unused keys of config.json: foo, bar")));
  QVERIFY(modelSummary(model).contains(QStringLiteral("extra.weight")));
}

void tst_model_card::cardShowsThePlan() {
  LoadedModel model;
  model.name = "tiny";
  model.plan.block = "v = x + attention(norm(x))";
  model.plan.parameters = {{"W_up", "rank 1: (z_C − z) zᵀ", "Lemma 7", "all"},
                           {"m", "another formula", "Theorem 5", "stable"}};
  model.plan.untouched = {"mlp_norm: it defines z"};
  model.memory = {{.dtype = DType::F32, .weights = 4000, .mapped = 4000}};
  model.unreadKeys = {"novel_key"};
  const QString card =
      modelCard(model, Method::Direct, QStringLiteral("equals Hugging Face"));
  for (const char* part :
       {"tiny", "v = x + attention", "W_up", "rank 1", "Lemma 7",
        "mlp_norm: it defines z", "the MLP's input", "The context reaches the block",
        "4.00 kB", "as stored", "novel_key", "tensors: none", "equals Hugging Face"})
    QVERIFY2(card.contains(QString::fromLatin1(part)), part);
  QVERIFY(!modelCard(model, Method::Direct, {}).contains(QStringLiteral("Golden check")));
  QVERIFY(!card.contains(QStringLiteral("another formula")));
}

void tst_model_card::namesFromFilesAreEscaped() {
  LoadedModel model;
  model.name = "<img src='x'>";
  model.unreadKeys = {"<b>key</b>"};
  model.unreadTensors = {"<script>"};
  const QString card = modelCard(model, Method::Direct, {});
  for (const char* part : {"<img src='x'", "<b>key", "<script"})
    QVERIFY2(!card.contains(QString::fromLatin1(part)), part);
}

void tst_model_card::escapeClosesTheCard() {
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  CardDialog dialog(&window);
  dialog.showCard(QStringLiteral("A model"), QStringLiteral("<p>first</p>"), {});
  QVERIFY(dialog.isVisible());
  QVERIFY(!dialog.isModal());
  dialog.showCard(QStringLiteral("Another"), QStringLiteral("<p>second</p>"), {});
  QCOMPARE(dialog.windowTitle(), QStringLiteral("Another"));
  QCOMPARE(dialog.text(), QStringLiteral("second"));
  QTest::keyClick(&dialog, Qt::Key_Escape);
  QVERIFY(!dialog.isVisible());
}

/// A theme that changes redraws the diagram, but neither opens the dialog nor raises it.
void tst_model_card::aPaletteChangeOpensNoClosedCard() {
  const test::QuietPlatform quiet;
  QWidget window;
  window.show();
  CardDialog dialog(&window);
  BlockBoxes block;
  block.attention = {{.label = QStringLiteral("box"), .patched = true}};
  dialog.showCard(QStringLiteral("A model"),
                  QStringLiteral("<p><img src=\"%1\"></p>").arg(kDiagram) +
                      QStringLiteral("<p>line</p>").repeated(200),
                  block);
  auto* card = dialog.findChild<QTextBrowser*>(QStringLiteral("card"));
  const auto diagram = [&] {
    return card->document()
        ->resource(QTextDocument::ImageResource, QUrl(kDiagram))
        .value<QImage>();
  };
  const QImage before = diagram();
  QVERIFY(!before.isNull());
  QWidget other;  // covers the dialog
  other.show();
  other.activateWindow();
  QTRY_VERIFY(other.isActiveWindow());
  card->verticalScrollBar()->setValue(40);
  QPalette colours = dialog.palette();
  colours.setColor(QPalette::WindowText, Qt::red);
  colours.setColor(QPalette::Text, Qt::red);
  dialog.setPalette(colours);
  QVERIFY(diagram() != before);
  QCOMPARE(card->verticalScrollBar()->value(), 40);
  QCoreApplication::processEvents();  // would complete an activation
  QVERIFY(other.isActiveWindow());
  dialog.hide();
  colours.setColor(QPalette::WindowText, Qt::blue);
  dialog.setPalette(colours);
  QVERIFY(!dialog.isVisible());
}

EQUIPATCH_TEST(tst_model_card)
#include "tst_model_card.moc"
