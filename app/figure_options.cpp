// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figure_options.h"

#include <limits>

#include "app/usage/number_checks.h"
#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::int64_t kMost = std::int64_t(1) << 32;  // of --step and --map-step

/// Separated by commas.
std::string kindNames() {
  std::string names;
  for (int kind = 0; kind < kFigureKinds; ++kind)
    names +=
        (names.empty() ? "" : ",") + std::string(name(static_cast<FigureKind>(kind)));
  return names;
}

/// @throws CLI::ValidationError
void setKind(const std::string& text, FigureOptions& options) {
  const auto kind = figureKindFromName(text);
  if (!kind)
    throw CLI::ValidationError(
        "--kind", "expected one of " + kindNames() + ", but \"" + text + "\" was given");
  options.kind = *kind;
}

/// The choice whose word is `text`. @throws CLI::ValidationError naming the option.
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

void addStyle(CLI::App& program, FigureOptions& options) {
  FigureStyle& style = options.style;
  program
      .add_option("--width", options.width,
                  "inches, or single (3.25), double (6.75), slide (10 × 5.63); by "
                  "default double if panels stand side by side, else single")
      ->type_name("WIDTH");
  program.add_option("--height", style.height, "inches; by default what the panels need")
      ->check(usage::between(kMinSize, kMaxSize))
      ->type_name("INCHES");
  program.add_option("--font", style.fontSize, "font size in points")
      ->check(usage::between(kMinFontSize, kMaxFontSize))
      ->type_name("POINTS")
      ->capture_default_str();
  program.add_option("--family", options.family, "font family")
      ->type_name("NAME")
      ->default_str("DejaVu Sans");
  program.add_option("--dpi", style.dpi, "resolution of a PNG")
      ->transform(usage::wholeNumber(36, 2400))
      ->capture_default_str();
  addLegend(program, style);
  program.add_flag("--letters", style.letters, "(a), (b), … before the headings");
  program.add_flag("--title", style.title, "draw the figure's title");
}

/// The source of the figure: a lab result, or runs and a kind of figure.
void addSource(CLI::App& program, FigureOptions& options) {
  auto* result = program
                     .add_option("RESULT", options.result,
                                 "a result file that `equipatch-cli lab --out` wrote")
                     ->type_name("F.json");
  program
      .add_option("--panel", options.panel, "one of the result's panels instead of all")
      ->type_name("NUMBER")
      ->transform(usage::wholeNumber(1, std::numeric_limits<int>::max()))
      ->needs(result);
  auto* runs =
      program
          .add_option("--run", options.runs,
                      "a run file, or a folder of them; for several: --run A.eqrun "
                      "B.eqrun")
          ->type_name("RUN.eqrun");
  auto* kind =
      program
          .add_option_function<std::string>(
              "--kind", [&options](const std::string& text) { setKind(text, options); },
              "the kind of figure of the runs")
          ->type_name("{" + kindNames() + "}");
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
          "scale-heatmap, overview: the step whose Δm is drawn; by default the "
          "step of --step, or else the first step")
      ->transform(usage::wholeNumber(0, kMost))
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
      ->check(usage::positive())
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
          "generation, layer-error, overview: a curve for each run, or the median and a "
          "10 to 90 % band of the runs with equal settings, or of all runs")
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

/// @throws CLI::ValidationError
void addLimits(const std::string& text, FigureOptions& options) {
  try {
    const std::vector<AxisLimits> limits = parseAxisLimits(text);
    options.limits.insert(options.limits.end(), limits.begin(), limits.end());
  } catch (const Error& error) {
    throw CLI::ValidationError("--limits", error.what());
  }
}

void addContent(CLI::App& program, FigureOptions& options) {
  addSource(program, options);
  program.add_option(
      "--name", options.names,
      "a run's name in legends, given once for each run; by default the settings in "
      "which the runs differ");
  program
      .add_option("--out", options.out,
                  "F.pdf, F.svg, F.png or F.tex; F.json, with the figure's values, is "
                  "written beside it; with --format, - writes only the figure, to "
                  "standard output")
      ->type_name("FILE")
      ->required();
  program.add_option("--format", options.format, "with --out -: pdf, svg, png or tex")
      ->check(CLI::IsMember({"pdf", "svg", "png", "tex"}));
  program
      .add_option_function<std::int64_t>(
          "--step",
          [&options](std::int64_t step) { options.choice.step = StepIndex(step); },
          "patch-norms, layer-error, scale-heatmap, overview: draw this step only; "
          "without this option all steps, but in maps only the first")
      ->transform(usage::wholeNumber(0, kMost))
      ->type_name("K");
  program.add_flag_callback(
      "--relative", [&options] { options.choice.measure = PatchMeasure::Relative; },
      "patch-norms, overview: ‖ΔW‖ / ‖W‖ instead of ‖ΔW‖");
  addChoices(program, options.choice);
  program
      .add_option_function<std::vector<std::string>>(
          "--limits",
          [&options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) addLimits(text, options);
          },
          "the range LOW:HIGH of some axes: y=1e-6:10, step=0:30; an axis is x, y, right "
          "or the beginning of its label (linf for L∞); may be given several times")
      ->allow_extra_args(false)
      ->type_name("AXIS=RANGE");  // a colon would end it (program_table.cpp, valueOf)
}

}  // namespace

CLI::App* addFigure(CLI::App& program, FigureOptions& options) {
  CLI::App* figure = program.add_subcommand(
      "figure", "Draw recorded runs, or an experiment's result, into a file");
  addContent(*figure, options);
  addStyle(*figure, options);
  return figure;
}

}  // namespace equipatch
