#include "core/record/export/output_file.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/base/paths.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr OwnFile kOwn{.marker = "\"mine\"", .what = "mine"};

}  // namespace

class tst_kept_file : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void whatIsItsOwnMayBeReplaced();
  void whatIsNotIsNamed();
  void earlierFilesAreSetAside();

 private:
  std::filesystem::path write(const char* name, const std::string& text) const {
    const std::filesystem::path path = m_folder.filePath(name).toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  QTemporaryDir m_folder;
};

void tst_kept_file::whatIsItsOwnMayBeReplaced() {
  requireOwnOrAbsent(m_folder.filePath(QStringLiteral("none")).toStdString(), kOwn);
  requireOwnOrAbsent(write("own", "{\"mine\": 1}"), kOwn);
}

void tst_kept_file::whatIsNotIsNamed() {
  QVERIFY_ERROR(requireOwnOrAbsent(write("other", "{\"yours\": 1}"), kOwn), "other",
                "not mine");
  QVERIFY_ERROR(requireOwnOrAbsent(write("empty", ""), kOwn), "empty");
  QVERIFY_ERROR(
      requireOwnOrAbsent(write("late", std::string(60, ' ') + "\"mine\""), kOwn), "late");
  QVERIFY_ERROR(requireOwnOrAbsent(m_folder.path().toStdString(), kOwn),
                "choose another");
}

void tst_kept_file::earlierFilesAreSetAside() {
  QVERIFY(setAside(m_folder.filePath(QStringLiteral("gone.json")).toStdString()).empty());
  const auto first = setAside(write("result.json", "first"));
  QVERIFY(isFile(first));
  QVERIFY(!isThere(m_folder.filePath(QStringLiteral("result.json")).toStdString()));
  // "result-2026-11-22-073512.json"
  QCOMPARE(first.filename().string().size(),
           std::string("result-0000-00-00-000000.json").size());
  const auto path = write("result.json", "second");
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(first));
  const auto second = setAside(path);
  QVERIFY(second != first && isFile(first) && isFile(second));
}

EQUIPATCH_TEST(tst_kept_file)
#include "tst_kept_file.moc"
