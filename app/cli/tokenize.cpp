#include <fstream>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/record/export/export_json.h"
#include "core/run/model_folder.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

struct TokenizeOptions {
  std::string folder;
  std::optional<std::string> text;
  std::optional<std::string> jsonLines;
  bool omitSpecials = false;
  ChatOptions chat;
};

/// `object` with the tokens added.
std::string tokensLine(const std::vector<Token>& tokens,
                       nlohmann::ordered_json object = nlohmann::ordered_json::object()) {
  nlohmann::ordered_json ids = nlohmann::ordered_json::array();
  auto pieces = ids;
  auto spans = ids;
  for (const Token& token : tokens) {
    ids.push_back(token.id.value);
    pieces.push_back(token.piece);
    spans.push_back({token.span.begin, token.span.end});
  }
  object["ids"] = std::move(ids);
  object["pieces"] = std::move(pieces);
  object["spans"] = std::move(spans);
  return jsonLine(object);
}

/// The text of one line: a JSON string, or an object's "text".
std::string textOf(const std::string& bytes, const std::string& source) {
  const Json json = parseJson(bytes, source);
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object())
    throw badInput(source + ": expected a JSON string or an object with \"text\"");
  JsonObject object(json, source);
  return object.string("text");
}

/// The line for one text. With --chat the spans are of the template's text, which is
/// told.
std::string tokenized(const Tokenizer& tokenizer, const TokenizeOptions& options,
                      const std::string& text) {
  if (options.chat.enabled) {
    const std::string written = options.chat.render(modelFolder(options.folder), text);
    return tokensLine(tokenizer.encode(written, SpecialTokens::Written),
                      {{"text", written}});
  }
  return tokensLine(tokenizer.encode(
      text, options.omitSpecials ? SpecialTokens::Omit : SpecialTokens::Add));
}

void tokenizeLines(const Tokenizer& tokenizer, const TokenizeOptions& options) {
  const std::string& path = *options.jsonLines;
  std::ifstream file(path);
  if (!file) throw badInput(path + " cannot be opened; check the path given to --jsonl");
  std::string bytes;
  for (std::int64_t number = 1; std::getline(file, bytes); ++number) {
    if (bytes.empty()) continue;
    const std::string source = path + ", line " + std::to_string(number);
    std::cout << tokenized(tokenizer, options, textOf(bytes, source));
  }
  if (file.bad()) throw badInput(path + " could not be read to its end");
}

int tokenize(const TokenizeOptions& options) {
  const auto tokenizer = Tokenizer::open(modelFolder(options.folder));
  if (options.text)
    std::cout << tokenized(*tokenizer, options, *options.text);
  else
    tokenizeLines(*tokenizer, options);
  return 0;
}

}  // namespace

void addTokenize(CLI::App& program, Action& action) {
  const auto options = std::make_shared<TokenizeOptions>();
  CLI::App* command =
      program.add_subcommand("tokenize", "Text to tokens: ids, pieces and byte spans");
  addModelOption(*command, options->folder);
  command->add_option("TEXT", options->text, "the text");
  command
      ->add_option("--jsonl", options->jsonLines,
                   "file of texts: a JSON string, or an object with \"text\", a line")
      ->type_name("FILE");
  command->add_flag("--no-bos", options->omitSpecials,
                    "do not add the tokens the tokenizer puts around a text");
  options->chat.addTo(*command);
  command->callback([options, &action] {
    if (options->chat.enabled && options->omitSpecials)
      throw misuse("--no-bos", "has no effect with --chat, whose template writes them");
    if (options->text.has_value() == options->jsonLines.has_value())
      throw misuse("--jsonl", "give either a TEXT or --jsonl FILE");
    action = [options] { return tokenize(*options); };
  });
}

}  // namespace equipatch::cli
