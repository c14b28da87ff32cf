#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include "tests/support/test_case.h"
#include "ui/prompt/token_highlighter.h"

using namespace equipatch;

class tst_token_highlighter : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void findsTheTokenOfAPosition();
  void tintsNeighboursDifferently();
  void goesOnAcrossLines();
};

void tst_token_highlighter::findsTheTokenOfAPosition() {
  const Theme theme;
  QTextDocument document(QStringLiteral("Once upon"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 0}, {0, 5}, {5, 9}});
  QCOMPARE(highlighter.tokenAt(0), 1);
  QCOMPARE(highlighter.tokenAt(4), 1);
  QCOMPARE(highlighter.tokenAt(5), 2);
  QCOMPARE(highlighter.tokenAt(9), -1);
}

void tst_token_highlighter::tintsNeighboursDifferently() {
  const Theme theme;
  QTextDocument document(QStringLiteral("Once upon"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 5}, {5, 9}});
  const auto formats = document.firstBlock().layout()->formats();
  QCOMPARE(formats.size(), 2);
  QCOMPARE(formats[0].start, 0);
  QCOMPARE(formats[0].length, 5);
  QCOMPARE(formats[1].start, 5);
  QVERIFY(formats[0].format.background() != formats[1].format.background());
}

void tst_token_highlighter::goesOnAcrossLines() {
  const Theme theme;
  QTextDocument document(QStringLiteral("ab\ncd"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 1}, {1, 4}, {4, 5}});
  const auto second = document.lastBlock().layout()->formats();
  QCOMPARE(second.size(), 2);
  QCOMPARE(second[0].start, 0);
  QCOMPARE(second[0].length, 1);
}

EQUIPATCH_TEST(tst_token_highlighter)
#include "tst_token_highlighter.moc"
