#include "ui/export/figure_preview.h"

#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_figure_preview : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theFigureFillsTheRoom() {
    const equipatch::test::QuietPlatform quiet;
    FigurePreview preview;
    preview.resize(600, 400);
    preview.show(equipatch::test::someFigure(FigureKind::ByToken), {});
    QTRY_VERIFY(!preview.image().isNull());
    QVERIFY(preview.image().width() <= 600 && preview.image().height() <= 400);
    QVERIFY(preview.image().width() > 540 || preview.image().height() > 340);
  }

  void aSentenceTakesItsPlace() {
    FigurePreview preview;
    preview.say(QStringLiteral("no Δm to draw"));
    QCOMPARE(preview.sentence(), QStringLiteral("no Δm to draw"));
    QVERIFY(preview.image().isNull());
  }
};

EQUIPATCH_TEST(tst_figure_preview)
#include "tst_figure_preview.moc"
