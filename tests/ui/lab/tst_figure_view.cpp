// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/figure_view.h"

#include "core/figure/lab_figure.h"
#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

/// A view on a screen with this device pixel ratio.
class ViewOnScreen final : public FigureView {
 public:
  using FigureView::FigureView;
  int ratio = 1;

 protected:
  int metric(PaintDeviceMetric which) const override {
    if (which == PdmDevicePixelRatio) return ratio;
    if (which == PdmDevicePixelRatioScaled) return int(ratio * devicePixelRatioFScale());
    return FigureView::metric(which);
  }
};

struct ViewSetup {
  test::QuietPlatform quiet;
  Theme theme;
  FigureView view{theme};

  explicit ViewSetup(int width) {
    theme.setMode(Theme::Mode::Light);
    view.resize(width, 300);
    view.show();
    view.setFigure(labFigure(test::someLabResult()));
  }
};

}  // namespace

class tst_figure_view : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theHeightFollowsTheContent() {
    ViewSetup s(900);
    QTRY_VERIFY(!s.view.image().isNull());
    const int wide = s.view.minimumHeight();
    QVERIFY(wide >= int(s.view.image().deviceIndependentSize().height()));
    s.view.resize(420, 300);  // panels below each other
    QTRY_VERIFY(s.view.image().deviceIndependentSize().width() < 420);
    QVERIFY(s.view.minimumHeight() > wide);
  }

  void followsTheTheme() {
    ViewSetup s(900);
    QTRY_VERIFY(!s.view.image().isNull());
    const QColor light = s.view.image().pixelColor(1, 1);
    s.theme.setMode(Theme::Mode::Dark);
    QTRY_VERIFY(s.view.image().pixelColor(1, 1) != light);
    QCOMPARE(s.view.image().pixelColor(1, 1), s.theme.colours().surface);
  }

  void isRedrawnForAnotherDevicePixelRatio() {
    const test::QuietPlatform quiet;
    Theme theme;
    ViewOnScreen view(theme);
    view.resize(900, 300);
    view.show();
    view.setFigure(labFigure(test::someLabResult()));
    QTRY_VERIFY(!view.image().isNull());
    QCOMPARE(view.image().devicePixelRatio(), 1.0);
    const int width = view.image().width();
    view.ratio = 2;
    view.update();  // as when the window moves to another screen
    QTRY_COMPARE(view.image().devicePixelRatio(), 2.0);
    QVERIFY(view.image().width() > 3 * width / 2);
  }

  void aFigureWithoutRoomIsATextUntilItHasRoom() {
    ViewSetup s(900);
    LabResult wideLabels = test::someLabResult();
    wideLabels.panels[1].map->y = {-1234567890.0, 1234567890.0};
    s.view.setFigure(labFigure(wideLabels));
    QTRY_VERIFY(!s.view.image().isNull());
    s.view.resize(120, 300);
    QTRY_VERIFY(s.view.image().isNull());
    QVERIFY(s.view.accessibleDescription().contains(QStringLiteral("wider")));
    s.view.resize(900, 300);
    QTRY_VERIFY(!s.view.image().isNull());
  }

  void withoutAFigureATextIsShown() {
    ViewSetup s(900);
    QTRY_VERIFY(!s.view.image().isNull());
    s.view.setEmptyText(QStringLiteral("nothing yet"));
    s.view.setFigure({});
    QTRY_VERIFY(s.view.image().isNull());
    QCOMPARE(s.view.accessibleDescription(), QStringLiteral("nothing yet"));
  }

  void aTextReplacesARemovedFigureAtOnce() {
    ViewSetup s(900);
    QTRY_VERIFY(!s.view.image().isNull());
    s.view.setFigure({});
    s.view.setEmptyText(QStringLiteral("computing"));
    QCOMPARE(s.view.accessibleDescription(), QStringLiteral("computing"));
  }
};

EQUIPATCH_TEST(tst_figure_view)
#include "tst_figure_view.moc"
