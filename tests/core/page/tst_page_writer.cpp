// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_writer.h"

#include <algorithm>
#include <string>

#include "core/page/run_data.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/page/written_data.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;
using equipatch::test::writtenText;

class tst_page_writer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void piecesMakeUpTheTextOfTheWholeObject() {
    const std::string hostile = "</script>&\u2028\xFF";
    const std::string text = writtenText([&](PageWriter& writer) {
      writer.begin("{");
      writer.members({{"a", 1.5}, {hostile, hostile}});
      writer.key("list");
      writer.begin("[");
      writer.value(nullptr);
      writer.begin("[");
      writer.end("]");
      writer.begin("{");
      writer.end("}");
      writer.value(hostile);
      writer.end("]");
      writer.key("last");
      writer.value(true);
      writer.end("}");
    });
    PageObject whole{{"a", 1.5}, {hostile, hostile}};
    whole["list"] = {nullptr, PageObject::array(), PageObject::object(), hostile};
    whole["last"] = true;
    QCOMPARE(text, scriptJson(whole));
  }

  /// The data of a long run may not fit into memory as a whole.
  void piecesOfALongPageStayBelow32000Bytes() {
    constexpr int kSteps = 64;
    const PageRun page{
        .run = figureRun("mine", kSteps, {.layers = 26, .width = 1152, .noise = true})};
    std::size_t largest = 0, all = 0;
    SilentProgress silent;
    PageWriter writer(
        [&](std::string_view piece) {
          largest = std::max(largest, piece.size());
          all += piece.size();
        },
        silent, 5 * kSteps);
    writeRun(page, 144, writer);
    QVERIFY2(all > 1'000'000, std::to_string(all).c_str());
    QVERIFY2(largest < 32'000, std::to_string(largest).c_str());
  }

  void stepsReportProgressAndMayBeStopped() {
    test::Patience patience(2);
    PageWriter writer([](std::string_view) {}, patience, 4);
    writer.stepWritten();
    writer.stepWritten();
    QCOMPARE(patience.fractions, (std::vector<double>{0.25, 0.5}));
    QCOMPARE(patience.labels.back(), std::string("Writing the page"));
    QVERIFY_ERROR(writer.stepWritten(), "stopped on request");
  }
};

EQUIPATCH_TEST(tst_page_writer)
#include "tst_page_writer.moc"
