// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_table.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>

#include "core/base/error.h"
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

/// Reads CSV with the quotes of RFC 4180; lines end with \n alone.
QList<QStringList> readCsv(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(file.readAll());
  QList<QStringList> rows;
  QStringList row;
  QString cell;
  bool quoted = false;
  for (qsizetype at = 0; at < text.size(); ++at) {
    const QChar letter = text[at];
    if (letter == '"' && quoted && at + 1 < text.size() && text[at + 1] == '"') {
      cell += letter;
      ++at;
    } else if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && (letter == ',' || letter == '\n')) {
      row += cell;
      cell.clear();
      if (letter == '\n') rows += std::exchange(row, {});
    } else {
      cell += letter;
    }
  }
  return rows;
}

}  // namespace

class tst_export_table : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    exportCsv(test::smallRun(), (m_folder.path() + "/csv").toStdString());
  }
  void rowsHaveTheValuesOfTheirRecords();
  void columnsAlsoHaveTheNamesOfJson();
  void columnsAreIntegerRealOrText();
  void everyRowOfATableHasTheSameColumns();
  void absorbedPartAndBranchHaveColumns();
  void theModelIsNamedAndNotItsFolder();
  void headingsAreThoseOfTheFirstRow();
  void textsAreQuotedAndInvalidUtf8IsReplaced();
  void numbersReadBackAsTheyWere();
  void anUnfinishedFileDoesNotAppear();
  void writesEveryTable();
  void textsAndNumbersAreWrittenToCells();
  void scaleDeltasHaveAColumnForEachChannel();
  void aRunWithoutScaleHasNoScaleTable();
  void totalsThatWereNotMeasuredAreEmpty();
  void tablesOfARunWithoutStepsHaveHeadings();
  void runsAreWrittenBelowEachOther();
  void unwritablePlacesAreNamed();

 private:
  QByteArray written(const std::vector<ExportRow>& rows) const {
    CsvFile file(path());
    for (const ExportRow& row : rows) file.add(row);
    file.finish();
    QFile read(m_folder.filePath("table.csv"));
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
  }
  std::filesystem::path path() const {
    return m_folder.filePath("table.csv").toStdString();
  }

  QString csvCell(const QString& file, int row, const QString& column) const {
    const auto rows = readCsv(m_folder.filePath("csv/" + file));
    return rows.value(row + 1).value(rows.value(0).indexOf(column));
  }

  QTemporaryDir m_folder;
};

void tst_export_table::rowsHaveTheValuesOfTheirRecords() {
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

void tst_export_table::columnsAlsoHaveTheNamesOfJson() {
  StoredRun run = test::smallRun();
  const ExportRow step = stepRow(*run.steps[1]);
  QVERIFY(cell(step, "token_id") == cell(step, "token"));
  QVERIFY(cell(step, "patched_token_id") == cell(step, "patched_token"));
  const StepRecord& record = *run.steps[1];
  QVERIFY(cell(step, "top_token_id") == toSql(record.contextual.front().id));
  QVERIFY(cell(step, "top_token_text") == toSql(record.contextual.front().text));
  QVERIFY(cell(step, "patched_top_token_id") == toSql(record.patched.front().id));
  StepRecord bareless = record;
  bareless.bare.clear();
  QVERIFY(cell(stepRow(bareless), "bare_top_token_id") == SqlValue(nullptr));
  QVERIFY(cell(stepRow(bareless), "ablated_top_token_id") == SqlValue(nullptr));
  bareless.ablated = {{.id = TokenId(7), .text = "fog"}};
  QVERIFY(cell(stepRow(bareless), "ablated_top_token_text") == SqlValue("fog"));
  QCOMPARE(stepRow(bareless).names, step.names);
  StepRecord other = *run.steps[1];
  other.layers[0].scaleNorm = 3.0;
  other.layers[0].scaleMax = 2.0;
  other.layers[0].biasNorm = 1.0;
  const ExportRow layer = layerRow(*run.header, other, 0);
  QVERIFY(cell(layer, "dscale_norm") == SqlValue(3.0));
  QVERIFY(cell(layer, "dscale_max") == SqlValue(2.0));
  QVERIFY(cell(layer, "dbias_norm") == SqlValue(1.0));
}

void tst_export_table::columnsAreIntegerRealOrText() {
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

void tst_export_table::everyRowOfATableHasTheSameColumns() {
  const StoredRun run = test::smallRun();
  QCOMPARE(stepRow(*run.steps[0]).names, stepRow(*run.steps[1]).names);
  QCOMPARE(layerRow(*run.header, *run.steps[0], 0).names,
           layerRow(*run.header, *run.steps[1], 1).names);
  QVERIFY(cell(layerRow(*run.header, *run.steps[0], 1), "dw_down") == SqlValue(nullptr));
}

/// "absorbed" has the syntax of `--absorb`; "kept_prompt" has the first and the last
/// position of each kept range.
void tst_export_table::absorbedPartAndBranchHaveColumns() {
  RunHeader header = *test::smallRun().header;
  header.request.prompt.resize(8);
  header.request.absorbed = parseAbsorbedSet("2-3,6", header.request.prompt, {});
  header.request.branch = {.file = "parent.eqrun", .tokens = 3};
  const ExportRow row = runRow(header);
  QVERIFY(cell(row, "absorbed") == SqlValue("2-3,6"));
  QVERIFY(cell(row, "kept_prompt") == SqlValue("0,1,4,5,7,7"));
  QVERIFY(cell(row, "branch_of") == SqlValue("parent.eqrun"));
  QVERIFY(cell(row, "branch_tokens") == SqlValue(std::int64_t{3}));
}

void tst_export_table::theModelIsNamedAndNotItsFolder() {
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

namespace {

ExportRow row(const std::string& text, double number) {
  ExportRow result;
  result("text", text);
  result("number", number);
  result.add("none", CellKind::Real, nullptr);
  return result;
}

}  // namespace

void tst_export_table::headingsAreThoseOfTheFirstRow() {
  QCOMPARE(written({row("a", 1.0), row("b", 2.5)}),
           QByteArray("text,number,none\na,1,\nb,2.5,\n"));
}

void tst_export_table::textsAreQuotedAndInvalidUtf8IsReplaced() {
  QCOMPARE(written({row("say \"a,b\"\n", 1.0)}),
           QByteArray("text,number,none\n\"say \"\"a,b\"\"\n\",1,\n"));
  QCOMPARE(written({row("\xFF", 1.0)}),
           QByteArray("text,number,none\n\xEF\xBF\xBD,1,\n"));
}

void tst_export_table::numbersReadBackAsTheyWere() {
  const double number = 0.1 + 0.2;
  const QByteArray cell = written({row("", number)}).split('\n')[1].split(',')[1];
  QVERIFY(cell.toDouble() == number);
  QVERIFY(QByteArray::fromStdString(cellText(number)).toDouble() == number);
  QCOMPARE(cellText(std::string("a,b")), std::string("a,b"));
  QCOMPARE(cellText(nullptr), std::string());
}

void tst_export_table::anUnfinishedFileDoesNotAppear() {
  QTemporaryDir folder;
  const std::filesystem::path other = folder.filePath("other.csv").toStdString();
  {
    CsvFile file(other);
    file.add(row("a", 1.0));
    QVERIFY(!std::filesystem::exists(other));
  }
  QVERIFY(!std::filesystem::exists(other));
  QVERIFY_ERROR(CsvFile("/nowhere/table.csv"), "/nowhere/table.csv");
}

void tst_export_table::writesEveryTable() {
  const QDir folder(m_folder.filePath("csv"));
  QCOMPARE(folder.entryList(QDir::Files),
           (QStringList{"choices.csv", "layers.csv", "run.csv", "scale_delta.csv",
                        "steps.csv"}));
  const QList<std::pair<QString, int>> sizes{
      {"choices.csv", 6}, {"layers.csv", 4}, {"run.csv", 1}, {"steps.csv", 2}};
  for (const auto& [file, count] : sizes) {
    const auto rows = readCsv(folder.filePath(file));
    QCOMPARE(rows.size(), count + 1);
    for (const QStringList& row : rows) QCOMPARE(row.size(), rows[0].size());
  }
}

void tst_export_table::textsAndNumbersAreWrittenToCells() {
  QCOMPARE(csvCell("run.csv", 0, "model_name"), QString("small, \"quoted\""));
  QCOMPARE(csvCell("steps.csv", 0, "token_text"), QString("a,\"b\"\n"));
  QCOMPARE(csvCell("steps.csv", 1, "token_text"), QString::fromUtf8("é\uFFFD"));
  QCOMPARE(csvCell("steps.csv", 0, "margin"), QString("0.1"));
  QCOMPARE(csvCell("steps.csv", 0, "linf"), QString("1e-07"));
  QCOMPARE(csvCell("steps.csv", 0, "bare_linf"), QString());
  QCOMPARE(csvCell("steps.csv", 1, "bare_linf"), QString("4"));
  QCOMPARE(csvCell("steps.csv", 0, "milliseconds"), QString("nan"));
  QCOMPARE(csvCell("steps.csv", 1, "match"), QString("0"));
  QCOMPARE(csvCell("steps.csv", 0, "sampled_match"), QString());
  QCOMPARE(csvCell("steps.csv", 1, "sampled_match"), QString("0"));
  QCOMPARE(csvCell("steps.csv", 1, "patched_token_id"), QString("51"));
  QCOMPARE(csvCell("layers.csv", 3, "dw_down"), QString("77"));
  QCOMPARE(csvCell("layers.csv", 2, "dw_down"), QString());
  QCOMPARE(csvCell("layers.csv", 2, "experts"), QString("3,5"));
  QCOMPARE(csvCell("choices.csv", 2, "pass"), QString("patched"));
  QCOMPARE(csvCell("choices.csv", 3, "logit"), QString("111"));
}

void tst_export_table::scaleDeltasHaveAColumnForEachChannel() {
  const auto rows = readCsv(m_folder.filePath("csv/scale_delta.csv"));
  QCOMPARE(rows.size(), 5);
  QCOMPARE(rows[0], (QStringList{"step", "layer", "channel_0", "channel_1"}));
  QCOMPARE(rows[4], (QStringList{"1", "1", "101", "0.1"}));
}

void tst_export_table::aRunWithoutScaleHasNoScaleTable() {
  StoredRun run = test::smallRun();
  RunHeader header = *run.header;
  header.closesWithScale = false;
  run.header = std::make_shared<const RunHeader>(header);
  const std::string folder = (m_folder.path() + "/without").toStdString();
  exportCsv(test::smallRun(), folder);  // an earlier export, with the table
  exportCsv(run, folder);
  QVERIFY(!QFile::exists(m_folder.filePath("without/scale_delta.csv")));
  QVERIFY(QFile::exists(m_folder.filePath("without/layers.csv")));
}

/// In float32, activations are not rounded; `--noise` therefore measures no `rounding`.
void tst_export_table::totalsThatWereNotMeasuredAreEmpty() {
  StoredRun run = test::smallRun();
  auto header = std::make_shared<RunHeader>(*run.header);
  header->request.measureNoise = true;
  run.header = header;
  auto step = std::make_shared<StepRecord>(*run.steps[1]);
  step->noise = LogitDistance{.linf = 0.5};
  run.steps[1] = step;
  const auto total = [&](const char* column) {
    exportCsv(run, (m_folder.path() + "/totals").toStdString());
    const auto rows = readCsv(m_folder.filePath("totals/run.csv"));
    return rows.value(1).value(rows.value(0).indexOf(QLatin1String(column)));
  };
  QCOMPARE(total("noise_linf_max"), QString("0.5"));
  QCOMPARE(total("rounding_linf_max"), QString());
  step->rounding = LogitDistance{.linf = 0.25};
  QCOMPARE(total("rounding_linf_max"), QString("0.25"));
}

void tst_export_table::tablesOfARunWithoutStepsHaveHeadings() {
  const auto headings = [&](const StoredRun& run, const char* file) {
    exportCsv(run, (m_folder.path() + "/headings").toStdString());
    return readCsv(m_folder.filePath(QStringLiteral("headings/") + QLatin1String(file)))
        .value(0);
  };
  const StoredRun run = test::smallRun();
  StoredRun empty = run;
  empty.steps.clear();
  for (const char* file : {"steps.csv", "layers.csv", "choices.csv"}) {
    QVERIFY2(headings(run, file).size() > 2, file);
    QCOMPARE(headings(empty, file), headings(run, file));
  }
}

void tst_export_table::runsAreWrittenBelowEachOther() {
  const StoredRun run = test::smallRun();
  StoredRun other = run;
  RunHeader header = *run.header;
  header.patchedMatrices = {"in", "down"};
  header.width = 3;
  other.header = std::make_shared<const RunHeader>(header);
  exportCsv({{"one", run, "1.eqrun"}, {"two, of in", other, "2.eqrun"}},
            (m_folder.path() + "/runs").toStdString());
  const auto rows = [&](const char* file) {
    return readCsv(m_folder.filePath(QStringLiteral("runs/") + QLatin1String(file)));
  };
  const auto steps = rows("steps.csv");
  QCOMPARE(steps[0].mid(0, 3), (QStringList{"run", "step", "position"}));
  QCOMPARE(steps[2].value(0), QStringLiteral("one"));
  QCOMPARE(steps[3].mid(0, 2), (QStringList{"two, of in", "0"}));
  const auto settings = rows("run.csv");
  QCOMPARE(settings.value(2).value(0), QStringLiteral("two, of in"));
  QCOMPARE(settings[0].last(), QStringLiteral("file"));
  QCOMPARE(settings[2].last(), QStringLiteral("2.eqrun"));
  QCOMPARE(settings[1].value(settings[0].indexOf("steps_taken")), QStringLiteral("2"));
  const RunSummary summary = summarise(run.steps);
  QCOMPARE(settings[1].value(settings[0].indexOf("matches")).toLongLong(),
           summary.matches);
  QCOMPARE(settings[1].value(settings[0].indexOf("linf_max")).toDouble(),
           summary.linfMax);
  QVERIFY(settings[0].contains(QStringLiteral("ablated_kl_max")));
  QCOMPARE(settings[1].value(settings[0].indexOf("ablated_kl_max")), QString());
  const auto layers = rows("layers.csv");
  const auto at = [&](int row, const char* column) {
    return layers[row].value(layers[0].indexOf(QLatin1String(column)));
  };
  const auto alone = readCsv(m_folder.filePath("csv/layers.csv"));
  QCOMPARE(layers.size(), 9);
  for (const char* column :
       {"step", "layer", "dw_gate", "dw_down", "effect", "dbias_norm"})
    QCOMPARE(at(2, column), alone[2].value(alone[0].indexOf(QLatin1String(column))));
  QCOMPARE(at(5, "dw_gate"), QString());  // the other run patches no gate
  QCOMPARE(at(5, "dw_down"), at(1, "dw_down"));
  QCOMPARE(at(5, "dbias_norm"), at(1, "dbias_norm"));
  QVERIFY(layers[0].contains(QStringLiteral("dw_in")));  // only the second run has it
  QCOMPARE(at(1, "dw_in"), QString());
  QCOMPARE(rows("scale_delta.csv")[0].last(), QStringLiteral("channel_2"));
  QCOMPARE(rows("scale_delta.csv")[1].size(), 6);
}

void tst_export_table::unwritablePlacesAreNamed() {
  QVERIFY_ERROR(exportCsv(test::smallRun(), "/proc/nowhere"), "/proc/nowhere");
}

EQUIPATCH_TEST(tst_export_table)
#include "tst_export_table.moc"
