// SPDX-License-Identifier: GPL-3.0-or-later
// The program `equipatch`: the window, and `equipatch figure`, which opens no window.

#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QHashSeed>
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "app/application.h"
#include "app/figure_command.h"
#include "app/usage/misuse.h"
#include "app/usage/pages.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"
#include "core/record/sweep/sweep_folder.h"
#include "core/record/sweep/sweep_plan.h"
#include "ui/model/model_panel.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"
#include "ui/window/window_geometry.h"
#include "window_manual.h"

namespace equipatch {
namespace {

const QLatin1String kRunSuffix(".eqrun");
constexpr const char* kEmptyPath =
    "a path is empty; expected a model's folder or name, or recorded runs";

QString pathText() {
  return WindowApplication::tr(
      "A model's folder or name, recorded runs (*.eqrun), or a sweep's folder.");
}

QString programText() {
  return WindowApplication::tr(
      "Shows, token by token, that a prompt acts on a transformer as a small patch of "
      "its weights.");
}

/// The options of the window. `equipatch figure` has its own options.
struct WindowOptions {
  QCommandLineOption model;
  QCommandLineOption prompt;
  QCommandLineOption steps;
  QCommandLineOption run;

  WindowOptions();
  /// In the order of the help.
  QList<QCommandLineOption> all() const { return {model, prompt, steps, run}; }
  void addTo(QCommandLineParser& parser) const;
};

WindowOptions::WindowOptions()
    : model(QStringLiteral("model"),
            WindowApplication::tr(
                "The model: a folder, or a name that \"equipatch-cli models\" lists."),
            QStringLiteral("M")),
      prompt(QStringLiteral("prompt"), WindowApplication::tr("Sets the prompt's text."),
             QStringLiteral("TEXT")),
      steps(QStringLiteral("steps"),
            WindowApplication::tr("Number of tokens to generate."), QStringLiteral("N")),
      run(QStringLiteral("run"), WindowApplication::tr("Starts the run at once.")) {}

void WindowOptions::addTo(QCommandLineParser& parser) const {
  parser.setApplicationDescription(programText());
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(QStringLiteral("MODEL"), pathText(),
                               QStringLiteral("[MODEL | RUN.eqrun... | SWEEP]"));
  parser.addOptions(all());
}

usage::OptionEntry entryOf(const QCommandLineOption& option) {
  usage::OptionEntry entry;
  for (const QString& name : option.names())
    entry.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
  entry.value = option.valueName().toStdString();
  entry.description = option.description().toStdString();
  usage::classify(entry);
  return entry;
}

usage::ProgramTable windowTable() {
  QCommandLineParser parser;
  usage::ProgramTable table{
      .name = "equipatch",
      .version = EQUIPATCH_VERSION,
      .description = "shows a prompt as a small patch of a transformer's weights"};
  table.options.push_back({.value = "MODEL|RUN.eqrun|SWEEP",
                           .description = pathText().toStdString(),
                           .kind = usage::ValueKind::File,
                           .suffix = ".eqrun",
                           .repeats = true});
  const QList<QCommandLineOption> general{parser.addHelpOption(),
                                          parser.addVersionOption()};
  for (const QCommandLineOption& option : general + WindowOptions().all())
    table.options.push_back(entryOf(option));
  table.commands.push_back(figureEntry());
  return table;
}

/// True if the arguments ask for the help or the version, which need no display.
/// @param arguments including Qt's own options. Qt's -reverse must not be read as -r, -e,
/// -v …, because -v is --version.
bool onlyPrints(const WindowOptions& options, std::span<char*> arguments) {
  QCommandLineParser parser;
  options.addTo(parser);
  parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
  QStringList given;
  for (const char* argument : arguments) given << QString::fromLocal8Bit(argument);
  parser.parse(given);
  for (const char* name : {"help", "help-all", "version"})
    if (parser.isSet(QString::fromLatin1(name))) return true;
  return false;
}

/// On Linux: true if neither the environment nor an option of Qt names a display or a
/// platform. Qt would then abort and advise the user to reinstall the program.
bool lacksDisplay([[maybe_unused]] std::span<char*> arguments) {
#ifdef __linux__
  constexpr std::array<std::string_view, 4> kOptions{"-platform", "--platform",
                                                     "-display", "--display"};
  for (const char* name :
       {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"})
    if (!qEnvironmentVariableIsEmpty(name)) return false;
  return std::ranges::none_of(arguments, [&](std::string_view argument) {
    return std::ranges::count(kOptions, argument) > 0;
  });
#else
  return false;
#endif
}

/// @returns the problem; empty: none
std::string problemOfFirstArgument(std::span<char*> arguments) {
  if (arguments.size() < 2) return {};
  const std::string_view word = arguments[1];
  if (word.empty()) return kEmptyPath;
  if (std::ranges::count(usage::kCliCommands, word) > 0 && isAbsent(word))
    return std::string(word) + " is a command of equipatch-cli; run \"equipatch-cli " +
           std::string(word) + "\"";
  return {};
}

bool isStepCount(const QString& text) {
  bool isNumber = false;
  const qlonglong steps = text.toLongLong(&isNumber);
  return isNumber && steps >= 1 && steps <= ModelPanel::kMostSteps;
}

struct Opened {
  QStringList paths;    ///< a model, or run files
  std::string problem;  ///< what is wrong with the paths; empty: nothing
};

/// Replaces a sweep's folder by the run files in it, and checks the paths.
/// @param given the values of --model, then the positional arguments
Opened openedBy(const QStringList& given) {
  Opened opened;
  for (const QString& path : given) {
    if (path.isEmpty()) return {{}, kEmptyPath};
    if (!isSweepFolder(path.toStdString())) {
      opened.paths << path;
      continue;
    }
    const QDir folder(path);
    const QStringList runs =
        folder.entryList({QStringLiteral("*.eqrun")}, QDir::Files, QDir::Name);
    if (runs.isEmpty())
      return {{},
              "the sweep in " + inQuotes(path.toStdString()) +
                  " has no runs yet; \"equipatch-cli sweep --status\" shows how far it "
                  "is"};
    for (const QString& run : runs) opened.paths << folder.filePath(run);
  }
  const auto noFile = std::ranges::find_if_not(
      opened.paths, [](const QString& path) { return QFileInfo(path).isFile(); });
  if (opened.paths.size() > 1 && noFile != opened.paths.end())
    opened.problem = "the window opens one model or several recorded runs, but " +
                     std::to_string(given.size()) + " paths were given and " +
                     inQuotes(noFile->toStdString()) +
                     " is not a file; give recorded runs only, or one model";
  else if (opened.paths.size() == 1 && opened.paths[0].endsWith(kRunSuffix) &&
           !QFileInfo::exists(opened.paths[0]))
    opened.problem = "there is no file " + inQuotes(opened.paths[0].toStdString()) +
                     "; give the path of a recorded run";
  return opened;
}

/// @returns the problem; empty: none
std::string problemOfValues(const QCommandLineParser& parser,
                            const WindowOptions& options, const Opened& opened) {
  if (parser.isSet(options.model) && parser.value(options.model).isEmpty())
    return "--model is empty; expected a model's folder or name";
  if (!opened.problem.empty()) return opened.problem;
  if (parser.isSet(options.steps) && !isStepCount(parser.value(options.steps)))
    return "--steps needs a whole number from 1 to " +
           std::to_string(ModelPanel::kMostSteps) + ", but " +
           inQuotes(parser.value(options.steps).toStdString()) + " was given";
  const QString first = opened.paths.value(0);
  if (parser.isSet(options.run) && QFileInfo(first).isFile())
    return "--run computes with a model, but " + inQuotes(first.toStdString()) +
           " is a file; leave out --run to open a recorded run";
  return {};
}

/// Parses and checks the options, and sets `opened`.
/// @param arguments without the options of QApplication
/// @returns the problem; empty: none
std::string problemOfOptions(QCommandLineParser& parser, const QStringList& arguments,
                             const WindowOptions& options, Opened& opened) {
  if (parser.parse(arguments)) {
    opened = openedBy(parser.values(options.model) + parser.positionalArguments());
    return problemOfValues(parser, options, opened);
  }
  const QString unknown = parser.unknownOptionNames().value(0);
  if (unknown.isEmpty()) return parser.errorText().toStdString();
  const std::string name = (unknown.size() == 1 ? "-" : "--") + unknown.toStdString();
  std::vector<std::string> known{"--help", "--version"};
  for (const QCommandLineOption& option : options.all())
    known.push_back(entryOf(option).names.front());
  const std::string near = usage::didYouMean(name, known);
  return "equipatch has no option " + inQuotes(name) +
         (near.empty() ? "; \"equipatch --help\" lists its options" : near);
}

/// Passes the options to the window. Actions that may fail wait for `MainWindow::opened`,
/// because only an open window can show errors. Qt runs these actions in the order
/// in which they are connected.
void apply(const QCommandLineParser& parser, const WindowOptions& options,
           const QStringList& paths, MainWindow& window) {
  if (parser.isSet(options.steps)) window.setSteps(parser.value(options.steps).toInt());
  if (parser.isSet(options.prompt)) window.setPrompt(parser.value(options.prompt));
  const QString path = paths.value(0);
  const bool isRun = QFileInfo(path).isFile();
  const auto onceOpened = [&window](auto act) {
    QObject::connect(&window, &MainWindow::opened, &window, act);
  };
  if (isRun) onceOpened([=, &window] { window.openRuns(paths); });
  onceOpened([&window] { window.askAboutStoredRuns(); });
  if (isRun) return;
  if (!path.isEmpty()) window.setFolder(path);
  if (parser.isSet(options.run))
    onceOpened([&window] { window.run(); });
  else if (!path.isEmpty())
    onceOpened([&window] { window.loadChosenModel(); });
}

}  // namespace
}  // namespace equipatch

int main(int argc, char** argv) {
  using namespace equipatch;
  surviveFileSizeLimit();
  QHashSeed::setDeterministicGlobalSeed();  // equal figures get equal bytes
  if (argc > 1 && std::string_view(argv[1]) == "figure") return drawFigure(argc, argv);
  if (const auto exitCode = usage::printPage(argc, argv, windowTable, kWindowManual))
    return *exitCode;
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (const std::string problem = problemOfFirstArgument(arguments); !problem.empty())
    return usage::printError(problem, kExitMisused);
  QCommandLineParser parser;
  const WindowOptions options;
  options.addTo(parser);
  if (onlyPrints(options, arguments)) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (lacksDisplay(arguments))
    return usage::printError(
        "the window needs a display, but neither DISPLAY nor WAYLAND_DISPLAY is set; "
        "start it in a desktop session, or use equipatch-cli, which needs none",
        kExitFailed);
  WindowApplication application(argc, argv);
  Opened opened;
  if (const std::string problem =
          problemOfOptions(parser, WindowApplication::arguments(), options, opened);
      !problem.empty())
    return usage::printError(problem, kExitMisused);
  parser.process(application);  // prints help or version, if requested, and exits
  SessionEngine engine;
  MainWindow window(engine);
  QObject::connect(&application, &WindowApplication::errorCaught, &window,
                   &MainWindow::showError);
  apply(parser, options, opened.paths, window);
  window.show();
  shrinkToScreen(window);
  return WindowApplication::exec();
}
