// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_options.h"

#include <iostream>
#include <limits>
#include <regex>
#include <set>
#include <utility>

#include "app/cli/options.h"
#include "core/base/number_ranges.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/run/run_origin.h"

namespace equipatch::cli {

void RecordOptions::addTo(CLI::App& command) {
  auto* file =
      command
          .add_option("--out", out, "record the run, step by step, in this file (.eqrun)")
          ->check(noStream("a run file, which is a database,"))
          ->type_name("FILE");
  command.add_flag("--force", force, "with --out: replace the run file of that name")
      ->needs(file);
  command
      .add_flag("--factors", factors,
                "with --out: also record each step's whole patch, for export --peft and "
                "--safetensors; megabytes per step")
      ->needs(file);
  command
      .add_flag("--no-pictures", noPictures,
                "with --out: record only the names and hashes of the images; to repeat "
                "the run, give their files with --image")
      ->needs(file);
}

std::shared_ptr<RunRecorder> RecordOptions::recorder(
    std::shared_ptr<RunSink> next) const {
  if (!out) return nullptr;
  return std::make_shared<RunRecorder>(
      *out, force ? ExistingFile::Replace : ExistingFile::Refuse, std::move(next));
}

namespace {

/// All options added so far except `combinable`.
std::vector<CLI::Option*> optionsExcept(CLI::App& command,
                                        const std::set<std::string>& combinable) {
  return command.get_options([&](const CLI::Option* option) {
    const std::string names = option->get_name(false, true);
    return !combinable.contains(names.substr(names.rfind(',') + 1));
  });
}

/// Call this when all options but --continue have been added: --rerun excludes most.
void addRerun(CLI::App& command, std::optional<std::string>& file) {
  const auto forbidden = optionsExcept(
      command, {"--help", "--model", "--out", "--force", "--factors", "--json",
                "--threads", "--layers-out", "--weights", "--image", "--no-pictures"});
  auto* rerun = command
                    .add_option("--rerun", file,
                                "repeat a recorded run with all its settings, and "
                                "report differences; exits with 1 when a step differs")
                    ->type_name("RUN.eqrun");
  for (CLI::Option* option : forbidden) rerun->excludes(option);
}

/// Call this last: --continue excludes most options, including --rerun.
void addContinue(CLI::App& command, std::optional<std::string>& file) {
  const auto forbidden =
      optionsExcept(command, {"--help", "--model", "--out", "--force", "--json",
                              "--threads", "--layers-out", "--weights", "--image"});
  auto* option =
      command
          .add_option("--continue", file,
                      "compute the steps that a stopped or interrupted run lacks, and "
                      "add them to its file; with --out: record the whole run in "
                      "another file")
          ->type_name("RUN.eqrun");
  for (CLI::Option* other : forbidden) option->excludes(other);
}

}  // namespace

void warnOfDifferences(const RunHeader& recorded, const Session& session) {
  for (const std::string& clause :
       differences(recorded.provenance, provenanceOf(session)))
    std::cerr << "warning: differs from the recorded run: "
              << withoutControls(clause)  // the file may come from a stranger
              << std::endl;
}

namespace {

void addRunOptions(CLI::App& command, CompareOptions& options) {
  command.add_option("--steps", options.request.steps, "tokens to generate")
      ->transform(wholeNumber(1, std::int64_t(1) << 32))
      ->capture_default_str()
      ->type_name("COUNT");
  command
      .add_option(
          "--absorb", options.prompt.source.absorb,
          "the part of the context to turn into weights: all, prompt, none, "
          "keep-bos (all but the special token at the beginning), words:SOME WORDS "
          "of the prompt, sentence:2 (its second sentence), or prompt positions such as "
          "0-12,20, or 0-12,20,generated to add the generated tokens; with images also "
          "images, image:2 (the second image) and text (all but images)")
      ->capture_default_str()
      ->type_name("PART");
  command
      .add_option("--method", options.method,
                  "how the patch restores the block's output: balanced splits the change "
                  "between W_down and the norm's scale; direct follows the paper's "
                  "Theorem 1, stable its Appendix B; in a block without that scale all "
                  "three are the same, except direct in a mixture of experts")
      ->check(CLI::IsMember({"balanced", "direct", "stable"}))
      ->capture_default_str();
  command
      .add_option(
          "--loop", options.loop,
          "the activations that a patch is computed from: closed: the patched pass's, so "
          "that the patch corrects errors of earlier layers; half: the patched pass's up "
          "to the input of the MLP, then the contextual pass's; open: as half, but every "
          "layer begins with the contextual pass's input")
      ->check(CLI::IsMember({"closed", "half", "open"}))
      ->capture_default_str();
  command
      .add_option("--apply", options.application,
                  "how a patch u wᵀ is applied to W: factored computes W z + u (wᵀ z), "
                  "materialised round(W + u wᵀ) z")
      ->check(CLI::IsMember({"factored", "materialised"}))
      ->capture_default_str();
  command.add_flag("--separate", options.separate,
                   "build a step's whole patch first, then run the patched pass; by "
                   "default they go through the layers together");
  command.add_flag("--free-run", options.request.freeRun,
                   "after a mismatch, continue with the patched pass's token");
  command.add_flag("--no-bare", options.noBare,
                   "leave out the bare pass, the control with neither the absorbed "
                   "context nor a patch");
  command.add_flag("--ablated", options.request.ablated,
                   "with --absorb of a part: also run the original weights on the text "
                   "without this part; unlike the bare pass, this run also computes the "
                   "kept tokens without the absorbed part");
  command.add_flag("--audit", options.request.audit,
                   "run each finished patch again with every sum in another order, which "
                   "shows what rounding does");
  command
      .add_option("--strength", options.request.strength.alpha,
                  "scale the patch by this factor: 0 none, 1 all of it")
      ->check(between(-kLargestAlpha, kLargestAlpha))
      ->capture_default_str()
      ->type_name("NUMBER");
  command
      .add_option("--layers", options.strengthLayers,
                  "patch these layers only: 0-5,10; all if absent")
      ->type_name("LAYERS");
  command.add_flag(
      "--noise", options.request.measureNoise,
      "measure the noise floor that rounding causes, and judge every step by it");
  command.add_flag("--round-logits", options.request.roundLogits,
                   "round logits to the dtype, as frameworks do");
  command.add_flag("--ignore-eos", options.request.ignoreEndOfSequence,
                   "continue after an end-of-sequence token");
  addThreadsOption(command, options.threads);
}

void addSamplingOptions(CLI::App& command, Sampling& sampling) {
  auto* temperature =
      command
          .add_option(
              "--temperature", sampling.temperature,
              "temperature of the sampling; 0, the default, takes the most likely "
              "token")
          ->check(between(0.0, 1000.0))
          ->type_name("NUMBER");
  command.add_option("--top-k", sampling.topK, "sample among the K most likely")
      ->transform(wholeNumber(1, std::int64_t(1) << 32))
      ->needs(temperature)
      ->type_name("K");
  command
      .add_option("--top-p", sampling.topP,
                  "sample among the fewest most likely tokens whose probabilities add up "
                  "to at least P")
      ->check(between(1e-9, 1.0))
      ->needs(temperature)
      ->type_name("P");
  command
      .add_option("--seed", sampling.seed,
                  "seed of the sampling, the same for both passes")
      ->transform(wholeNumber(0, std::numeric_limits<std::int64_t>::max()))
      ->needs(temperature)
      ->type_name("NUMBER");
}

PositionRange parseRange(const std::string& text) {
  static const std::regex range("([0-9]{1,9})(-([0-9]{1,9}))?");
  std::smatch match;
  if (!std::regex_match(text, match, range))
    throw misuse("--exact-for",
                 "expected positions such as 12-15, found \"" + text + "\"");
  const std::int64_t first = std::stoll(match[1]);
  const std::int64_t last = match[3].matched ? std::stoll(match[3]) : first;
  if (last < first)
    throw misuse("--exact-for", "the positions " + backwardsText(text, {first, last}));
  return {first, last};
}

/// --exact-for makes one patch instead of a run. Therefore it excludes the options that
/// only a run uses.
void addExactFor(CLI::App& command, CompareOptions& options) {
  auto* exact = command.add_option_function<std::string>(
      "--exact-for",
      [&options](const std::string& text) { options.exactFor = parseRange(text); },
      "one patch that is exact for all tokens at positions A to B at once; everything "
      "before them is absorbed; tokens beyond the prompt are generated");
  exact->type_name("A-B");
  for (const char* other :
       {"--absorb", "--steps", "--method", "--loop", "--separate", "--free-run",
        "--strength", "--layers", "--temperature", "--step", "--out", "--noise",
        "--ablated", "--audit", "--no-bare", "--round-logits", "--ignore-eos"})
    exact->excludes(command.get_option(other));
}

}  // namespace

void CompareOptions::addTo(CLI::App& command) {
  session.addTo(command);
  prompt.addTo(command);
  addRunOptions(command, *this);
  addSamplingOptions(command, request.sampling);
  record.addTo(command);
  savePatched.addTo(command);
  addExactFor(command, *this);
  auto* asJson = command.add_flag("--json", json, "one JSON object per line");
  command.add_flag("--layers-out", listLayers, "with --json: also each layer's numbers")
      ->needs(asJson);
  addRerun(command, rerun);
  addContinue(command, continuation);
  // --rerun and --continue use the recorded run's model.
  command.get_option("--model")->required(false);
}

void CompareOptions::check() const {
  if (!exactFor) savePatched.check();
  // Saving the checkpoint, after the run, needs an empty folder.
  if (savePatched.folder && record.out &&
      absoluteFolder(*record.out).parent_path() == absoluteFolder(*savePatched.folder))
    throw misuse("--out",
                 "the folder of --save-patched holds the checkpoint alone; record the "
                 "run beside it");
  if (rerun || continuation) return;
  if (session.folder.empty()) throw CLI::RequiredError("--model");
  prompt.check();
  if (strengthLayers) parseLayers(*strengthLayers);
}

RunRequest CompareOptions::requestWithoutPrompt() const {
  RunRequest result = request;
  result.patch.method = *methodFromName(method);
  result.patch.loop = *loopFromName(loop);
  result.patch.application = *applicationFromName(application);
  if (strengthLayers) result.strength.layers = parseLayers(*strengthLayers);
  result.execution = separate ? Execution::Separate : Execution::Lockstep;
  result.bare = !noBare;
  result.keepFactors = record.factors || savePatched.folder;
  result.keepPictures = !record.noPictures;
  return result;
}

LayerDetail CompareOptions::detail() const {
  return listLayers ? LayerDetail::Include : LayerDetail::Omit;
}

}  // namespace equipatch::cli
