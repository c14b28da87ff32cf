// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/style_form.h"

#include <QFontDatabase>
#include <QSettings>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/figure/paper.h"

using namespace equipatch;

class tst_style_form : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// LaTeX chooses the type.
  void aPgfplotsFileHasOnlyASize() {
    const equipatch::test::ScratchSettings settings;
    StyleForm form;
    for (const bool pgfplots : {true, false}) {
      form.setPgfplots(pgfplots);
      for (const QWidget* field :
           std::initializer_list<QWidget*>{form.fonts(), form.fontSize(), form.letters(),
                                           form.legendPlaces(), form.sharedLegend()})
        QCOMPARE(field->isEnabled(), !pgfplots);
      QCOMPARE(form.letters()->toolTip().contains("LaTeX"), pgfplots);
      QVERIFY(form.width()->isEnabled());
    }
  }

  void aPresetSizeSetsWidthAndHeight() {
    StyleForm form;
    QCOMPARE(form.sizes()->currentIndex(), 0);
    QSignalSpy changed(&form, &StyleForm::changed);
    form.sizes()->setCurrentIndex(2);
    Q_EMIT form.sizes()->activated(2);
    QCOMPARE(form.style().width, kSlideWidth);
    QCOMPARE(form.style().height, kSlideHeight);
    QCOMPARE(changed.count(), 1);
    form.width()->setValue(5.0);
    QCOMPARE(form.sizes()->currentIndex(), 3);
    form.width()->setValue(kDoubleColumn);
    form.height()->setValue(0.0);
    QCOMPARE(form.sizes()->currentIndex(), 1);
  }

  void columnsAreSuggestedUntilAnotherSizeIsChosen() {
    StyleForm form;
    form.suggestColumns(2);
    QCOMPARE(form.width()->value(), kDoubleColumn);
    form.suggestColumns(1);
    QCOMPARE(form.width()->value(), kSingleColumn);
    form.width()->setValue(5.0);
    form.suggestColumns(2);
    QCOMPARE(form.width()->value(), 5.0);
    form.sizes()->setCurrentIndex(1);
    Q_EMIT form.sizes()->activated(1);
    form.suggestColumns(1);
    QCOMPARE(form.width()->value(), kDoubleColumn);
  }

  /// A typed width stays, even if it is that of a preset.
  void aTypedColumnWidthIsChosen() {
    StyleForm form;
    form.width()->setValue(kDoubleColumn);
    QCOMPARE(form.sizes()->currentIndex(), 1);
    form.suggestColumns(1);
    QCOMPARE(form.width()->value(), kDoubleColumn);
  }

  void aSavedStyleIsRestored() {
    const equipatch::test::ScratchSettings settings;
    StyleForm form;
    form.width()->setValue(5.5);
    form.letters()->setChecked(true);
    form.legendPlaces()->setCurrentIndex(1);
    form.sharedLegend()->setChecked(true);
    form.fonts()->setCurrentIndex(form.fonts()->count() - 1);
    const QString family = form.style().family;
    form.save();
    StyleForm next;
    next.restore();
    QCOMPARE(next.style().width, 5.5);
    QVERIFY(next.style().letters);
    QVERIFY(next.style().legend);
    QVERIFY(next.style().legendPlace == LegendPlace::Below);
    QVERIFY(next.style().sharedLegend);
    QCOMPARE(next.style().family, family);
  }

  /// Copying a chart takes the saved style directly, not from a form, which offers
  /// installed fonts only.
  void aSavedFontThatIsGoneBecomesTheDefault() {
    const equipatch::test::ScratchSettings settings;
    const QString kept = figureFonts().back().family;
    for (const QString& family : {QStringLiteral("No Such Font"), kept}) {
      QSettings().setValue(QStringLiteral("figure/family"), family);
      QCOMPARE(savedStyle().family, family == kept ? kept : QString());
    }
  }

  /// Fonts that are not installed are not offered.
  void installedFontsAreOffered() {
    const StyleForm form;
    QCOMPARE(form.fonts()->count(), figureFonts().size());
    QCOMPARE(form.fonts()->itemData(0).toString(), QString());
    for (int i = 1; i < form.fonts()->count(); ++i)
      QVERIFY(QFontDatabase::families().contains(form.fonts()->itemData(i).toString()));
    QVERIFY(form.fonts()->findData(QStringLiteral("DejaVu Serif")) > 0);
  }
};

EQUIPATCH_TEST(tst_style_form)
#include "tst_style_form.moc"
