// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/small_widgets.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <memory>

#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

class LowWhereNarrow final : public QWidget {
 protected:
  void resizeEvent(QResizeEvent*) override {
    setMinimumHeight(width() < 200 ? 100 : 300);
  }
};

}  // namespace

class tst_small_widgets : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void elidedLabelsCutOnlyTheMiddle() {
    const QString full = QStringLiteral("Patch size by layer, step 138");
    ElidedLabel label;
    label.setText(full);
    const int wide = label.fontMetrics().horizontalAdvance(full);
    label.resize(wide + 2, 20);
    QCOMPARE(label.shown(), full);
    label.resize(wide * 2 / 3, 20);
    QVERIFY(label.shown().size() < full.size());
    QVERIFY(label.shown().startsWith(QStringLiteral("Patch")));
    QVERIFY(label.shown().endsWith(QStringLiteral("138")));
    QCOMPARE(label.text(), full);
  }

  void aBriefTextIsShownInsteadOfACutOne() {
    const QString full = QStringLiteral("Map, step 138");
    ElidedLabel label;
    label.setText(full);
    label.setBrief(QStringLiteral("Map"));
    label.resize(label.fontMetrics().horizontalAdvance(full) + 2, 20);
    QCOMPARE(label.shown(), full);
    label.resize(label.fontMetrics().horizontalAdvance(full) / 2, 20);
    QCOMPARE(label.shown(), QStringLiteral("Map"));
    label.setText(QStringLiteral("Size by layer, step 138"));
    for (const char* part : {"Size by layer", "Size"}) {
      label.setBrief(QStringLiteral("S"));
      label.resize(label.fontMetrics().horizontalAdvance(QLatin1String(part)) + 2, 20);
      QCOMPARE(label.shown(), QString::fromLatin1(part));
    }
    for (const char* brief : {"Patch map", "Logits", "Patch size", "Hidden error"}) {
      label.setText(QString::fromLatin1(brief) + QStringLiteral(", step 138"));
      label.setBrief(QString::fromLatin1(brief));
      label.resize(1, 20);  // the minimum is the brief text's width
      QCOMPARE(label.shown(), QString::fromLatin1(brief));
    }
  }

  void buttonsAreAddedToTheirRow() {
    QWidget widget;
    QHBoxLayout row(&widget);
    const QPushButton* button =
        addButton(row, "save", QStringLiteral("Save"), QStringLiteral("Saves it"));
    QCOMPARE(widget.findChild<QPushButton*>(QStringLiteral("save")), button);
    QVERIFY(!button->autoDefault());
  }

  void toolTipsShowTokensThatLookLikeHtml() {
    QCOMPARE(plainToolTip(QStringLiteral("token 3: cat\nkept")),
             QStringLiteral("token 3: cat\nkept"));
    QCOMPARE(plainToolTip(QStringLiteral("a < b & c")), QStringLiteral("a < b & c"));
    QCOMPARE(plainToolTip(QStringLiteral("token 3: <b>\nkept")),
             QStringLiteral("<qt>token 3: &lt;b&gt;<br>kept</qt>"));
    SentenceLabel label;
    label.setSentence(QStringLiteral("✗ “<b>” instead of “<table>”."));
    QCOMPARE(label.text(), QStringLiteral("✗ “<b>” instead of “<table>”."));
    QVERIFY(label.toolTip().contains(QStringLiteral("&lt;table&gt;")));
  }

  void aLongSentenceEndsWithAnEllipsis() {
    const QString sentence = QStringLiteral(
        "With the context the model continues with “a”; without it, patched, with “a”.");
    SentenceLabel label;
    label.setSentence(sentence);
    const int width = label.fontMetrics().horizontalAdvance(sentence);
    label.resize(width * 2 / 3, label.sizeHint().height());
    QCOMPARE(label.shown(), sentence);
    label.resize(width / 3, label.sizeHint().height());
    QVERIFY(label.shown().endsWith(QStringLiteral("…")));
    QVERIFY(sentence.startsWith(label.shown().chopped(1)));
    QVERIFY(label.shown().size() > sentence.size() / 3);
    QCOMPARE(label.text(), sentence);
    QVERIFY(!label.grab().isNull());
  }

  /// A long title never makes its chart wider.
  void aLongElidedLabelNeedsNoMinimumWidth() {
    ElidedLabel label;
    label.setText(QString(500, u'x'));
    QCOMPARE(label.sizePolicy().horizontalPolicy(), QSizePolicy::Ignored);
    label.resize(50, 20);
    QVERIFY(!label.grab().isNull());
  }

  /// The last paragraph says what to do and is therefore kept.
  void labelsDropParagraphsThatDoNotFit() {
    const QString all = QStringLiteral("How large each layer's patch is.\n\nPress Run.");
    FittingLabel label;
    label.setText(all);
    QCOMPARE(label.minimumSizeHint(), QSize());
    label.resize(300, 200);
    QCOMPARE(label.shown(), all);
    const int line = label.fontMetrics().lineSpacing();
    label.resize(300, 3 * line);
    QCOMPARE(label.shown(),
             QStringLiteral("How large each layer's patch is.\nPress Run."));
    label.resize(300, line + 8);
    QCOMPARE(label.shown(), QStringLiteral("Press Run."));
    label.resize(label.fontMetrics().horizontalAdvance(QStringLiteral("Press Ru")) + 4,
                 line + 8);
    QCOMPARE(label.shown(), QStringLiteral("Press…"));
    QVERIFY(!label.grab().isNull());
  }

  void narrowChoiceBoxesElideTheirText() {
    ChoiceBox box;
    box.addItem(QStringLiteral("Δm by channel"));
    box.resize(box.sizeHint());
    QCOMPARE(box.shown(), QStringLiteral("Δm by channel"));
    box.resize(box.sizeHint().width() - 30, box.sizeHint().height());
    QVERIFY(box.shown().startsWith(QStringLiteral("Δm b")));
    QVERIFY(box.shown().endsWith(u'…'));
    box.setItemData(0, QStringLiteral("Δm"), ChoiceBox::kBriefRole);
    QCOMPARE(box.shown(), QStringLiteral("Δm"));
    box.resize(box.sizeHint());
    QCOMPARE(box.shown(), QStringLiteral("Δm by channel"));
    QVERIFY(!box.grab().isNull());
  }

  void contentIsNotCutByItsScrollBar() {
    const equipatch::test::QuietPlatform quiet;
    auto* content = new QWidget;
    auto* inside = new QWidget(content);
    inside->setMinimumSize(120, 1000);
    (new QHBoxLayout(content))->addWidget(inside);
    VerticalArea area;
    area.setWidgetResizable(true);
    area.setWidget(content);
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area.resize(area.minimumSizeHint().width(), 200);
    area.show();
    QTRY_VERIFY(area.verticalScrollBar()->isVisible());
    QVERIFY(area.viewport()->width() >= content->minimumSizeHint().width());
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    QVERIFY(area.minimumSizeHint().width() < 120);
  }

  /// The content is narrow and low enough beside the scroll bar, but wide and too high
  /// without the bar.
  void aScrollBarStaysIfHidingItBringsItBack() {
    const equipatch::test::QuietPlatform quiet;
    auto* content = new LowWhereNarrow;
    const std::unique_ptr<QScrollArea> area(scrollable(content));
    area->resize(200, 200);
    area->show();
    QTRY_COMPARE(area->verticalScrollBarPolicy(), Qt::ScrollBarAlwaysOn);
    QTRY_VERIFY(content->width() < 200);
    QTRY_COMPARE(area->verticalScrollBar()->maximum(), 0);
    QTest::qWait(0);
    QVERIFY(area->verticalScrollBar()->isVisible());
    area->resize(200, 400);
    QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
    QTRY_COMPARE(content->width(), 200);
  }

  void tallContentScrolls() {
    auto* content = new QWidget;
    content->setMinimumSize(10, 1000);
    const std::unique_ptr<QScrollArea> area(scrollable(content));
    area->resize(100, 200);
    area->show();
    QCOMPARE(area->widget(), content);
    QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
    QVERIFY(!area->horizontalScrollBar()->isVisible());
    QVERIFY(content->width() > 50);  // wider than its minimum
  }

  void rowsAreAsHighAsTickBoxes() {
    QListWidget list;
    list.setStyleSheet(QStringLiteral("QAbstractItemView::indicator { height: 30px; }"));
    auto* item = new QListWidgetItem(QStringLiteral("match is yes"), &list);
    item->setCheckState(Qt::Checked);
    makeRoomForTickBoxes(list);
    QVERIFY(list.visualItemRect(item).height() > 30);
  }
};

EQUIPATCH_TEST(tst_small_widgets)
#include "tst_small_widgets.moc"
