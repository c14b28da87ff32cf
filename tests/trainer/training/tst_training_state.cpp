#include "trainer/training/training_state.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_training_state : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void comesBackWhole() {
    const TrainingState state = {.step = 7,
                                 .nextDocument = 1ull << 40,
                                 .tokens = 123456789012,
                                 .seconds = 0.1,
                                 .parameters = {1, 2, 3},
                                 .mean = {-0.0f, 1e-30f, 5},
                                 .square = {7, 8, 9}};
    saveState(m_path, state);
    const TrainingState read = loadState(m_path, 3);
    QCOMPARE(read.step, state.step);
    QCOMPARE(read.nextDocument, state.nextDocument);
    QCOMPARE(read.tokens, state.tokens);
    QCOMPARE(read.seconds, state.seconds);
    QCOMPARE(read.parameters, state.parameters);
    QCOMPARE(read.mean, state.mean);
    QCOMPARE(read.square, state.square);
  }

  void refusesWhatIsNoStateOfThisTraining() {
    saveState(m_path, {.parameters = {1, 2}, .mean = {1, 2}, .square = {1, 2}});
    QVERIFY_ERROR(loadState(m_path, 3), "state.safetensors", "expected 3", "parameters");
    std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) - 4);
    QVERIFY_ERROR(loadState(m_path, 2), "state.safetensors");
    std::ofstream(m_path) << "{}";
    QVERIFY_ERROR(loadState(m_path, 2), "state.safetensors");
  }

  void aFolderThatIsNotThereIsNamed() {
    QVERIFY_ERROR(saveState("/no/such/folder/state.safetensors", {}), "/no/such/folder");
  }

 private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path = m_folder.filePath("state.safetensors").toStdString();
};

EQUIPATCH_TEST(tst_training_state)
#include "tst_training_state.moc"
