#include "core/record/export/export_table.h"

#include <algorithm>

#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

SqlValue cell(const ExportRow& row, const std::string& name) {
  const auto found = std::ranges::find(row.names, name);
  if (found == row.names.end()) throw std::out_of_range(name);
  return row.cells[std::size_t(found - row.names.begin())];
}

CellKind kind(const ExportRow& row, const std::string& name) {
  const auto found = std::ranges::find(row.names, name);
  return row.kinds.at(std::size_t(found - row.names.begin()));
}

}  // namespace

class tst_export_columns : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void rowsHoldWhatRecordsHold();
  void columnsHaveTheNamesOfJsonToo();
  void columnsHaveKinds();
  void everyRowOfATableHasTheSameColumns();
  void theModelIsNamedAndNotItsFolder();
};

void tst_export_columns::rowsHoldWhatRecordsHold() {
  const StoredRun run = test::smallRun();
  const ExportRow step = stepRow(*run.steps[1]);
  QVERIFY(cell(step, "step") == SqlValue(std::int64_t{1}));
  QVERIFY(cell(step, "tvd") == SqlValue(102.0));
  QVERIFY(cell(step, "bare_tvd") == SqlValue(5.0));
  QVERIFY(cell(step, "audit_tvd") == SqlValue(nullptr));
  QVERIFY(cell(step, "sampled_match") == SqlValue(std::int64_t{0}));
  QVERIFY(cell(stepRow(*run.steps[0]), "sampled_match") == SqlValue(nullptr));
  const ExportRow layer = layerRow(*run.header, *run.steps[1], 1);
  QVERIFY(cell(layer, "layer") == SqlValue(std::int64_t{1}));
  QVERIFY(cell(layer, "effect") == SqlValue(101.5));
  QVERIFY(cell(layer, "dw_gate") == SqlValue(101.0));
  QVERIFY(cell(layer, "dw_rel_down") == SqlValue(0.5));
  QVERIFY(cell(layer, "noise") == SqlValue(0.75));
  QVERIFY(cell(layer, "experts") == SqlValue("3,5"));
  const ExportRow choice =
      choiceRow(*run.steps[0], "patched", 3, {TokenId(4), "t", 1, 2});
  QVERIFY(cell(choice, "pass") == SqlValue("patched"));
  QVERIFY(cell(choice, "rank") == SqlValue(std::int64_t{3}));
  QVERIFY(cell(choice, "probability") == SqlValue(2.0));
  QVERIFY(cell(runRow(*run.header), "prompt_text") == SqlValue("Once"));
}

void tst_export_columns::columnsHaveTheNamesOfJsonToo() {
  StoredRun run = test::smallRun();
  const ExportRow step = stepRow(*run.steps[1]);
  QVERIFY(cell(step, "token_id") == cell(step, "token"));
  QVERIFY(cell(step, "patched_token_id") == cell(step, "patched_token"));
  StepRecord other = *run.steps[1];
  other.layers[0].scaleNorm = 3.0;
  other.layers[0].scaleMax = 2.0;
  other.layers[0].biasNorm = 1.0;
  const ExportRow layer = layerRow(*run.header, other, 0);
  QVERIFY(cell(layer, "dscale_norm") == SqlValue(3.0));
  QVERIFY(cell(layer, "dscale_max") == SqlValue(2.0));
  QVERIFY(cell(layer, "dbias_norm") == SqlValue(1.0));
}

void tst_export_columns::columnsHaveKinds() {
  const StoredRun run = test::smallRun();
  const ExportRow step = stepRow(*run.steps[0]);
  QCOMPARE(kind(step, "position"), CellKind::Integer);
  QCOMPARE(kind(step, "match"), CellKind::Integer);
  QCOMPARE(kind(step, "sampled_match"), CellKind::Integer);
  QCOMPARE(kind(step, "margin"), CellKind::Real);
  QCOMPARE(kind(step, "bare_linf"), CellKind::Real);
  QCOMPARE(kind(step, "token_text"), CellKind::Text);
  const ExportRow layer = layerRow(*run.header, *run.steps[0], 0);
  QCOMPARE(kind(layer, "experts"), CellKind::Text);
  QCOMPARE(kind(layer, "dw_down"), CellKind::Real);
  QCOMPARE(kind(layer, "guarded"), CellKind::Integer);
}

void tst_export_columns::everyRowOfATableHasTheSameColumns() {
  const StoredRun run = test::smallRun();
  QCOMPARE(stepRow(*run.steps[0]).names, stepRow(*run.steps[1]).names);
  QCOMPARE(layerRow(*run.header, *run.steps[0], 0).names,
           layerRow(*run.header, *run.steps[1], 1).names);
  QVERIFY(cell(layerRow(*run.header, *run.steps[0], 1), "dw_down") == SqlValue(nullptr));
}

void tst_export_columns::theModelIsNamedAndNotItsFolder() {
  RunHeader header = *test::smallRun().header;
  header.modelName = "google/tiny";
  header.modelFolder = "/home/me/secret/tiny";
  const ExportRow row = runRow(header);
  QVERIFY(cell(row, "model_name") == SqlValue("google/tiny"));
  QVERIFY(cell(row, "model_folder") == SqlValue("google/tiny"));
  for (const SqlValue& value : row.cells)
    if (const auto* text = std::get_if<std::string>(&value))
      QVERIFY2(text->find("secret") == std::string::npos, text->c_str());
}

EQUIPATCH_TEST(tst_export_columns)
#include "tst_export_columns.moc"
