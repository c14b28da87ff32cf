// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <regex>
#include <set>
#include <thread>

#include "app/cli/foreground.h"
#include "core/base/dtype.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/number_ranges.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/run/model_list.h"

namespace equipatch::cli {

namespace {

std::string checkDType(const std::string& name) {
  const auto dtype = dtypeFromTorchName(name);
  if (dtype && isFloating(*dtype)) return {};
  return "expected float64, float32, bfloat16 or float16, found " + inQuotes(name);
}

constexpr const char* kEmptyText =
    "should have a text, found an empty one; to start from a special token alone, give "
    "its id with --ids";

std::string readText(const std::string& path) {
  constexpr std::uintmax_t kMostPromptBytes = std::uintmax_t{64} << 20;
  return readFile(path, kMostPromptBytes);
}

std::string checkDevice(const std::string& name) {
  static const std::regex known("cpu|cuda(:[0-9]{1,3})?");
  if (std::regex_match(name, known)) return {};
  return "expected cpu, cuda or cuda:N, found " + inQuotes(name);
}

}  // namespace

CLI::ValidationError misuse(const std::string& option, const std::string& sentence) {
  return CLI::ValidationError(option, sentence);
}

CLI::Validator noStream(const std::string& what) {
  return CLI::Validator(
      [what](const std::string& word) -> std::string {
        return meansStandardOutput(word) ? notToStandardOutput(what) : std::string();
      },
      "");
}

CLI::Option* addDeviceOption(CLI::App& command, std::string& device) {
  return command.add_option("--device", device, "cpu, cuda or cuda:N")
      ->check(CLI::Validator(checkDevice, "DEVICE"))
      ->capture_default_str()
      ->type_name("");
}

int mostThreads() {
  return std::max(8, 2 * static_cast<int>(std::thread::hardware_concurrency()));
}

void addThreadsOption(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "threads to compute with")
      ->transform(wholeNumber(1, mostThreads()))
      ->type_name("COUNT");
}

void addModelOption(CLI::App& command, std::string& folder) {
  command
      .add_option(
          "--model", folder,
          "folder in Hugging Face layout, or a name that `equipatch-cli models` lists")
      ->required()
      ->type_name("M");
}

void addDTypeOption(CLI::App& command, std::string& dtype) {
  command.add_option("--dtype", dtype, "type of the weights; as stored if absent")
      ->check(CLI::Validator(checkDType, "{float64,float32,bfloat16,float16}"))
      ->type_name("");
}

void addWeightsOption(CLI::App& command, std::string& place) {
  command
      .add_option(
          "--weights", place,
          "where weights are kept: resident reads them into memory, which is fastest; "
          "mapped leaves them in their files, for models larger than the memory; "
          "auto is resident where everything fits into the free memory")
      ->check(CLI::IsMember({"auto", "resident", "mapped"}))
      ->capture_default_str()
      ->type_name("");
}

void SessionOptions::addTo(CLI::App& command) {
  addModelOption(command, folder);
  addDTypeOption(command, dtype);
  command
      .add_option(
          "--compute", compute,
          "native rounds activations to the dtype; float32 rounds only the weights "
          "to it")
      ->check(CLI::IsMember({"native", "float32"}))
      ->capture_default_str()
      ->type_name("");
  addDeviceOption(command, device);
  addWeightsOption(command, weights);
}

SessionRequest SessionOptions::request() const {
  SessionRequest request;
  request.folder = modelFolder(folder);
  if (!dtype.empty()) request.dtype = dtypeFromTorchName(dtype);
  request.device = device;
  request.computeFloat32 = compute == "float32";
  request.place = weightPlaceFromName(weights);
  return request;
}

std::vector<TokenId> parseIds(const std::string& list) {
  std::vector<TokenId> ids;
  const char* at = list.data();
  const char* const end = at + list.size();
  const auto skipBlanks = [end](const char* from) {
    return std::find_if(from, end, [](char letter) { return letter != ' '; });
  };
  for (;;) {
    std::int64_t id = 0;
    const auto [rest, problem] = std::from_chars(skipBlanks(at), end, id);
    const bool isSeparated = rest == end || *rest == ',' || *rest == ' ';
    if (problem != std::errc() || id < 0 || !isSeparated)
      throw misuse("--ids",
                   "expected token ids separated by commas or blanks, such as 1,2,3, "
                   "found " +
                       inQuotes(list));
    ids.emplace_back(id);
    at = skipBlanks(rest);
    if (at == end) return ids;
    if (*at == ',') ++at;
  }
}

namespace {

/// @param numbers what the list holds, for messages: "layers"
/// @param example a valid list, for messages
std::vector<NumberRange> parseRanges(const std::string& option, const char* numbers,
                                     const char* example, const std::string& list) {
  if (auto ranges = parseNumberRanges(list)) return *std::move(ranges);
  if (const auto range = backwardRange(list)) {
    const std::string written =
        std::to_string(range->first) + "-" + std::to_string(range->last);
    throw misuse(option,
                 std::string("the ") + numbers + " " + backwardsText(written, *range));
  }
  throw misuse(option, std::string("expected ") + numbers + " up to " +
                           std::to_string(kLargestRangeNumber) +
                           " and ranges separated by commas, such as " + example +
                           ", found " + inQuotes(list));
}

}  // namespace

std::vector<std::int64_t> parseLayers(const std::string& list) {
  std::set<std::int64_t> layers;
  for (const auto& [first, last] : parseRanges("--layers", "layers", "0-5,10", list))
    for (std::int64_t layer = first; layer <= last; ++layer) layers.insert(layer);
  return {layers.begin(), layers.end()};
}

std::vector<std::int64_t> parseSeeds(const std::string& list) {
  std::set<std::int64_t> seeds;
  for (const auto& [first, last] : parseRanges("--seeds", "numbers", "1-5", list))
    for (std::int64_t seed = first; seed <= last; ++seed)
      if (!seeds.insert(seed).second)
        throw misuse("--seeds", "the seed " + std::to_string(seed) + " is listed twice");
  return {seeds.begin(), seeds.end()};
}

void TextOptions::addTo(CLI::App& command, PromptSource& source) {
  command.add_flag("--no-bos", omitSpecials,
                   "do not add the tokens that the tokenizer puts around a text");
  auto* flag = command.add_flag(
      "--chat", chat,
      "the text is a user's message: write it as the model's chat template does");
  command
      .add_option("--system", source.system,
                  "with --chat: the system message, which comes first")
      ->type_name("TEXT")
      ->needs(flag);
}

void TextOptions::check() const {
  if (chat && omitSpecials)
    throw misuse("--no-bos",
                 "has no effect with --chat: the chat template writes these tokens");
}

PromptSource TextOptions::applyTo(PromptSource source) const {
  source.form = chat ? PromptForm::Chat : PromptForm::Text;
  source.specials = omitSpecials ? SpecialTokens::Omit : SpecialTokens::Add;
  return source;
}

void warnOfDamage(const std::string& path, std::size_t steps, const std::string& damage) {
  if (!damage.empty())
    std::cerr << "warning: " << path << " is damaged, read only "
              << countText(steps, "step") << ": " << damage << std::endl;
}

void noteGaps(const std::string& path, std::size_t steps, const std::string& damage) {
  warnOfDamage(path, steps, damage);
  if (damage.empty() && steps == 0)
    std::cerr << "note: " << path << " holds no finished step" << std::endl;
}

StoredRun readNotingGaps(const std::string& path) {
  StoredRun run;
  Foreground().runTask("Read " + path,
                       [&](Control& control) { run = readRun(path, control); });
  noteGaps(path, run.steps.size(), run.damage);
  return run;
}

void addImageOption(CLI::App& command, std::vector<std::string>& files,
                    const std::string& purpose) {
  command
      .add_option("--image", files, purpose + "; repeat the option for further images")
      ->allow_extra_args(false)
      ->type_name("FILE");
}

Pictures readPictures(const std::vector<std::string>& files) {
  Pictures pictures;
  for (const std::string& file : files) pictures.push_back(readPicture(file));
  return pictures;
}

void noteWritten(const std::string& what) {
  std::cerr << "wrote " << what << std::endl;
}

void printWarning(const PreparedPrompt& prompt) {
  if (!prompt.warning.empty()) std::cerr << "warning: " << prompt.warning << std::endl;
}

void PromptOptions::addTo(CLI::App& command) {
  command.add_option("--prompt", text, "the prompt's text")->type_name("TEXT");
  command.add_option("--prompt-file", file, "file with the prompt, taken byte for byte")
      ->type_name("FILE");
  command.add_option("--ids", ids, "the prompt as token ids: 1,2,3; needs no tokenizer")
      ->type_name("IDS");
  addImageOption(
      command, images,
      "an image (PNG, JPEG, WebP or PNM) for the <start_of_image> in the text");
  textOptions.addTo(command, source);
}

void PromptOptions::check() const {
  const int given = int(text.has_value()) + int(file.has_value()) + int(ids.has_value());
  if (given != 1)
    throw misuse("--prompt",
                 "exactly one of --prompt, --prompt-file and --ids must be "
                 "given, found " +
                     std::to_string(given));
  if (text && text->empty()) throw misuse("--prompt", kEmptyText);
  if (textOptions.chat && ids) throw misuse("--chat", "needs a text, found --ids");
  textOptions.check();
  if (!ids) return;
  if (textOptions.omitSpecials)
    throw misuse("--no-bos", "has no effect with --ids: no tokens are added to them");
  parseIds(*ids);
}

PreparedPrompt PromptOptions::prepare(const Session& session,
                                      std::stop_token stop) const {
  PromptSource full = textOptions.applyTo(source);
  if (ids) full.ids = parseIds(*ids);
  if (text) full.text = *text;
  if (file) full.text = readText(*file);
  if (file && full.text.empty()) throw badInput(*file + ": " + kEmptyText);
  full.images = readPictures(images);
  PreparedPrompt prompt = preparePrompt(full, session, std::move(stop));
  printWarning(prompt);
  return prompt;
}

}  // namespace equipatch::cli
