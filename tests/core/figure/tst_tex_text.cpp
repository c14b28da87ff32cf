// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tex_text.h"

#include <QString>

#include "core/figure/step_panels.h"
#include "core/figure/tex/figure_tex.h"
#include "core/figure/tex/tex_ticks.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_tex_text : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void textIsEscaped() {
    QCOMPARE(texText("50 % of L∞"), std::string("50 \\% of $L_\\infty$"));
    QCOMPARE(texText("−∞"), std::string("$-$$\\infty$"));
    QCOMPARE(texText("‖x′ − x_C‖ / ‖x_C‖"),
             std::string("$\\|x' - x_C\\|$ / $\\|x_C\\|$"));
    QCOMPARE(texText("max_Cat"), std::string("max\\_Cat"));
    QCOMPARE(texText("<eos>"), std::string("\\textless{}eos\\textgreater{}"));
    QCOMPARE(texText("‹BF›"), std::string("{$<$}BF{$>$}"));
    QCOMPARE(texText("μ µ"), std::string("$\\mu$ $\\mu$"));
    QCOMPARE(texText("Café"), std::string("Caf\\'{e}"));
    QCOMPARE(texText("�"), std::string("\\textcircled{?}"));
    QCOMPARE(texText("中"), std::string("\\equipatchchar{4E2D}"));
    QCOMPARE(texText("😀\x01"), std::string("\\equipatchchar{1F600}\\equipatchchar{1}"));
    QCOMPARE(texText("\xff"), texText("�"));
    // TeX would print "--" as a dash and "?`" as "¿".
    QCOMPARE(texText("a---b"), std::string("a-\\/-\\/-b"));
    QCOMPARE(texText("?``"), std::string("?\\/`\\/`"));
    QCOMPARE(texText("–¿"), std::string("--?`"));
    QCOMPARE(texText("„Ja!“ – ‘Why?’”"), std::string(",,Ja!\\/`` -- `Why?'\\/''"));
  }

  /// In OT1, pdfLaTeX's default font encoding, \k is an error.
  void anOgonekIsWrittenWithAFallback() {
    QCOMPARE(texText("Łódź, ręka"),
             std::string("\\L{}\\'{o}d\\'{z}, r\\equipatchogonek{e}{119}ka"));
    QCOMPARE(texText("Ų"), std::string("\\equipatchogonek{U}{172}"));
    QVERIFY(kTexCharacter.find("\\def\\equipatchogonek#1#2{\\ifcsname") !=
            std::string_view::npos);
  }

  void charactersBecomeAscii() {
    for (char32_t code = 1; code < 0x20000; ++code) {
      // Surrogates are no characters, and fromUcs4 drops U+FEFF as a byte order mark.
      if ((code >= 0xD800 && code < 0xE000) || code == 0xFEFF) continue;
      const QString character = QString::fromUcs4(&code, 1);
      const QString tex = QString::fromStdString(texText(character.toStdString()));
      QVERIFY2(!tex.isEmpty(), qPrintable(QString::number(code, 16)));
      for (const QChar one : tex) QVERIFY(one >= u' ' && one < u'\x7f');
      QString plain = tex;
      plain.remove("\\{").remove("\\}").remove("\\$");
      QCOMPARE(plain.count('{'), plain.count('}'));
      QCOMPARE(plain.count('$') % 2, 0);
    }
  }

  void aFigureOfUnusualTokensIsAscii() {
    FigureRun run = test::figureRun("μ run 中 é", 6);
    const char* tokens[] = {"�", "\xbf", "‹BF›", " été", "日本", "{_$%&#~^\\|}"};
    for (std::size_t i = 0; i < 6; ++i)
      run = test::changed(run, i, [&](StepRecord& step) {
        step.tokenText = tokens[i];
        step.continuedBytes = tokens[i];
      });
    const std::string text = figureTex(generationFigure({run}), {});
    for (const char character : text)
      QVERIFY(character == '\n' || (character >= ' ' && character < '\x7f'));
    QVERIFY(text.find("\\def\\equipatchchar#1") != std::string::npos);
    // Without \relax, \char would swallow a digit or space that follows the macro.
    QVERIFY(text.find("\\char\"#1\\relax") != std::string::npos);
  }

  /// By default, pgfplots would write labels such as 10^{-2.5}.
  void logarithmicAxesHavePowersOfTen() {
    FigurePanel panel;
    panel.y.scale = FigureScale::Logarithmic;
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {2e-6, 0.5}}};
    const QString text = QString::fromStdString(texTicks(panel, {200.0, 140.0}));
    QVERIFY2(text.contains("={$10^{-6}$,$10^{-4}$,$10^{-2}$,1}"), qPrintable(text));
    QVERIFY(!text.contains(".5}$"));
    panel.curves[0].y = {2e-5, 2e-4};
    QVERIFY(QString::fromStdString(texTicks(panel, {200.0, 140.0}))
                .contains("$5\\cdot10^{-5}$"));
  }

  void tickNamesDoNotOverlap() {
    FigurePanel panel;
    panel.x.names = std::vector<std::string>(100, "token");
    const auto labels = [&](double width) {
      return QString::fromStdString(texTicks(panel, {width, 140.0})).count("{token}");
    };
    QCOMPARE(labels(1000.0), 100);
    QVERIFY(labels(100.0) > 1);
    QVERIFY(labels(100.0) * kTexScriptLine <= 100.0 + kTexScriptLine);
  }

  void linesAreBrokenAtSpaces() {
    QCOMPARE(brokenText("bfloat16 direct open", 15),
             (std::vector<std::string>{"bfloat16 direct", "open"}));
    QCOMPARE(brokenText("gemma3_frankenstein x", 4),
             (std::vector<std::string>{"gemma3_frankenstein", "x"}));
    QCOMPARE(brokenText("", 4), std::vector<std::string>{""});
    QCOMPARE(lettersOf("Café 中"), std::size_t(6));
    QCOMPARE(texLines("50 % all", 4), std::string("50 \\%\\\\all"));
    // LaTeX would read a "[" or "*" after "\\" as part of the line break.
    QCOMPARE(texLines("run [2] *", 3), std::string("run\\\\{[}2]\\\\{*}"));
  }

  void colourScalesAreLabelledWithValues() {
    FigureMap map{.label = "v", .grid = HeatGrid(1, 2)};
    map.grid.set(0, 0, -2.0F);
    map.grid.set(0, 1, 0.5F);
    const QString whole = QString::fromStdString(texColourTicks(map));
    QVERIFY2(whole.contains("$-$$10^{-1}$") && whole.contains("{1}"), qPrintable(whole));
    QVERIFY(!whole.contains("geq"));
    map.largest = 1.5;
    QVERIFY(QString::fromStdString(texColourTicks(map)).contains("{$\\geq$ 1.5}"));
    map.largest = 1.5e-5;
    const QString small = QString::fromStdString(texColourTicks(map));
    QVERIFY2(small.contains("{$\\geq$ 1.5$\\times$10") && !small.contains("e-05"),
             qPrintable(small));
    map.colours = FigureMap::Colours::Rising;
    // Neighbouring labels such as 0.994 and 0.996 must not be rounded to the same number.
    QVERIFY(QString::fromStdString(texColourTicks(map)).contains("precision=5"));
  }
};

EQUIPATCH_TEST(tst_tex_text)
#include "tst_tex_text.moc"
