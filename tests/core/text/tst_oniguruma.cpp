// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/oniguruma.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_oniguruma : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void translatesPatternsToPcre_data();
  void translatesPatternsToPcre();
  void refusesWhatCannotBeTranslated();
};

void tst_oniguruma::translatesPatternsToPcre_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* pattern, const char* expected) {
    QTest::newRow(pattern) << QString::fromUtf8(pattern) << QString::fromUtf8(expected);
  };
  row("", "");
  row("a{1,3}|\\p{L}+", "a{1,3}|\\p{L}+");  // braces of \p are not an interval
  row("\\s\\S", "\\p{White_Space}\\P{White_Space}");
  row("[^\\s\\]]\\\\s", "[^\\p{White_Space}\\]]\\\\s");
  row("\\w[\\w-]",
      "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}²³¹¼½¾]"
      "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}-]");
  row("\\W", "[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}²³¹¼½¾]");
  row("[\\b]", "[\\b]");
  row("\\pL[\\PN]\\p", "pL[PN]p");
  row("\\h[\\h]", "[0-9a-fA-F][0-9a-fA-F]");
  row("[[:alpha:][:^punct:]][]a]", "[\\p{Alphabetic}\\P{P}][]a]");
  row("[[:digit:][:blank:][:", "[[:digit:]\\p{Zs}\\t[:");
  row("[[:xdigit:][:^xdigit:]]", "[\\p{AHex}\\P{AHex}]");
  row("[^]]\\", "[^]]\\");
  row("\\x{41}+", "\\x{41}+");
  row("x\\p{L", "x\\p{L");
  row("\\H\\v[\\v]\\Q\\E", "[^0-9a-fA-F]\\x0B[\\x0B]QE");
  row("a{,2}b{,}{1,}{,", "a{0,2}b{,}{1,}{,");
  row("a{1,2}?b{3}c{}?", "a{1,2}?b{3}c{}?");
  row("(?m).(?i-m:.)(?<m>m)(?=m)", "(?s).(?i-s:.)(?<m>m)(?=m)");
  row("\\p{Han}[^\\P{^latin}]\\p{Lu}", "\\p{sc:Han}[^\\P{^sc:latin}]\\p{Lu}");
}

void tst_oniguruma::translatesPatternsToPcre() {
  QFETCH(QString, pattern);
  QFETCH(QString, expected);
  QCOMPARE(QString::fromStdString(pcreFromOniguruma(pattern.toStdString())), expected);
}

void tst_oniguruma::refusesWhatCannotBeTranslated() {
  QVERIFY_ERROR(pcreFromOniguruma("[a-z&&[^b]]"), "[a-z&&[^b]]", "intersection",
                "byte 4");
  QVERIFY_ERROR(pcreFromOniguruma("[a[b]]"), "class within");
  for (const char* pattern : {"[[:]]", "[[:a]]", "[[:a][b:]]"})
    QVERIFY_ERROR(pcreFromOniguruma(pattern), "class within", "byte 1");
  QVERIFY_ERROR(pcreFromOniguruma("[\\W]"), "\\W within");
  QVERIFY_ERROR(pcreFromOniguruma("a\\X"), "has \\X at byte 1");
  QVERIFY_ERROR(pcreFromOniguruma("[\\H]"), "\\H within");
  QVERIFY_ERROR(pcreFromOniguruma("[[:print:]]"), "[:print:] at byte 1");
  QVERIFY_ERROR(pcreFromOniguruma("[[:^alnum:]]"), "[:^alnum:]");
  QVERIFY_ERROR(pcreFromOniguruma("a{1,3}+"), "interval followed by '+'");
  QVERIFY_ERROR(pcreFromOniguruma("a{2}?"), "interval {n} followed by '?'");
  QVERIFY_ERROR(pcreFromOniguruma("a|\\Gb"), "\\G at byte 2");
}

EQUIPATCH_TEST(tst_oniguruma)
#include "tst_oniguruma.moc"
