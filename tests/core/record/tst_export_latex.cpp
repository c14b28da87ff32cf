// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_latex.h"

#include <QFile>
#include <QTemporaryDir>
#include <cmath>

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

NamedRun runOf(const std::string& name, const test::RecordShape& shape, int steps = 3) {
  NamedRun run{name, {test::makeHeader(shape), {}, {}}, name + ".eqrun"};
  for (int step = 0; step < steps; ++step)
    run.run.steps.push_back(test::makeRecord(step, shape));
  return run;
}

QString tableOf(const std::vector<NamedRun>& runs) {
  return QString::fromStdString(latexTable(runs));
}

QStringList cells(const QString& table, const QString& run) {
  for (const QString& line : table.split(u'\n'))
    if (line.startsWith(run + QStringLiteral(" & ")))
      return line.chopped(3).split(QStringLiteral(" & "));
  return {};
}

}  // namespace

class tst_export_latex : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theTableHasARowForEachRun() {
    const NamedRun run = runOf("100 %", {.ablated = true});
    const QString table = tableOf({runOf("plain", {}), run});
    QVERIFY(table.startsWith(QStringLiteral("% Table of runs, made by Equipatch ")));
    QVERIFY(table.contains(QStringLiteral("\\begin{tabular}{lrrrrrrr}\n\\toprule\n")));
    QVERIFY(table.endsWith(QStringLiteral("\\bottomrule\n\\end{tabular}\n")));
    const QStringList heading = cells(table, QStringLiteral("run"));
    const QStringList secondLine = cells(table, QString());
    QCOMPARE(heading.value(1), QStringLiteral("equal"));
    QCOMPARE(secondLine.value(1), QStringLiteral("tokens"));
    QCOMPARE(heading.value(2), QStringLiteral("$L_\\infty$"));
    QCOMPARE(secondLine.value(2), QStringLiteral("median"));
    QCOMPARE(heading.last(), QStringLiteral("ablated KL"));
    QCOMPARE(secondLine.last(), QStringLiteral("largest"));
    const QStringList plain = cells(table, QStringLiteral("plain"));
    QCOMPARE(plain.value(1), QStringLiteral("3 of 3"));
    QCOMPARE(plain.last(), QStringLiteral("--"));  // it has no ablated pass
    const QStringList ablated = cells(table, QStringLiteral("100 \\%"));
    QCOMPARE(ablated.size(), heading.size());
    double largest = 0.0;
    for (const auto& step : run.run.steps)
      largest = std::max(largest, step->ablatedDistance->kl);
    QCOMPARE(ablated.last(), QString::number(largest, 'g', 3));
  }

  void columnsThatNoRunMeasuredAreLeftOut() {
    QVERIFY(!tableOf({runOf("plain", {})}).contains(QStringLiteral("audit $L")));
    const QString table = tableOf({runOf("all", {.noise = true, .audit = true})});
    QVERIFY(table.contains(QStringLiteral("audit $L_\\infty$ & noise")));
    QVERIFY(table.contains(QStringLiteral(" & largest & $L_\\infty$ \\\\\n")));
  }

  /// The noise floor in run.csv and in the verdicts leaves out such references, too.
  void aReferenceThatIsNotFiniteDoesNotRaiseTheNoiseFloor() {
    NamedRun run = runOf("half", {.noise = true}, 2);
    StepRecord first = *run.run.steps.front(), second = *run.run.steps.back();
    first.noise = LogitDistance{0.125, 0.0, 0.0};
    second.noise = LogitDistance{INFINITY, 1.0, INFINITY};
    first.rounding = second.rounding = std::nullopt;
    run.run.steps = {std::make_shared<const StepRecord>(first),
                     std::make_shared<const StepRecord>(second)};
    QCOMPARE(cells(tableOf({run}), QStringLiteral("half")).last(),
             QStringLiteral("0.125"));
  }

  void commentsGiveTheSettings() {
    NamedRun run = runOf("one\nrun", {.noise = true});
    RunHeader header = *run.run.header;
    header.request.promptText = std::string(400, 'x') + "\\input{y}";
    run.run.header = std::make_shared<const RunHeader>(header);
    QStringList comments;
    for (const QString& line : tableOf({run}).split(u'\n'))
      if (line.startsWith(QStringLiteral("% one run: "))) comments << line;
    QCOMPARE(comments.size(), 1);
    const QString& settings = comments.front();
    QVERIFY(settings.contains(QStringLiteral(" measure_noise=\"1\",")));
    QVERIFY(settings.contains(QStringLiteral(" method=\"balanced\",")));
    QVERIFY(settings.contains(u'x' + QStringLiteral("…\"")));
    QVERIFY(!settings.contains(QStringLiteral("input")));
  }

  void powersOfTenAreMath() {
    NamedRun run = runOf("small", {}, 1);
    StepRecord step = *run.run.steps.front();
    step.patchedDistance.linf = 2.974e-4;
    step.patchedDistance.tvd = 0.25;
    run.run.steps = {std::make_shared<const StepRecord>(step)};
    const QStringList row = cells(tableOf({run}), QStringLiteral("small"));
    QCOMPARE(row.value(2), QStringLiteral("$2.97\\times10^{-4}$"));
    QCOMPARE(row.value(4), QStringLiteral("0.25"));
  }

  void anInfiniteNumberIsAnInfinitySymbol() {
    NamedRun run = runOf("overflow", {}, 1);
    StepRecord step = *run.run.steps.front();
    step.patchedDistance.linf = INFINITY;
    run.run.steps = {std::make_shared<const StepRecord>(step)};
    QCOMPARE(cells(tableOf({run}), QStringLiteral("overflow")).value(3),
             QStringLiteral("$\\infty$"));
  }

  void aRunWithoutStepsHasDashes() {
    const QStringList row =
        cells(tableOf({runOf("none", {}, 0)}), QStringLiteral("none"));
    QCOMPARE(row.value(1), QStringLiteral("0 of 0"));
    QCOMPARE(row.value(2), QStringLiteral("--"));
  }

  void onlyATableOfEquipatchIsReplaced() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("table.tex");
    const std::vector<NamedRun> runs{runOf("plain", {})};
    exportLatex(runs, path.toStdString());
    exportLatex(runs, path.toStdString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), tableOf(runs));
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("% Made by Equipatch 0.1.0. In the preamble: \\usepackage{pgfplots}");
    file.close();
    QVERIFY_ERROR(exportLatex(runs, path.toStdString()), "table.tex",
                  "a table of Equipatch");
  }
};

EQUIPATCH_TEST(tst_export_latex)
#include "tst_export_latex.moc"
