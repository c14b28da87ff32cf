#include "app/window_options.h"

#include "app/application.h"
#include "app/figure_command.h"
#include "app/usage/print_page.h"
#include "window_manual.h"

namespace equipatch {
namespace {

QString folderText() {
  return WindowApplication::tr("Model folder in Hugging Face layout, or a recorded run.");
}

QString programText() {
  return WindowApplication::tr(
      "Shows, token by token, that a prompt acts on a transformer as a small patch of "
      "its "
      "weights.");
}

usage::OptionEntry entryOf(const QCommandLineOption& option) {
  usage::OptionEntry entry;
  for (const QString& name : option.names())
    entry.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
  entry.value = option.valueName().toStdString();
  entry.description = option.description().toStdString();
  return entry;
}

/// The options, and the command `figure`.
usage::ProgramTable windowTable() {
  QCommandLineParser parser;
  const WindowOptions options;
  usage::ProgramTable table{
      .name = "equipatch",
      .version = EQUIPATCH_VERSION,
      .description = "shows a prompt as a small patch of a transformer's weights"};
  table.options.push_back({.value = "MODELDIR|RUN.eqrun",
                           .description = folderText().toStdString(),
                           .kind = usage::ValueKind::File,
                           .suffix = ".eqrun"});
  for (const QCommandLineOption& option :
       {parser.addHelpOption(), parser.addVersionOption(), options.prompt, options.steps,
        options.run})
    table.options.push_back(entryOf(option));
  table.commands.push_back(figureEntry());
  return table;
}

}  // namespace

WindowOptions::WindowOptions()
    : prompt(QStringLiteral("prompt"), WindowApplication::tr("Fills the prompt."),
             QStringLiteral("TEXT")),
      steps(QStringLiteral("steps"),
            WindowApplication::tr("Number of tokens to generate."), QStringLiteral("N")),
      run(QStringLiteral("run"), WindowApplication::tr("Starts the run at once.")) {}

void WindowOptions::addTo(QCommandLineParser& parser) const {
  parser.setApplicationDescription(programText());
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("MODELDIR"), folderText(),
                               QStringLiteral("[MODELDIR | RUN.eqrun]"));
  parser.addOptions({prompt, steps, run});
}

std::optional<int> printPage(int argc, char** argv) {
  return usage::printPage(argc, argv, windowTable, kWindowManual);
}

}  // namespace equipatch
