// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/run_names.h"

#include <numeric>

#include "core/record/run_request.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;
using equipatch::test::makeHeader;

namespace {

template <typename Change>
std::shared_ptr<const RunHeader> headerWith(Change change) {
  auto header = std::make_shared<RunHeader>(*makeHeader());
  change(*header);
  return header;
}

FigureRun runWithText() {
  FigureRun run = figureRun({}, 6);
  run.header = headerWith([](RunHeader& h) {
    h.request.promptText = "Meow";
    h.request.prompt = {{.id = TokenId(1), .span = {0, 4}}};
  });
  return run;
}

TokenId idOf(const std::string& text) {
  return TokenId(std::accumulate(
      text.begin(), text.end(), std::int64_t{0},
      [](std::int64_t id, char letter) { return (31 * id + letter) & 0xffff; }));
}

std::shared_ptr<const RunHeader> withPrompt(const std::string& text) {
  return headerWith([&](RunHeader& h) {
    h.request.promptText = text;
    h.request.prompt = {{.id = idOf(text), .span = {0, text.size()}}};
  });
}

/// A branch that keeps the first `before` steps of `run` and continues with `token`.
FigureRun branchOf(const FigureRun& run, int before, const std::string& token) {
  FigureRun branch = figureRun({}, 3);
  auto header = std::make_shared<RunHeader>(*run.header);
  header->request = branchedRequest(run.header->request,
                                    {run.steps.begin(), run.steps.begin() + before},
                                    {TokenId(900 + before), token, 0.0, 0.1});
  branch.header = header;
  return branch;
}

std::vector<std::string> namesIn(std::vector<FigureRun> runs,
                                 const std::vector<FigureRun>& known = {}) {
  nameRuns(runs, known);
  std::vector<std::string> names;
  for (const FigureRun& run : runs) names.push_back(run.name);
  return names;
}

std::vector<std::string> namesOf(const RunHeaders& headers,
                                 const std::vector<int>& numbers = {}) {
  std::vector<FigureRun> runs;
  for (std::size_t i = 0; i < headers.size(); ++i)
    runs.push_back({.name = {},
                    .header = headers[i],
                    .steps = {},
                    .number = numbers.empty() ? 0 : numbers[i]});
  return namesIn(runs);
}

}  // namespace

class tst_run_names : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void precisionNamesOmitUsualSettings() {
    QCOMPARE(precisionName(*makeHeader()), std::string("bfloat16 balanced closed"));
    const auto half = headerWith([](RunHeader& h) { h.request.strength.alpha = 0.5; });
    QCOMPARE(precisionName(*half), std::string("bfloat16 balanced closed α = 0.5"));
  }

  void listedNamesAreTheUsersOrTheSettings() {
    CatalogueRun run{.file = "a.eqrun", .problem = {}, .labels = {}};
    QCOMPARE(listedSettings(run), std::string());
    QCOMPARE(listedName(run), std::string());
    run.header = makeHeader();
    QCOMPARE(listedName(run), std::string("bfloat16 balanced closed"));
    run.labels.name = "Lina";
    QCOMPARE(listedName(run), std::string("Lina"));
    QCOMPARE(listedSettings(run), std::string("bfloat16 balanced closed"));
    run.absorbed = "absorbs “The … sea.”";
    run.branch = "branch at step 4: snow";
    run.header = headerWith([](RunHeader& h) {
      h.request.sampling.temperature = 0.9;
      h.request.sampling.seed = 4;
    });
    QCOMPARE(listedSettings(run),
             std::string("bfloat16 balanced closed absorbs “The … sea.” branch at step "
                         "4: snow temperature 0.9 seed 4"));
  }

  void onlyDifferencesAreNamed() {
    const auto open = headerWith([](RunHeader& h) { h.request.patch.loop = Loop::Open; });
    const auto direct = headerWith([](RunHeader& h) {
      h.request.patch = {Method::Direct, Loop::Open, Application::Factored};
    });
    QCOMPARE(namesOf({open, direct}), (std::vector<std::string>{"balanced", "direct"}));
    QCOMPARE(namesOf({makeHeader(), direct}),
             (std::vector<std::string>{"balanced closed", "direct open"}));
  }

  void everyDifferenceIsNamed() {
    const auto with = [](DType dtype, Method method, Loop loop) {
      return headerWith([=](RunHeader& h) {
        h.dtype = dtype;
        h.request.patch = {method, loop, Application::Factored};
      });
    };
    const auto float32 = with(DType::F32, Method::Balanced, Loop::Closed);
    const auto stableOpen = with(DType::BF16, Method::Stable, Loop::Open);
    const auto stable = with(DType::BF16, Method::Stable, Loop::Closed);
    const auto direct = with(DType::BF16, Method::Direct, Loop::Open);
    const std::vector<std::string> all = {
        "float32 balanced closed", "bfloat16 stable open", "bfloat16 stable closed",
        "bfloat16 direct open"};
    QCOMPARE(namesOf({float32, stableOpen, stable, direct}), all);
    QCOMPARE(settingNamesOf({float32, stableOpen, stable, direct}), all);
    FigureRun first = figureRun({}, 2), second = figureRun({}, 2);
    first.header = float32;
    second.header = direct;
    QCOMPARE(namesIn({first, second}), (std::vector<std::string>{all[0], all[3]}));
  }

  void extrasAreNamedButAbsentFromSettingsKeys() {
    const auto base = makeHeader();
    const auto noise = headerWith([](RunHeader& h) { h.request.measureNoise = true; });
    const auto more = headerWith([](RunHeader& h) {
      h.request.audit = h.request.ignoreEndOfSequence = true;
      h.request.bare = false;
    });
    QCOMPARE(settingNamesOf({base, noise, more}),
             (std::vector<std::string>{
                 precisionName(*base), precisionName(*base) + " noise floor",
                 precisionName(*base) + " audit no bare pass ignores the end"}));
    QCOMPARE(settingsKey(*base), settingsKey(*noise));  // such runs may be pooled
  }

  void patchedLayersAreNamed() {
    const auto patching = [](std::vector<std::int64_t> layers, double alpha) {
      return headerWith([&](RunHeader& h) {
        h.request.strength = {.alpha = alpha, .layers = std::move(layers)};
      });
    };
    const RunHeaders runs{patching({0, 1, 2, 3}, 0.5), patching({4}, 0.5)};
    QCOMPARE(namesOf(runs),
             (std::vector<std::string>{"α = 0.5 layers 0–3", "α = 0.5 layer 4"}));
    const auto shared = sharedSettings({runs[0]});
    QVERIFY(std::ranges::count(shared, "α = 0.5, layers 0–3") == 1);
  }

  void groupsHaveNoPromptsInTheirNames() {
    const auto prompt = [](const char* model, const char* text) {
      return headerWith([=](RunHeader& h) {
        h.modelName = model;
        h.request.promptText = text;
      });
    };
    QCOMPARE(settingNamesOf({prompt("small", "Hello"), prompt("large", "Mars")}),
             (std::vector<std::string>{"small", "large"}));
    QCOMPARE(namesOf({prompt("small", "Hello"), prompt("large", "Mars")}),
             (std::vector<std::string>{"small “Hello”", "large “Mars”"}));
    QCOMPARE(settingNamesOf({makeHeader()}),
             std::vector<std::string>{"bfloat16 balanced closed"});
  }

  void equalNamesByTheUserAreNumbered() {
    FigureRun mine = figureRun("mine", 2), other = figureRun("earlier", 2);
    mine.own = "mine";
    other = test::computedBy(other, DType::F32, {Method::Direct, Loop::Open});
    QCOMPARE(namesIn({mine, other}),
             (std::vector<std::string>{"mine", "float32 direct open"}));
    FigureRun same = test::computedBy(mine, DType::F32, {Method::Stable, Loop::Open});
    QCOMPARE(namesIn({mine, other, same}),
             (std::vector<std::string>{"mine #1", "float32 direct open", "mine #2"}));
    other.own = "mine #2";
    QCOMPARE(namesIn({mine, other, same}),
             (std::vector<std::string>{"mine #1", "mine #2", "mine #3"}));
  }

  void branchesAreNamedByStepAndToken() {
    const FigureRun run = runWithText();
    const FigureRun snow = branchOf(run, 4, "snow"), sun = branchOf(run, 5, "sunshine");
    QCOMPARE(namesIn({run, snow, sun}),
             (std::vector<std::string>{"original", "step 4: snow", "step 5: sunshine"}));
    // The parent is known, but not shown.
    QCOMPARE(namesIn({snow, sun}, {run}),
             (std::vector<std::string>{"step 4: snow", "step 5: sunshine"}));
    QCOMPARE(namesIn({run, snow, branchOf(snow, 1, "rain")})[2],
             std::string("step 4: snow, step 6: rain"));
    const FigureRun single = test::computedBy(
        snow, DType::F32, {Method::Balanced, Loop::Closed, Application::Factored});
    QCOMPARE(namesIn({run, single}),
             (std::vector<std::string>{"bfloat16", "float32 step 4: snow"}));
    QCOMPARE(namesIn({snow}), std::vector<std::string>{"bfloat16 balanced closed"});
    const FigureRun ids = figureRun({}, 3);
    QCOMPARE(namesIn({ids, branchOf(ids, 1, "")})[1], std::string("step 1: id 901"));
    const std::vector<FigureRun> runs{run, branchOf(run, 2, " else")};
    QCOMPARE(branchNames(runs), (std::vector<std::string>{"", "step 2: else"}));
  }

  void differentPromptsHaveDifferentNames() {
    const auto prompt = &withPrompt;
    const std::string cat = "A forecast by a cat.",
                      grumpy = " Meow, as a grumpy cat I say";
    QCOMPARE(namesOf({prompt(cat), prompt(cat + grumpy + " snow"),
                      prompt(cat + grumpy + " sunshine")}),
             (std::vector<std::string>{"“…cat.”", "“…snow”", "“…sunshine”"}));
    // The same questions about different texts.
    const std::string long1 = "Anna lives in Paris and has a cat. ",
                      long2 = "Tom lives in Rome and has two dogs. ";
    QCOMPARE(
        namesOf({prompt(long1 + "Who is she?"), prompt(long1 + "Where?"),
                 prompt(long2 + "Who is he?"), prompt(long2 + "Where?")}),
        (std::vector<std::string>{"“…Who is she?”", "“Anna lives in Paris and…Where?”",
                                  "“…Who is he?”", "“Tom lives in Rome and…Where?”"}));
    const std::string word(40, 'a');
    QCOMPARE(namesOf({prompt("b"), prompt(word + "c"), prompt(word + "d")}),
             (std::vector<std::string>{"“b”", "“…c”", "“…d”"}));
    // Prompts are cut between words if possible.
    QCOMPARE(namesOf({prompt("b"), prompt("Give a one-sentence weather forecast")})[1],
             std::string("“Give a one-sentence…”"));
    auto part = std::make_shared<RunHeader>(*prompt("so it is"));
    part->request.prompt = {{.span = {0, 2}}, {.span = {2, 5}}, {.span = {5, 8}}};
    part->request.absorbed = {.keptPrompt = {{1, 2}}, .keepsGenerated = true};
    QCOMPARE(namesOf({part, prompt("b")})[0], std::string("absorbs “so” of “so it is”"));
    // A line feed and a carriage return are both shown as ↵.
    QCOMPARE(namesOf({prompt("a\nb"), prompt("a\rb"), prompt("c")}),
             (std::vector<std::string>{"“…↵b” #1", "“…↵b” #2", "“c”"}));
    QCOMPARE(namesOf({prompt("a\nb"), prompt("a\rb"), prompt("c\nb"), prompt("c\rb")}),
             (std::vector<std::string>{"“a↵b” #1", "“a↵b” #2", "“c↵b” #1", "“c↵b” #2"}));
    QCOMPARE(namesOf({prompt(word + "\x01"), prompt(word + "\x02")})[1],
             std::string("bfloat16 balanced closed #2"));
  }

  void keptAndAbsorbedPartsAreNamedByTheirWords() {
    const auto keeping = [](std::vector<PositionRange> kept, bool generated) {
      return headerWith([&](RunHeader& h) {
        h.request.promptText = "a forecast for Mars";
        h.request.prompt = {
            {.span = {0, 1}}, {.span = {1, 10}}, {.span = {10, 14}}, {.span = {14, 19}}};
        h.request.absorbed = {.keptPrompt = kept, .keepsGenerated = generated};
      });
    };
    QCOMPARE(namesOf({keeping({}, false), keeping({{2, 2}}, false),
                      keeping({{0, 0}, {2, 3}}, true), keeping({}, true)}),
             (std::vector<std::string>{"absorbs all", "keeps “for”", "absorbs “forecast”",
                                       "absorbs the prompt"}));
    auto single = std::make_shared<RunHeader>(*keeping({}, false));
    single->dtype = DType::F32;
    QCOMPARE(namesOf({keeping({}, false), keeping({{2, 2}}, false), single}),
             (std::vector<std::string>{"bfloat16 absorbs all", "bfloat16 keeps “for”",
                                       "float32 absorbs all"}));
  }

  void equalWordsAreToldApartByPosition() {
    const auto absorbing = [](std::vector<PositionRange> kept) {
      return headerWith([&](RunHeader& h) {
        h.request.promptText = "so so";
        h.request.prompt = {{.span = {0, 2}}, {.span = {2, 5}}};
        h.request.absorbed = {.keptPrompt = std::move(kept), .keepsGenerated = true};
      });
    };
    QCOMPARE(
        namesOf({absorbing({{1, 1}}), absorbing({{0, 0}})}),
        (std::vector<std::string>{"absorbs “so”, token 0", "absorbs “so”, token 1"}));
    const auto shared = sharedSettings({absorbing({{1, 1}}), absorbing({{0, 0}})});
    QVERIFY(std::ranges::count(shared, "absorbs “so”") == 0);
  }

  void anImageIsNamedByItsFile() {
    const auto run = [](const std::string& question, std::vector<PositionRange> kept) {
      return headerWith([&](RunHeader& h) {
        h.request.promptText = "<b><i><i><e>" + question;
        const std::size_t end = h.request.promptText.size();
        h.request.prompt = {{.span = {0, 3}, .special = true},
                            {.span = {3, 6}},
                            {.span = {6, 9}},
                            {.span = {9, 12}, .special = true},
                            {.id = idOf(question), .span = {12, end}}};
        h.request.images = {{.picture = std::make_shared<const PictureFile>(PictureFile{
                                 .name = "cat.png", .sha256 = {}, .bytes = {}}),
                             .tokens = {1, 2}}};
        h.request.absorbed = {.keptPrompt = kept, .keepsGenerated = false};
      });
    };
    QCOMPARE(namesOf({run("What?", {}), run("What?", {{1, 2}}), run("What?", {{1, 4}})}),
             (std::vector<std::string>{"absorbs all", "keeps “[cat.png]”",
                                       "keeps “[cat.png]<e>What?”"}));
    QCOMPARE(namesOf({run("What?", {}), run("Who?", {})}),
             (std::vector<std::string>{"“[cat.png]What?”", "“[cat.png]Who?”"}));
  }

  void aSingleRunIsNamedByItsPrecisionName() {
    QCOMPARE(namesOf({makeHeader()}),
             std::vector<std::string>{"bfloat16 balanced closed"});
  }

  void equalRunsAreNumbered() {
    const auto later =
        headerWith([](RunHeader& h) { h.provenance.startTime = "2026-01-01T00:00:00Z"; });
    const auto names = namesOf({makeHeader(), later});
    QCOMPARE(names, (std::vector<std::string>{"bfloat16 balanced closed #1",
                                              "bfloat16 balanced closed #2"}));
    const auto direct =
        headerWith([](RunHeader& h) { h.request.patch.method = Method::Direct; });
    QCOMPARE(namesOf({makeHeader(), direct, later}),
             (std::vector<std::string>{"balanced #1", "direct", "balanced #2"}));
  }

  void runNamesKeepTheNumbersOfTheRunList() {
    const auto direct =
        headerWith([](RunHeader& h) { h.request.patch.method = Method::Direct; });
    const RunHeaders list = {makeHeader(), direct, makeHeader(), makeHeader()};
    const std::vector<int> numbers = numbersOf(list);
    QCOMPARE(numbers, (std::vector<int>{1, 1, 2, 3}));
    QCOMPARE(namesOf({list[3], list[0]}, {numbers[3], numbers[0]}),
             (std::vector<std::string>{"bfloat16 balanced closed #3",
                                       "bfloat16 balanced closed #1"}));
    QCOMPARE(namesOf({list[2], list[1], makeHeader()}, {numbers[2], numbers[1], 0}),
             (std::vector<std::string>{"balanced #2", "direct", "balanced #1"}));
    QCOMPARE(namesOf({list[0], list[2]}, {2, 2}),  // no number is given twice
             (std::vector<std::string>{"bfloat16 balanced closed #2",
                                       "bfloat16 balanced closed #1"}));
    QVERIFY(numbersOf({}).empty());
  }

  void promptsOfIdsAreNamedByTheirIds() {
    const auto ids = [](const std::vector<int>& prompt) {
      return headerWith([&](RunHeader& h) {
        h.request.promptText.clear();
        h.request.prompt.clear();
        for (const int id : prompt) h.request.prompt.push_back({.id = TokenId(id)});
      });
    };
    QCOMPARE(namesOf({ids({2, 651}), ids({2, 5270, 12, 900, 77777, 88888})}),
             (std::vector<std::string>{"ids 2 651", "ids 2 5270 12 900 77777 …"}));
    QCOMPARE(namesOf({ids({100, 200, 300, 400}), ids({100, 200, 300, 5})}),
             (std::vector<std::string>{"ids … 400", "ids … 5"}));
    QVERIFY(namesOf({ids({7}), makeHeader()})[0].ends_with(" ids 7"));
  }

  void longPromptsAreShortened() {
    const auto prompt = &withPrompt;
    QCOMPARE(namesOf({prompt("Hello"), prompt("Ωεδφγηξκλπωερτψυιοπασδφ and on")}),
             (std::vector<std::string>{"“Hello”", "“Ωεδφγηξκλπωε…”"}));
    // A long common beginning is left out.
    QCOMPARE(namesOf({prompt("A forecast for Mars by a cat."),
                      prompt("A forecast for Mars by a cat.\nMeow")}),
             (std::vector<std::string>{"“…cat.”", "“…cat.↵Meow”"}));
  }

  void optionsSamplingAndStrengthAreNamed() {
    const auto rounded = headerWith([](RunHeader& h) { h.request.roundLogits = true; });
    QVERIFY(namesOf({rounded, makeHeader()})[0].ends_with(" rounded logits"));
    const auto sampled = [](double temperature, std::uint64_t seed) {
      return headerWith([=](RunHeader& h) {
        h.request.sampling = {.temperature = temperature, .topK = 40, .seed = seed};
      });
    };
    QCOMPARE(namesOf({sampled(0.5, 1), makeHeader()}),
             (std::vector<std::string>{"temperature 0.5 top-k 40", "greedy"}));
    QCOMPARE(namesOf({sampled(0.5, 1), sampled(0.5, 2)}),
             (std::vector<std::string>{"seed 1", "seed 2"}));
    QCOMPARE(namesOf({sampled(0.5, 1), sampled(0.5, 2), makeHeader()}),
             (std::vector<std::string>{"temperature 0.5 top-k 40 seed 1",
                                       "temperature 0.5 top-k 40 seed 2", "greedy"}));
    const auto half = headerWith([](RunHeader& h) { h.request.strength.alpha = 0.5; });
    QCOMPARE(namesOf({half, makeHeader()}),
             (std::vector<std::string>{"α = 0.5", "α = 1"}));
  }
};

EQUIPATCH_TEST(tst_run_names)
#include "tst_run_names.moc"
