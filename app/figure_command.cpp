// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figure_command.h"

#include <CLI/CLI.hpp>
#include <QGuiApplication>
#include <iostream>

#include "app/application.h"
#include "app/usage/help.h"
#include "app/usage/misuse.h"
#include "app/usage/number_checks.h"
#include "app/usage/program_table.h"
#include "core/base/error.h"
#include "core/base/write_failure.h"
#include "core/figure/figure_kind.h"
#include "core/figure/lab_figure.h"
#include "core/record/export/output_file.h"
#include "core/record/lab_result.h"
#include "ui/figure/figure_file.h"

namespace equipatch {
namespace {

struct Options {
  std::string result;  ///< file of a lab result; empty: a figure of runs
  int panel = 0;       ///< of the result, from 1; 0: all panels
  std::vector<std::string> runs;
  std::vector<std::string> names;
  FigureKind kind = FigureKind::ByToken;
  std::string out;
  std::string format;  ///< empty: by the suffix of `out`
  FigureStyle style;
  std::string family;
  std::string width;
  FigureChoice choice;
};

void setKind(const std::string& text, Options& options) {
  const auto kind = figureKindFromName(text);
  if (!kind)
    throw CLI::ValidationError("--kind",
                               "expected generation, accuracy, patch-norms, "
                               "scale-heatmap, layer-error, overview or image, but \"" +
                                   text + "\" was given");
  options.kind = *kind;
}

/// True if the figure has panels side by side.
bool isWide(const Options& options) {
  return options.result.empty() ? isWide(options.kind) : options.panel == 0;
}

/// "single", "double", "slide" or inches.
void setWidth(const std::string& text, FigureStyle& style) {
  if (text == "single") {
    style.width = kSingleColumn;
  } else if (text == "double") {
    style.width = kDoubleColumn;
  } else if (text == "slide") {
    style.width = kSlideWidth;
    if (style.height == 0.0) style.height = kSlideHeight;
  } else {
    double width = 0.0;
    if (!CLI::detail::lexical_cast(text, width) || width < kLeastSize ||
        width > kLargestSize)
      throw CLI::ValidationError(
          "--width", "expected single, double, slide or inches from 1 to 40, but \"" +
                         text + "\" was given");
    style.width = width;
  }
}

/// Which of the words was given. @throws CLI::ValidationError naming the option.
template <typename Choice>
Choice chosenWord(const std::string& option, const std::string& text,
                  const std::vector<std::pair<std::string, Choice>>& words) {
  std::string all;
  for (const auto& [word, choice] : words) {
    if (word == text) return choice;
    all += (all.empty() ? "" : ", ") + word;
  }
  throw CLI::ValidationError(
      option, "expected one of " + all + ", but \"" + text + "\" was given");
}

void addLegend(CLI::App& program, FigureStyle& style) {
  program.add_flag("!--no-legend", style.legend, "leave out the legend");
  program
      .add_option_function<std::string>(
          "--legend",
          [&style](const std::string& text) {
            style.legendPlace = chosenWord<LegendPlace>("--legend", text,
                                                        {{"above", LegendPlace::Above},
                                                         {"below", LegendPlace::Below},
                                                         {"right", LegendPlace::Right}});
          },
          "place of the legend: above (the default), below or right")
      ->type_name("{above,below,right}");
  program.add_flag("--shared-legend", style.sharedLegend,
                   "one legend for all panels, each name once");
}

void addStyle(CLI::App& program, Options& options) {
  FigureStyle& style = options.style;
  program
      .add_option("--width", options.width,
                  "inches, or single (3.25), double (6.75), slide (10 × 5.63); single "
                  "unless panels stand side by side")
      ->type_name("WIDTH");
  program.add_option("--height", style.height, "inches; by default what the panels need")
      ->check(usage::between(kLeastSize, kLargestSize))
      ->type_name("INCHES");
  program.add_option("--font", style.fontSize, "font size in points")
      ->check(usage::between(kLeastType, kLargestType))
      ->type_name("POINTS")
      ->capture_default_str();
  program.add_option("--family", options.family, "font family")
      ->type_name("NAME")
      ->default_str("DejaVu Sans");
  program.add_option("--dpi", style.dpi, "resolution of a PNG")
      ->check(usage::wholeNumber(36, 2400))
      ->capture_default_str();
  addLegend(program, style);
  program.add_flag("--letters", style.letters, "(a), (b), … before the panels");
  program.add_flag("--title", style.title, "draw the figure's title");
}

/// The placeholder of --kind: "{generation,…}".
std::string kindNames() {
  std::string names;
  for (int kind = 0; kind < kFigureKinds; ++kind)
    names +=
        (names.empty() ? "" : ",") + std::string(name(static_cast<FigureKind>(kind)));
  return "{" + names + "}";
}

/// The source of the figure: a lab result, or runs and a kind of figure.
void addSource(CLI::App& program, Options& options) {
  auto* result = program
                     .add_option("RESULT", options.result,
                                 "a result file that `equipatch-cli lab --out` wrote")
                     ->type_name("F.json");
  program
      .add_option("--panel", options.panel, "one of the result's figures instead of all")
      ->type_name("NUMBER")
      ->check(CLI::PositiveNumber)
      ->needs(result);
  auto* runs =
      program
          .add_option("--run", options.runs,
                      "a run file, or a folder of them; may be given several times")
          ->type_name("RUN.eqrun");
  auto* kind =
      program
          .add_option_function<std::string>(
              "--kind", [&options](const std::string& text) { setKind(text, options); },
              "the kind of figure of the runs")
          ->type_name(kindNames());
  runs->needs(kind)->excludes(result);
  kind->needs(runs);
}

OverviewPart overviewPartOf(const std::string& word) {
  return chosenWord<OverviewPart>("--panels", word,
                                  {{"tokens", OverviewPart::Tokens},
                                   {"patch", OverviewPart::PatchSizes},
                                   {"error", OverviewPart::HiddenErrors},
                                   {"map", OverviewPart::ScaleMap}});
}

void addMap(CLI::App& program, FigureChoice& choice) {
  program
      .add_option_function<std::int64_t>(
          "--map-step",
          [&choice](std::int64_t step) { choice.mapStep = StepIndex(step); },
          "scale-heatmap, overview: the step whose Δm is drawn; by default that of "
          "--step, or the first")
      ->check(CLI::NonNegativeNumber)
      ->type_name("K");
  program
      .add_option_function<std::string>(
          "--map-colours",
          [&choice](const std::string& text) {
            choice.logarithmicMap = chosenWord<bool>("--map-colours", text,
                                                     {{"log", true}, {"linear", false}});
          },
          "scale-heatmap, overview: colours by the symmetric logarithm (the default), "
          "which shows small values beside large ones, or by the value")
      ->type_name("{log,linear}");
  program
      .add_option("--map-limit", choice.mapLimit,
                  "scale-heatmap, overview: the value at the end of the map's colours; "
                  "by default the run's largest")
      ->check(CLI::PositiveNumber)
      ->type_name("NUMBER");
}

void addChoices(CLI::App& program, FigureChoice& choice) {
  program
      .add_option_function<std::string>(
          "--group",
          [&choice](const std::string& text) {
            choice.grouping =
                chosenWord<RunGrouping>("--group", text,
                                        {{"each", RunGrouping::Each},
                                         {"settings", RunGrouping::Settings},
                                         {"all", RunGrouping::All}});
          },
          "generation, overview: a curve for each run, or by step the median and a 10 to "
          "90 % band of the runs with equal settings, or of all runs")
      ->type_name("{each,settings,all}");
  addMap(program, choice);
  program.add_flag_callback(
      "--spaces", [&choice] { choice.spaces = TokenSpaces::Visible; },
      "generation, overview: show the space at the beginning of a token as ·");
  program
      .add_option_function<std::vector<std::string>>(
          "--panels",
          [&choice](const std::vector<std::string>& words) {
            for (const std::string& word : words)
              choice.parts.push_back(overviewPartOf(word));
          },
          "overview: these panels only")
      ->delimiter(',')
      ->type_name("{tokens,patch,error,map}");
}

void addContent(CLI::App& program, Options& options) {
  addSource(program, options);
  program.add_option(
      "--name", options.names,
      "a run's name in legends, given once for each run; by default the settings in "
      "which the runs differ");
  program
      .add_option("--out", options.out,
                  "F.pdf, F.svg, F.png or F.tex; F.json is "
                  "written beside it; - with --format for standard output, the figure "
                  "alone")
      ->type_name("FILE")
      ->required();
  program.add_option("--format", options.format, "with --out -: pdf, svg, png or tex")
      ->check(CLI::IsMember({"pdf", "svg", "png", "tex"}));
  program
      .add_option_function<std::int64_t>(
          "--step",
          [&options](std::int64_t step) { options.choice.step = StepIndex(step); },
          "patch-norms, layer-error, scale-heatmap, overview: one step instead of all; "
          "for maps instead of the first")
      ->check(CLI::NonNegativeNumber);
  program.add_flag_callback(
      "--relative", [&options] { options.choice.measure = PatchMeasure::Relative; },
      "patch-norms, overview: ‖ΔW‖ / ‖W‖ instead of ‖ΔW‖");
  addChoices(program, options.choice);
}

CLI::App* addFigure(CLI::App& program, Options& options) {
  CLI::App* figure = program.add_subcommand(
      "figure", "Draw recorded runs, or an experiment's result, into a file");
  addContent(*figure, options);
  addStyle(*figure, options);
  return figure;
}

void rename(std::vector<FigureRun>& runs, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (names.size() != runs.size())
    throw badInput("expected a --name for each of the " + std::to_string(runs.size()) +
                   " runs, but " + std::to_string(names.size()) + " were given");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].name = names[i];
    runs[i].named = true;
  }
}

Figure figureOfRuns(const Options& options) {
  SilentProgress progress;
  std::vector<FigureRun> runs =
      readFigureRuns({options.runs.begin(), options.runs.end()}, options.kind, progress);
  rename(runs, options.names);
  return makeFigure(options.kind, runs, options.choice);
}

Figure figureOfResult(const Options& options) {
  if (std::filesystem::path(options.result).extension() == ".eqrun")
    throw badInput(options.result +
                   ": expected a result of the lab (.json), found a run file; draw one "
                   "with --run " +
                   options.result + " --kind overview");
  const LabResult result = readLabResult(options.result);
  return options.panel == 0 ? labFigure(result) : labFigure(result, options.panel);
}

Figure figureOf(const Options& options) {
  return options.result.empty() ? figureOfRuns(options) : figureOfResult(options);
}

/// Writes the figure alone, without its table of values.
void drawToStandardOutput(const Options& options) {
  const QByteArray bytes = drawnFigure(figureOf(options), options.style,
                                       *figureFormatOf("figure." + options.format))
                               .bytes;
  std::cout.write(bytes.constData(), bytes.size()).flush();
  if (!std::cout)
    throw outputFailed("the figure could not be written to standard output");
}

void checkFormat(const Options& options) {
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

/// Refuses options that would not change the figure.
void checkChoices(const CLI::App& figure, const Options& options) {
  constexpr std::pair<const char*, FigureOption> kChoices[] = {
      {"--step", FigureOption::Step},
      {"--relative", FigureOption::Measure},
      {"--group", FigureOption::Grouping},
      {"--spaces", FigureOption::Spaces},
      {"--panels", FigureOption::Parts},
      {"--map-step", FigureOption::MapStep},
      {"--map-colours", FigureOption::MapColours},
      {"--map-limit", FigureOption::MapLimit}};
  const bool ofRuns = options.result.empty();
  const std::string kind(name(options.kind));
  for (const auto& [option, choice] : kChoices) {
    if (figure.count(option) == 0 || (ofRuns && hasOption(options.kind, choice)))
      continue;
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

void draw(Options options) {
  options.style.family = QString::fromStdString(options.family);
  requireFont(options.style.family);
  if (meansStandardOutput(options.out)) return drawToStandardOutput(options);
  const std::filesystem::path out(options.out);
  if (!figureFormatOf(out))
    throw badInput(options.out +
                   ": expected a name that ends in .pdf, .svg, .png or .tex");
  const Figure figure = figureOf(options);
  const QString remark = writeFigure(figure, options.style, out);
  std::cout << "wrote " << out.string() << " and " << numbersFileOf(out).string() << "\n";
  if (!remark.isEmpty()) std::cout << remark.toStdString() << "\n";
}

}  // namespace

usage::CommandEntry figureEntry() {
  CLI::App program("", "equipatch");
  Options options;
  return usage::commandOf(*addFigure(program, options));
}

int drawFigure(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  WindowApplication application(argc, argv);
  CLI::App program("Draws recorded runs and experiments", "equipatch");
  usage::formatHelp(program);
  Options options;
  addFigure(program, options);
  usage::refuseEmptyPaths(program);
  program.require_subcommand(1);
  try {
    program.parse(argc, argv);
    if (options.result.empty() && options.runs.empty())
      throw CLI::RequiredError("RESULT, or --run and --kind,");
    checkFormat(options);
    checkChoices(*program.get_subcommand("figure"), options);
    if (options.width.empty()) options.width = isWide(options) ? "double" : "single";
    setWidth(options.width, options.style);
    draw(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    const bool isHelp = error.get_exit_code() == 0;  // --help
    return isHelp ? program.exit(error)
                  : usage::printError(usage::misuseOf(program, error, argc, argv),
                                      kExitMisused);
  } catch (const Error& error) {
    return usage::printError(error.what(), kExitFailed);
  }
}

}  // namespace equipatch
