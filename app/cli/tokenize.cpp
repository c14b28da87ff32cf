// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <string_view>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "core/record/export/export_json.h"
#include "core/run/model_list.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

struct TokenizeOptions {
  std::string folder;
  std::optional<std::string> text;
  std::optional<std::string> jsonLines;
  TextOptions textOptions;
  PromptSource source;  // --system
  std::vector<std::string> images;
};

/// `object` with the tokens added, as a line of JSON.
std::string tokensLine(const std::vector<Token>& tokens, const Progress& progress,
                       nlohmann::ordered_json object = nlohmann::ordered_json::object()) {
  nlohmann::ordered_json ids = nlohmann::ordered_json::array();
  auto pieces = ids;
  auto spans = ids;
  for (const Token& token : tokens) {
    progress.throwIfStopped();
    ids.push_back(token.id.value);
    pieces.push_back(token.piece);
    spans.push_back({token.span.begin, token.span.end});
  }
  object["ids"] = std::move(ids);
  object["pieces"] = std::move(pieces);
  object["spans"] = std::move(spans);
  return jsonLine(object);
}

std::string textOf(std::string_view bytes, const std::string& source) {
  const Json json = parseJson(bytes, source);
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object())
    throw badInput(source + ": expected a JSON string or an object with \"text\"");
  JsonObject object(json, source);
  return object.string("text");
}

/// The vision tower as config.json describes it; the weights may be missing.
std::optional<VisionSpec> visionOf(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "config.json";
  return describeModel(readJsonFile(path, kMostConfigBytes), path.string()).spec.vision;
}

/// Tokenizes texts with the settings of the options.
class TextReader {
 public:
  TextReader(const TokenizeOptions& options, const Control& control)
      : m_source(options.textOptions.applyTo(options.source)) {
    const std::filesystem::path folder = modelFolder(options.folder);
    m_tokenizer = Tokenizer::open(folder, control);
    if (options.textOptions.chat) m_chat = ChatTemplate::open(folder);
    if (options.images.empty()) return;
    m_vision = visionOf(folder);
    m_source.images = readPictures(options.images);
  }

  /// The tokens of `text` as a line of JSON. With --chat or --image the line also has the
  /// rendered text with the image tokens, to which the spans refer.
  /// @throws Error as `preparePrompt`
  std::string line(const std::string& text, const Control& control) {
    m_source.text = text;
    const PreparedPrompt prompt =
        preparePrompt(m_source, *m_tokenizer, m_chat ? &*m_chat : nullptr,
                      control.stopToken(), m_vision ? &*m_vision : nullptr);
    printWarning(prompt);
    noteMissingImages(prompt);
    if (!m_chat && prompt.images.empty()) return tokensLine(prompt.tokens, control);
    return tokensLine(prompt.tokens, control, {{"text", prompt.text}});
  }

 private:
  /// Prints a note at the first text that has <start_of_image> if no image was given.
  void noteMissingImages(const PreparedPrompt& prompt) {
    constexpr std::string_view kPlace = "<start_of_image>";
    const auto isPlace = [&](const Token& token) {
      return token.special && token.piece == kPlace;
    };
    if (m_noted || !m_source.images.empty() ||
        std::ranges::none_of(prompt.tokens, isPlace))
      return;
    m_noted = true;
    std::cerr << "note: " << kPlace
              << " is one token here, because no image was given; with --image F, for a "
                 "model that takes images, the image's tokens follow it"
              << std::endl;
  }

  bool m_noted = false;
  PromptSource m_source;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  std::optional<ChatTemplate> m_chat;
  std::optional<VisionSpec> m_vision;  // with --image
};

void tokenizeLines(TextReader& reader, const std::string& path, const Control& control) {
  const auto file = FileMap::open(path);
  std::string_view rest = file->text();
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string source = path + ", line " + std::to_string(number);
    if (line.size() > kMostJsonBytes)
      throw badInput(source + ": expected a text of at most " +
                     std::to_string(kMostJsonBytes) + " bytes, found " +
                     std::to_string(line.size()));
    file->throwIfLost();
    const std::string text = textOf(line, source);
    try {
      std::cout << reader.line(text, control);
    } catch (const Error& error) {
      throw error.within(source);
    }
  }
}

int tokenize(const TokenizeOptions& options) {
  Foreground foreground;
  foreground.runTask("Tokenize", [&](Control& control) {
    TextReader reader(options, control);
    if (options.text)
      std::cout << reader.line(*options.text, control);
    else
      tokenizeLines(reader, *options.jsonLines, control);
  });
  return 0;
}

}  // namespace

void addTokenize(CLI::App& program, Action& action) {
  const auto options = std::make_shared<TokenizeOptions>();
  CLI::App* command = program.add_subcommand(
      "tokenize", "Turn a text into tokens: ids, pieces and byte spans");
  addModelOption(*command, options->folder);
  command->add_option("TEXT", options->text, "the text");
  command
      ->add_option("--jsonl", options->jsonLines,
                   "file with a JSON string, or an object with \"text\", on each line")
      ->type_name("FILE");
  addImageOption(*command, options->images,
                 "an image; <start_of_image> marks its place in the text");
  options->textOptions.addTo(*command, options->source);
  command->callback([options, &action] {
    options->textOptions.check();
    if (options->text.has_value() == options->jsonLines.has_value())
      throw misuse(options->text ? "--jsonl" : "TEXT",
                   "give either a TEXT or --jsonl FILE");
    action = [options] { return tokenize(*options); };
  });
}

namespace {

struct DecodeOptions {
  std::string folder;
  std::string ids;
};

int decode(const DecodeOptions& options, const std::vector<TokenId>& ids) {
  const auto tokenizer = Tokenizer::open(modelFolder(options.folder));
  // The embedding may have unused rows beyond the tokenizer's vocabulary. `decode` omits
  // their ids; a user who gives such an id has probably made a mistake.
  for (const TokenId id : ids)
    if (id.value >= tokenizer->size())
      throw badInput("the tokenizer has no piece for the id " + std::to_string(id.value) +
                     ", expected at most " + std::to_string(tokenizer->size() - 1));
  std::cout << tokenizer->decode(ids, SpecialTokens::Omit) << '\n';
  return 0;
}

}  // namespace

void addDecode(CLI::App& program, Action& action) {
  const auto options = std::make_shared<DecodeOptions>();
  CLI::App* command = program.add_subcommand(
      "decode", "Turn token ids into a text, without special tokens");
  addModelOption(*command, options->folder);
  command->add_option("--ids", options->ids, "token ids: 1,2,3")
      ->required()
      ->type_name("IDS");
  command->callback([options, &action] {
    action = [options, ids = parseIds(options->ids)] { return decode(*options, ids); };
  });
}

}  // namespace equipatch::cli
