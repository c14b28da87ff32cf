// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figure_command.h"

#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <iostream>
#include <system_error>

#include "app/application.h"
#include "app/figure_options.h"
#include "app/usage/help.h"
#include "app/usage/misuse.h"
#include "app/usage/program_table.h"
#include "core/base/error.h"
#include "core/base/number_from.h"
#include "core/base/write_failure.h"
#include "core/figure/figure_kind.h"
#include "core/figure/lab_figure.h"
#include "core/record/export/output_file.h"
#include "core/record/lab_result.h"
#include "core/work/worker.h"

namespace equipatch {
namespace {

/// True if the figure has panels side by side.
bool isWide(const Figure& figure) {
  return figure.columns > 1 && figure.panels.size() > 1;
}

void setWidth(const std::string& text, FigureStyle& style) {
  if (text == "single") {
    style.width = kSingleColumn;
  } else if (text == "double") {
    style.width = kDoubleColumn;
  } else if (text == "slide") {
    style.width = kSlideWidth;
    if (style.height == 0.0) style.height = kSlideHeight;
  } else {
    const auto width = numberFrom<double>(text);
    if (!width || !(*width >= kMinSize && *width <= kMaxSize))  // refuses NaN, too
      throw CLI::ValidationError(
          "--width", "expected single, double, slide or inches from 1 to 40, but \"" +
                         text + "\" was given");
    style.width = *width;
  }
}

/// ", in the order a.eqrun, b.eqrun"; empty for many runs.
std::string inOrder(const std::vector<FigureRun>& runs) {
  constexpr std::size_t kMost = 8;
  std::string files;
  for (const FigureRun& run : runs)
    files += (files.empty() ? ", in the order " : ", ") + run.file.filename().string();
  return runs.size() > kMost ? std::string() : files;
}

void rename(std::vector<FigureRun>& runs, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (names.size() != runs.size())
    throw badInput("expected a --name for each of the " + std::to_string(runs.size()) +
                   " runs" + inOrder(runs) + "; " + std::to_string(names.size()) +
                   (names.size() == 1 ? " was given" : " were given"));
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].name = runs[i].own = names[i];
}

Figure figureOfRuns(const FigureOptions& options) {
  SilentProgress progress;
  std::vector<FigureRun> runs =
      readFigureRuns({options.runs.begin(), options.runs.end()}, options.kind, progress);
  rename(runs, options.names);
  return makeFigure(options.kind, runs, options.choice);
}

Figure figureOfResult(const FigureOptions& options) {
  const std::filesystem::path path(options.result);
  std::error_code ignored;
  const bool isFolder = std::filesystem::is_directory(path, ignored);
  if (isFolder || path.extension() == ".eqrun")
    throw badInput(options.result + ": expected a result of the lab (.json), found a " +
                   (isFolder ? "folder; draw its runs" : "run file; draw it") +
                   " with --run " + options.result + " --kind overview");
  const LabResult result = readLabResult(options.result);
  return options.panel == 0 ? labFigure(result) : labFigure(result, options.panel);
}

Figure figureOf(const FigureOptions& options) {
  Figure figure =
      options.result.empty() ? figureOfRuns(options) : figureOfResult(options);
  setLimits(figure, options.limits);
  return figure;
}

/// @returns DrawnFigure::remark
QString writeToStandardOutput(const Figure& figure, const FigureStyle& style,
                              FigureFormat format) {
  const DrawnFigure drawn = drawnFigure(figure, style, format);
  std::cout.write(drawn.bytes.constData(), drawn.bytes.size()).flush();
  if (!std::cout)
    throw outputFailed("the figure could not be written to standard output");
  return drawn.remark;
}

void checkFormat(const FigureOptions& options) {
  const bool streams = meansStandardOutput(options.out);
  if (streams && options.format.empty())
    throw CLI::ValidationError(
        "--out",
        "- is standard output, which has no file ending; add --format pdf, "
        "svg, png or tex");
  if (!streams && !options.format.empty())
    throw CLI::ValidationError(
        "--format",
        "needs --out -; otherwise the ending of the file's name sets the format");
}

/// @throws CLI::ValidationError for an option that does not change figures of the chosen
/// kind or, if a result of the lab is drawn, figures of results.
void checkChoices(const CLI::App& figure, const FigureOptions& options) {
  constexpr std::pair<const char*, FigureOption> kChoices[] = {
      {"--step", FigureOption::Step},
      {"--relative", FigureOption::Measure},
      {"--group", FigureOption::Grouping},
      {"--spaces", FigureOption::Spaces},
      {"--panels", FigureOption::Parts},
      {"--map-step", FigureOption::MapStep},
      {"--map-colours", FigureOption::MapColours},
      {"--map-limit", FigureOption::MapLimit},
      {"--no-legend", FigureOption::Legend},
      {"--legend", FigureOption::Legend},
      {"--shared-legend", FigureOption::Legend}};
  const bool ofRuns = options.result.empty();
  const std::string kind(name(options.kind));
  for (const auto& [option, choice] : kChoices) {
    const bool changesResults = choice == FigureOption::Legend;
    const bool changes = ofRuns ? hasOption(options.kind, choice) : changesResults;
    if (figure.count(option) == 0 || changes) continue;
    throw CLI::ValidationError(
        option, "changes figures of the kind " + kindsWith(choice) + ", but " +
                    (ofRuns ? "this one is " + kind : "this one is a result of the lab") +
                    "; leave the option out" +
                    (ofRuns ? ", or choose another --kind" : ""));
  }
  if (!ofRuns && !options.names.empty())
    throw CLI::ValidationError(
        "--name", "names runs, but this figure is a result of the lab; leave it out");
}

/// A sentence about the given options that do not change a .tex file; empty: none.
std::string unusedByTex(const CLI::App& figure) {
  std::string unused;
  for (const char* option : {"--font", "--family", "--dpi", "--no-legend", "--legend",
                             "--shared-legend", "--letters", "--title"})
    if (figure.count(option) > 0)
      unused += (unused.empty() ? "" : ", ") + std::string(option);
  if (unused.empty()) return {};
  return "In pgfplots (.tex) the document sets the font, headings and legends cannot be "
         "changed, and there are no pixels, so " +
         unused + " changed nothing.";
}

/// @throws Error{BadInput} if the file of the figure's values (numbersFileOf) would
/// overwrite the lab result from which the figure is drawn.
void requireOtherThanResult(const FigureOptions& options,
                            const std::filesystem::path& out) {
  std::error_code unknown;
  if (!std::filesystem::equivalent(numbersFileOf(out), options.result, unknown)) return;
  std::filesystem::path other = out;
  other.replace_filename(out.stem().string() + "-figure" + out.extension().string());
  throw badInput(options.result + " is the result to be drawn, and with --out " +
                 out.string() +
                 " the file of the figure's values would overwrite it; choose another "
                 "name, such as " +
                 other.string());
}

void draw(FigureOptions options, const CLI::App& command) {
  options.style.family = QString::fromStdString(options.family);
  requireFont(options.style.family);
  const bool streams = meansStandardOutput(options.out);
  const std::filesystem::path out(streams ? "figure." + options.format : options.out);
  const auto format = figureFormatOf(out);
  if (!format)
    throw badInput(options.out +
                   ": expected a name that ends in .pdf, .svg, .png or .tex");
  if (!streams) {
    requireOwnFigure(out);
    requireOtherThanResult(options, out);
  }
  const Figure figure = figureOf(options);
  if (options.width.empty())
    options.style.width = isWide(figure) ? kDoubleColumn : kSingleColumn;
  const QString remark = streams ? writeToStandardOutput(figure, options.style, *format)
                                 : writeFigure(figure, options.style, out);
  std::ostream& messages = streams ? std::cerr : std::cout;
  if (!streams)
    messages << "wrote " << out.string() << " and " << numbersFileOf(out).string()
             << "\n";
  if (!remark.isEmpty()) messages << remark.toStdString() << "\n";
  if (const std::string unused = unusedByTex(command);
      format == FigureFormat::Tex && !unused.empty())
    messages << unused << "\n";
}

}  // namespace

usage::CommandEntry figureEntry() {
  CLI::App program("", "equipatch");
  FigureOptions options;
  return usage::commandOf(*addFigure(program, options));
}

int drawFigure(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  int onlyName = 1;  // Qt would take --name and --title for its own options
  WindowApplication application(onlyName, argv);
  CLI::App program("Draws recorded runs and experiments", "equipatch");
  usage::formatHelp(program);
  FigureOptions options;
  addFigure(program, options);
  usage::refuseEmptyPaths(program);
  program.require_subcommand(1);
  try {
    program.parse(argc, argv);
    if (options.result.empty() && options.runs.empty())
      throw CLI::RequiredError("RESULT, or --run and --kind,");
    checkFormat(options);
    checkChoices(*program.get_subcommand("figure"), options);
    if (!options.width.empty()) setWidth(options.width, options.style);
    draw(options, *program.get_subcommand("figure"));
    return 0;
  } catch (const CLI::ParseError& error) {
    const bool isHelp = error.get_exit_code() == 0;  // --help
    if (!isHelp)
      return usage::printError(usage::misuseOf(program, error, argc, argv), kExitMisused);
    program.exit(error);  // prints the help
    if (std::cout.flush()) return 0;
    return usage::printError(outputFailed("the help could not be written").what(),
                             kExitFailed);
  } catch (...) {
    return usage::printError(currentError("equipatch figure").what(), kExitFailed);
  }
}

}  // namespace equipatch
