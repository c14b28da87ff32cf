#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/run/model_list.h"
#include "core/text/tokenizer.h"

namespace equipatch::cli {

namespace {

struct DecodeOptions {
  std::string folder;
  std::string ids;
};

int decode(const DecodeOptions& options, const std::vector<TokenId>& ids) {
  const auto tokenizer = Tokenizer::open(modelFolder(options.folder));
  // A model's unused rows decode to nothing, but who writes such an id means another.
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
  CLI::App* command =
      program.add_subcommand("decode", "Token ids to text, without special tokens");
  addModelOption(*command, options->folder);
  command->add_option("--ids", options->ids, "token ids: 1,2,3")
      ->required()
      ->type_name("IDS");
  command->callback([options, &action] {
    action = [options, ids = parseIds(options->ids)] { return decode(*options, ids); };
  });
}

}  // namespace equipatch::cli
