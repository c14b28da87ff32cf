// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/text_lines.h"

#include <QGuiApplication>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_text_lines : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void linesAreNoWiderThanTheirRoom() {
    const QFontMetricsF metrics{QFont()};
    const QString words = QStringLiteral("bfloat16 balanced closed gemma3_frankenstein");
    QCOMPARE(textLines(words, metrics, 1e4), QStringList{words});
    const double room = metrics.horizontalAdvance(QStringLiteral("balanced closed"));
    const QStringList lines = textLines(words, metrics, room);
    QVERIFY(lines.size() > 2);
    QCOMPARE(lines[1], QStringLiteral("balanced closed"));
    QVERIFY(widestLine(lines, metrics) <= room);
    QCOMPARE(lines.join(QString()).remove(u' '), QString(words).remove(u' '));
    QVERIFY(lines.contains(QStringLiteral("gemma3_")));
    QCOMPARE(textLines(QStringLiteral("ab"), metrics, 1.0), (QStringList{"a", "b"}));
    QCOMPARE(textLines(QString(), metrics, 10.0), QStringList{QString()});
    QCOMPARE(widestWord(QStringLiteral("a balanced b"), metrics),
             metrics.horizontalAdvance(QStringLiteral("balanced")));
  }

  /// A time quadratic in the length would exceed ctest's limit.
  void longTextsTakeLittleTime() {
    const QFontMetricsF metrics{QFont()};
    const QString letters(200'000, u'a'), words = QStringLiteral("a ").repeated(100'000);
    QVERIFY(fittingLength(letters, metrics, 100.0) < 100);
    QCOMPARE(fittingLength(QStringLiteral("ab"), metrics, 1e4), qsizetype(2));
    QCOMPARE(fittingLength(letters, metrics, 0.0), qsizetype(0));
    QCOMPARE(textLines(letters, metrics, 100.0).join(QString()), letters);
    QVERIFY(textLines(words, metrics, 100.0).size() > 100);
    QVERIFY(widestLine(elidedApart({words, letters}, metrics, {100.0, 100.0}), metrics) <=
            100.0);
    // A character of two code units stays whole even if it is wider than the line.
    QCOMPARE(textLines(QStringLiteral("😀😀"), metrics, 1.0),
             (QStringList{QStringLiteral("😀"), QStringLiteral("😀")}));
  }

  void cutTextsHaveWholeCharacters() {
    const QString text = QStringLiteral("ab\n😀  cd");
    QCOMPARE(startOfText(text, 8), QStringLiteral("ab 😀 cd"));
    QCOMPARE(startOfText(text, 5), QStringLiteral("ab 😀…"));
    QCOMPARE(startOfText(text, 4), QStringLiteral("ab …"));
    QCOMPARE(endOfText(text, 8), QStringLiteral("ab 😀 cd"));
    QCOMPARE(endOfText(text, 5), QStringLiteral("…😀 cd"));
    QCOMPARE(endOfText(text, 4), QStringLiteral("… cd"));
  }

  void elidedTextsStayDifferent() {
    const QFontMetricsF metrics{QFont()};
    const QStringList texts = {QStringLiteral("bfloat16 balanced closed absorbs all"),
                               QStringLiteral("bfloat16 direct closed absorbs all")};
    const double room = metrics.horizontalAdvance(QStringLiteral("bfloat16 balanced"));
    const QStringList shown = elidedApart(texts, metrics, {room, room});
    QVERIFY2(shown[0] != shown[1], qPrintable(shown[0]));
    QVERIFY(widestLine(shown, metrics) <= room);
    // Texts that differ only in the middle.
    const QStringList inside = {
        QStringLiteral(
            "stories260K bfloat16 direct open Tom and his dog went to the park"),
        QStringLiteral(
            "stories260K bfloat16 stable open Tom and his dog went to the park"),
        QStringLiteral(
            "stories260K bfloat16 stable open Tom and his dog went to the park")};
    const QStringList apart = elidedApart(inside, metrics, {room, room, room});
    QVERIFY2(apart[0].startsWith(QStringLiteral("…direct")), qPrintable(apart[0]));
    QVERIFY2(apart[1].startsWith(QStringLiteral("…stable")), qPrintable(apart[1]));
    QCOMPARE(apart[2], apart[1]);
    QVERIFY(widestLine(apart, metrics) <= room);
    // Common words are left out first, wherever they stand.
    const QString prompt = QStringLiteral(" of “Tom has a lamp. Ida has a coin.”");
    const QStringList runs = {QStringLiteral("direct open absorbs “Tom”") + prompt,
                              QStringLiteral("direct open absorbs “Ida”") + prompt,
                              QStringLiteral("float32 balanced")};
    const double narrow =
        metrics.horizontalAdvance(QStringLiteral("…absorbs “Tom” of “T…"));
    const QStringList told = elidedApart(runs, metrics, {narrow, narrow, narrow});
    QVERIFY2(told[0].contains(QStringLiteral("“Tom”")), qPrintable(told[0]));
    QVERIFY2(told[1].contains(QStringLiteral("“Ida”")), qPrintable(told[1]));
    QCOMPARE(told[2], runs[2]);
    QVERIFY(widestLine(told, metrics) <= narrow);
    // Sentences are cut at their ends, after the common first words are left out.
    const QStringList parts =
        elidedApart({QStringLiteral("absorbs “Ben gives the coin to Mia.”"),
                     QStringLiteral("absorbs “Mia goes to the market.”"),
                     QStringLiteral("absorbs all")},
                    metrics, {narrow, narrow, narrow});
    QVERIFY2(parts[0].startsWith(QStringLiteral("…“Ben gives")), qPrintable(parts[0]));
    QVERIFY2(parts[1].startsWith(QStringLiteral("…“Mia goes")), qPrintable(parts[1]));
    QCOMPARE(parts[2], QStringLiteral("…all"));
    // An ellipsis in a text merges with an adjacent one that replaces words.
    const QStringList dots = {QStringLiteral("absorbs “Once … there was”"),
                              QStringLiteral("absorbs “Once … there is”")};
    for (const QString& text : elidedApart(dots, metrics, {narrow / 2, narrow / 2}))
      QVERIFY2(!text.contains(QStringLiteral("……")), qPrintable(text));
    QCOMPARE(elidedApart(texts, metrics, {1e4, 1e4}), texts);
    QVERIFY(elidedApart({}, metrics, {}).isEmpty());
  }

  void anEllipsisReplacesAnOmittedBeginning() {
    const QFontMetricsF metrics{QFont()};
    const QString words = QStringLiteral("so ").repeated(60), letters(60, u'a');
    const QStringList shown =
        elidedApart({words + "Tom " + words, words + "Ida " + words,
                     letters + "1" + letters, letters + "2" + letters},
                    metrics, QList<double>(4, metrics.averageCharWidth() * 25));
    QVERIFY2(shown[0].startsWith(QStringLiteral("…Tom")), qPrintable(shown[0]));
    QVERIFY2(shown[1].startsWith(QStringLiteral("…Ida")), qPrintable(shown[1]));
    QVERIFY2(shown[2].startsWith(u'a'), qPrintable(shown[2]));
    QVERIFY2(shown[3].startsWith(u'a'), qPrintable(shown[3]));
  }
};

EQUIPATCH_TEST(tst_text_lines)
#include "tst_text_lines.moc"
