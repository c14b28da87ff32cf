// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_items.h"

#include <QImage>
#include <QPainter>

#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"

using namespace equipatch;
using namespace equipatch::model_items;

class tst_model_items : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void modelsAreListedBySectionThenBrowse();
  void anItemStatesItsModelsFactsAndMemory();
  void unloadableModelsAreDisabledWithAReason();
  void aModelThatNeedsTooMuchMemoryIsMarked();
  void anIncompleteModelIsReported();
  void browseIsTheOnlyItemWithoutAList();
  void memoryTextListsTheMemoryPerDtype();
  void modelsTakeTwoLines();
  void everyRowOfTheListIsDrawn();
};

void tst_model_items::modelsAreListedBySectionThenBrowse() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  QStringList texts;
  for (int row = 0; row < items.rowCount(); ++row) texts << items.item(row)->text();
  QCOMPARE(texts, (QStringList{"Hugging Face cache", "owner/good", "owner/bad",
                               "Used before", "/models/huge", "Browse…"}));
  for (const int row : {0, 3}) {
    QCOMPARE(items.item(row)->data(KindRole).toInt(), int(Kind::Heading));
    QVERIFY(!items.item(row)->isEnabled());
  }
  fill(items, &list);  // replaces
  QCOMPARE(items.rowCount(), 6);
}

void tst_model_items::anItemStatesItsModelsFactsAndMemory() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  const QStandardItem* good = items.item(1);
  QVERIFY(good->isEnabled());
  QCOMPARE(good->data(FactsRole).toString(),
           QStringLiteral("LlamaForCausalLM · 1.24 G · bfloat16 · 2.47 GB"));
  QCOMPARE(good->data(NeedRole).toString(), QStringLiteral("needs 2.47 GB"));
  QCOMPARE(good->data(BadgeRole).toString(),
           QStringLiteral("✓ architecture equals Hugging Face's within 2×10⁻⁶"));
  QVERIFY(good->toolTip().contains(QStringLiteral("/cache/good")));
  QVERIFY(good->data(Qt::AccessibleTextRole)
              .toString()
              .contains(QStringLiteral("needs 2.47 GB")));
  const QString used = items.item(4)->toolTip();
  QVERIFY2(used.endsWith(QStringLiteral("\nPress Delete to remove it from this list.")),
           qPrintable(used));
}

void tst_model_items::unloadableModelsAreDisabledWithAReason() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  const QStandardItem* bad = items.item(2);
  QVERIFY(!bad->isEnabled());
  QVERIFY(bad->toolTip().contains(QStringLiteral("\"T5Model\" is not supported")));
  QCOMPARE(bad->data(BadgeRole).toString(), QStringLiteral("✗ not supported"));
  QCOMPARE(bad->toolTip().count(QStringLiteral("/cache/bad")), 1);
}

void tst_model_items::aModelThatNeedsTooMuchMemoryIsMarked() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  QVERIFY(items.item(4)->data(NeedRole).toString().startsWith(u'✗'));
  QVERIFY(items.item(4)->isEnabled());  // the user decides
  QVERIFY(!items.item(1)->data(NeedRole).toString().startsWith(u'✗'));
}

void tst_model_items::anIncompleteModelIsReported() {
  ModelList list = test::someModels();
  list.models[1].entry.missing = {"model-2.safetensors"};
  QStandardItemModel items;
  fill(items, &list);
  QCOMPARE(items.item(2)->data(BadgeRole).toString(), QStringLiteral("✗ incomplete"));
  QVERIFY(items.item(2)->toolTip().contains(QStringLiteral("model-2.safetensors")));
}

void tst_model_items::browseIsTheOnlyItemWithoutAList() {
  QStandardItemModel items;
  fill(items, nullptr);
  QCOMPARE(items.rowCount(), 1);
  QVERIFY(items.item(0)->isEnabled());
}

void tst_model_items::memoryTextListsTheMemoryPerDtype() {
  const ModelList list = test::someModels();
  QCOMPARE(memoryText(list.models[2].entry.needs, list.freeBytes),
           QStringLiteral("float32: 4.94 GB\nbfloat16: 30.0 GB, more than is free\n16.0 "
                          "GB of memory is free"));
}

void tst_model_items::modelsTakeTwoLines() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  const ModelDelegate delegate;
  const QStyleOptionViewItem option;
  const int heading = delegate.sizeHint(option, items.index(0, 0)).height();
  const int model = delegate.sizeHint(option, items.index(1, 0)).height();
  QVERIFY(model >= 2 * option.fontMetrics.height());
  QVERIFY(heading < model);
}

void tst_model_items::everyRowOfTheListIsDrawn() {
  QStandardItemModel items;
  const ModelList list = test::someModels();
  fill(items, &list);
  const ModelDelegate delegate;
  for (int row = 0; row < items.rowCount(); ++row) {
    QImage picture(400, 60, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QStyleOptionViewItem option;
    option.rect = picture.rect();
    const QImage blank = picture;
    QPainter painter(&picture);
    delegate.paint(&painter, option, items.index(row, 0));
    painter.end();
    QVERIFY2(picture != blank, qPrintable(items.item(row)->text()));
  }
}

EQUIPATCH_TEST(tst_model_items)
#include "tst_model_items.moc"
