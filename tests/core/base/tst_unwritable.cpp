#include "core/base/unwritable.h"

#include <QTemporaryDir>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_unwritable : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesTheFolderThatIsMissing() {
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const auto sentence = [](const std::filesystem::path& path) {
      return std::string(unwritable(path).what());
    };
    QVERIFY(sentence(root / "no/file").find((root / "no").string() + "; make it") !=
            std::string::npos);
    QVERIFY(sentence(root / "file").find("where you may write") != std::string::npos);
    QVERIFY(sentence("file").starts_with("file: "));
    QCOMPARE(unwritable("file").kind(), ErrorKind::Resource);
  }
};

EQUIPATCH_TEST(tst_unwritable)
#include "tst_unwritable.moc"
