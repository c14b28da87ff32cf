// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_caption.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/figure/caption_measures.h"
#include "core/figure/figure_kind.h"
#include "core/figure/run_groups.h"
#include "core/figure/run_names.h"
#include "core/record/branch.h"
#include "core/record/run_request.h"
#include "core/text/glossary.h"

namespace equipatch {
namespace {

constexpr std::string_view kMadeWith = "Made with Equipatch " EQUIPATCH_VERSION ".";

std::string modelSentence(const RunHeaders& headers) {
  std::set<std::string> models;
  for (const auto& header : headers)
    models.insert(header->modelName + " (" + header->architecture + ")");
  const std::vector<std::string> names(models.begin(), models.end());
  return (names.size() == 1 ? "Model: " : "Models: ") + joined(names) + ".";
}

constexpr std::size_t kMostPrompts = 4;
constexpr std::size_t kMostRuns = 12;

/// A prompt and the request of a run that has it.
struct CaptionPrompt {
  std::string text;
  const RunRequest* request;
};

/// The distinct prompts of the runs. A branch has the prompt of its earliest ancestor.
std::vector<CaptionPrompt> promptsOf(const RunHeaders& headers) {
  std::vector<CaptionPrompt> prompts;
  for (const auto& header : headers) {
    std::string text = shownPrompt(rootRequest(header->request));
    if (std::ranges::find(prompts, text, &CaptionPrompt::text) == prompts.end())
      prompts.push_back({std::move(text), &header->request});
  }
  return prompts;
}

/// “The cat sat” (4 tokens)
std::string quoted(const CaptionPrompt& prompt) {
  constexpr std::size_t kMostBytes = 300;
  const bool cut = prompt.text.size() > kMostBytes;
  const std::string count = " (" + countText(rootLength(*prompt.request), "token") + ")";
  const std::string text =
      std::string(cutUtf8(prompt.text, kMostBytes)) + (cut ? "…" : "");
  return (prompt.request->promptText.empty() || cut ? text : "“" + text + "”") + count;
}

std::string promptSentence(const std::vector<CaptionPrompt>& prompts) {
  if (prompts.size() == 1) return "Prompt: " + quoted(prompts.front()) + ".";
  if (prompts.size() > kMostPrompts) return std::to_string(prompts.size()) + " prompts.";
  std::vector<std::string> listed;
  for (const CaptionPrompt& prompt : prompts)
    listed.push_back("(" + std::to_string(listed.size() + 1) + ") " + quoted(prompt));
  return "Prompts: " + joined(listed, "; ") + ".";
}

/// "35 of 36": the steps in which the most likely tokens agree.
std::string agreementOf(const std::vector<const FigureRun*>& runs) {
  std::size_t steps = 0, matches = 0;
  for (const FigureRun* run : runs)
    for (const auto& step : run->steps) {
      ++steps;
      matches += step->match ? 1 : 0;
    }
  return std::to_string(matches) + " of " + std::to_string(steps);
}

/// "mine (direct, open, prompt 2): 35 of 36".
std::string runClause(const FigureRun& run, std::vector<std::string> details,
                      const std::vector<CaptionPrompt>& prompts, bool tellsAgreement) {
  if (prompts.size() > 1 && prompts.size() <= kMostPrompts) {
    const std::string text = shownPrompt(rootRequest(run.header->request));
    const auto own = std::ranges::find(prompts, text, &CaptionPrompt::text);
    details.push_back("prompt " + std::to_string(1 + (own - prompts.begin())));
  }
  // A name made from the settings contains most details already.
  if (run.own.empty())
    std::erase_if(details, [&](const std::string& detail) {
      return (" " + run.name + " ").find(" " + detail + " ") != std::string::npos;
    });
  return (run.name.empty() ? "the run" : run.name) +
         (details.empty() ? "" : " (" + joined(details) + ")") +
         (tellsAgreement ? ": " + agreementOf({&run}) : "");
}

/// "float32 direct open 60 of 66; …" for runs pooled by settings. Empty for one group,
/// and for more than kMostRuns groups.
std::string groupClauses(const std::vector<FigureRun>& runs) {
  const std::vector<RunGroup> groups = groupsOf(runs, RunGrouping::Settings);
  if (groups.size() < 2 || groups.size() > kMostRuns) return {};
  std::vector<std::string> clauses;
  for (const RunGroup& group : groups)
    clauses.push_back(group.name + " " + agreementOf(group.runs));
  return joined(clauses, "; ");
}

/// Lists two to kMostRuns runs with the settings in which they differ; only counts more
/// runs. With `tellsAgreement`, says in how many steps the most likely tokens of the two
/// passes agree: for each listed run, otherwise by groupClauses or, if these are empty,
/// for all runs together.
std::string runsSentence(const std::vector<FigureRun>& runs,
                         const std::vector<CaptionPrompt>& prompts, bool tellsAgreement) {
  const bool listed = runs.size() > 1 && runs.size() <= kMostRuns;
  if (!listed) {
    const std::string count =
        runs.size() == 1 ? "" : std::to_string(runs.size()) + " runs.";
    if (!tellsAgreement) return count;
    if (const std::string clauses = groupClauses(runs); !clauses.empty())
      return count +
             " Steps in which the most likely tokens of the contextual and the patched "
             "pass agree: " +
             clauses + ".";
    return count + (count.empty() ? "" : " ") +
           "The most likely tokens of the contextual and the patched pass agree in " +
           agreementOf(groupsOf(runs, RunGrouping::All).front().runs) + " steps.";
  }
  auto details = differingSettings(headersOf(runs));
  const std::vector<std::string> branches = branchNames(runs);
  std::vector<std::string> clauses;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!branches[run].empty()) details[run].push_back(branches[run]);
    clauses.push_back(runClause(runs[run], details[run], prompts, tellsAgreement));
  }
  return (tellsAgreement ? "Runs, and the steps in which the most likely tokens of the "
                           "contextual and the patched pass agree: "
                         : "Runs: ") +
         joined(clauses, "; ") + ".";
}

/// Explains branches, and runs that applied only a part of their patch.
std::vector<std::string> runRemarks(const Figure& figure,
                                    const std::vector<FigureRun>& runs) {
  std::vector<std::string> sentences;
  const auto isBranch = [](const FigureRun& run) {
    return run.header->request.branch.tokens > 0;
  };
  if (const auto run = std::ranges::find_if(runs, isBranch); run != runs.end()) {
    const RunRequest& branch = run->header->request;
    const std::string words = branchWords(branch, branch.branch.tokens);
    sentences.push_back(
        runs.size() == 1
            ? "The run is a branch (" + words + "): after the prompt it has " +
                  countText(static_cast<std::size_t>(branch.branch.tokens - 1), "token") +
                  " of an earlier run and a token that the user chose."
            : "A branch, such as “" + words +
                  "”, continues that step of an earlier run with this token.");
  }
  if (hasCurve(figure, "ΔW") && std::ranges::any_of(runs, [](const FigureRun& run) {
        return !run.header->request.strength.whole();
      }))
    sentences.emplace_back(
        "Sizes are of the whole patch; runs with a strength α or a choice of layers "
        "apply only a part of it.");
  return sentences;
}

std::string dtypeSentence(const RunHeaders& headers) {
  const bool several = std::ranges::any_of(headers, [&](const auto& header) {
    return header->dtype != headers.front()->dtype;
  });
  return several ? "Each run is compared with the contextual pass of its own dtype." : "";
}

std::string continuationSentence(const RunHeaders& headers) {
  const bool isFree = headers.front()->request.freeRun;
  const bool isShared = std::ranges::all_of(
      headers, [&](const auto& header) { return header->request.freeRun == isFree; });
  if (!isShared) return "";
  return "After each step the text continues with the " +
         std::string(isFree ? "patched" : "contextual") + " pass's token.";
}

/// Explains the runs' methods and loops: "The balanced method splits …". A method is
/// explained only for models whose block closes with a norm scale. In other models all
/// methods make the same patch, except that Direct divides the patch of a MoE differently
/// among the experts.
std::vector<std::string> methodSentences(const RunHeaders& headers) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string_view word, std::string_view kind) {
    std::string sentence(glossarySentence(word));
    if (sentence.empty()) return;
    sentence.front() = static_cast<char>(std::tolower(sentence.front()));
    sentence = "The " + std::string(word) + " " + std::string(kind) + " " + sentence;
    if (std::ranges::find(sentences, sentence) == sentences.end())
      sentences.push_back(std::move(sentence));
  };
  for (const auto& header : headers)
    if (header->closesWithScale) add(name(header->request.patch.method), "method");
  for (const auto& header : headers) add(name(header->request.patch.loop), "loop");
  return sentences;
}

std::string valueText(const LabChoice& choice) {
  constexpr std::size_t kMostBytes = 80;
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
          const std::string text = std::string(cutUtf8(value, kMostBytes)) +
                                   (value.size() > kMostBytes ? "…" : "");
          return text.find(' ') == std::string::npos ? text : "“" + text + "”";
        } else if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>)
          return shortText(value, 6);
        else
          return std::to_string(value);
      },
      choice.value);
}

std::string settingsSentence(const LabResult& result) {
  std::vector<std::string> settings;
  const bool isPreset = result.origin.setting != "own";
  if (isPreset) settings.push_back(result.origin.setting);
  for (const LabChoice& choice : result.origin.choices)
    if (choice.name != "sha256" &&
        (!isPreset || std::holds_alternative<std::string>(choice.value)))
      settings.push_back(choice.name + " " + valueText(choice));
  if (!result.experiment.starts_with("image-"))
    settings.push_back("seed " + std::to_string(result.origin.seed));
  return "Settings: " + joined(settings) + ".";
}

}  // namespace

std::string captionOf(const Figure& figure, const std::vector<FigureRun>& runs) {
  const RunHeaders headers = headersOf(runs);
  const std::vector<CaptionPrompt> prompts = promptsOf(headers);
  std::vector<std::string> sentences{figure.title + ".", modelSentence(headers),
                                     promptSentence(prompts)};
  if (const auto shared = sharedSettings(headers); !shared.empty())
    sentences.push_back("Settings: " + joined(shared) + ".");
  const bool tellsAgreement = figure.kind != name(FigureKind::PatchNorms) &&
                              figure.kind != name(FigureKind::ScaleHeatmap) &&
                              figure.kind != name(FigureKind::Effect) &&
                              figure.kind != name(FigureKind::LayerError);
  if (std::string sentence = runsSentence(runs, prompts, tellsAgreement);
      !sentence.empty())
    sentences.push_back(std::move(sentence));
  std::ranges::move(runRemarks(figure, runs), std::back_inserter(sentences));
  if (figure.kind != name(FigureKind::Effect))
    std::ranges::move(methodSentences(headers), std::back_inserter(sentences));
  if (tellsAgreement) sentences.push_back(continuationSentence(headers));
  if (tellsAgreement || figure.kind == name(FigureKind::LayerError))
    sentences.push_back(dtypeSentence(headers));
  std::ranges::move(measureSentences(figure), std::back_inserter(sentences));
  std::ranges::move(signSentences(figure, runs), std::back_inserter(sentences));
  sentences.emplace_back(kMadeWith);
  std::erase(sentences, "");
  return withoutControls(joined(sentences, " "));
}

std::string captionOf(const LabResult& result) {
  std::vector<std::string> sentences{result.title + ".", settingsSentence(result)};
  sentences.insert(sentences.end(), result.notes.begin(), result.notes.end());
  sentences.emplace_back(kMadeWith);
  return withoutControls(joined(sentences, " "));
}

}  // namespace equipatch
