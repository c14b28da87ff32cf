#include <QRegularExpression>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::between;
using equipatch::test::documentsOf;

class tst_recall : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theAnswerBelongsToTheKey() {
    for (const Document& document : documentsOf(Skill::Recall, 300)) {
      const std::string key = between(document.text, "belongs to ", "?");
      const QRegularExpression entry(
          QString::fromStdString("[:,] " + key + "(?: is| means| =|:) (\\w+)"));
      auto found = entry.globalMatch(QString::fromStdString(document.text));
      QVERIFY2(found.hasNext(), document.text.c_str());
      QCOMPARE(" " + found.next().captured(1).toStdString(),
               std::string(document.lastAnswer()));
      QVERIFY2(!found.hasNext(), "a key stands for one value");
    }
  }
};

EQUIPATCH_TEST(tst_recall)
#include "tst_recall.moc"
