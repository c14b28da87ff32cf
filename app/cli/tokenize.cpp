#include <fstream>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/step_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

struct TokenizeOptions {
  std::string folder;
  std::optional<std::string> text;
  std::optional<std::string> jsonLines;
  bool omitSpecials = false;
};

std::string toLine(const std::vector<Token>& tokens) {
  nlohmann::ordered_json ids = nlohmann::ordered_json::array();
  auto pieces = ids;
  auto spans = ids;
  for (const Token& token : tokens) {
    ids.push_back(token.id.value);
    pieces.push_back(token.piece);
    spans.push_back({token.span.begin, token.span.end});
  }
  return line({{"ids", ids}, {"pieces", pieces}, {"spans", spans}});
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

void tokenizeLines(const Tokenizer& tokenizer, const std::string& path,
                   SpecialTokens specials) {
  std::ifstream file(path);
  if (!file) throw badInput(path + " cannot be opened; check the path given to --jsonl");
  std::string bytes;
  for (std::int64_t number = 1; std::getline(file, bytes); ++number) {
    if (bytes.empty()) continue;
    const std::string source = path + ", line " + std::to_string(number);
    std::cout << toLine(tokenizer.encode(textOf(bytes, source), specials));
  }
  if (file.bad()) throw badInput(path + " could not be read to its end");
}

int tokenize(const TokenizeOptions& options) {
  const auto tokenizer = Tokenizer::open(options.folder);
  const auto specials = options.omitSpecials ? SpecialTokens::Omit : SpecialTokens::Add;
  if (options.text)
    std::cout << toLine(tokenizer->encode(*options.text, specials));
  else
    tokenizeLines(*tokenizer, *options.jsonLines, specials);
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
  command->callback([options, &action] {
    if (options->text.has_value() == options->jsonLines.has_value())
      throw misuse("--jsonl", "give either a TEXT or --jsonl FILE");
    action = [options] { return tokenize(*options); };
  });
}

}  // namespace equipatch::cli
