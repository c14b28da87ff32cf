// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <memory>

#include "core/record/export/output_file.h"
#include "trainer/commands/commands.h"
#include "trainer/documents/generator.h"
#include "trainer/network/network.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

struct DocumentsOptions {
  std::string words;
  std::uint64_t seed = 1;
  std::uint64_t count = 20;
  bool heldOut = false;
};

void show(const DocumentsOptions& options) {
  const WordLists lists = WordLists::read(options.words);
  const Generator generator(lists, options.heldOut ? Split::HeldOut : Split::Training,
                            options.seed);
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const Document document = generator.document(i);
    std::cout << '[' << skillName(document.skill) << "] " << document.text << "\n\n";
  }
}

struct VocabularyOptions {
  std::string words;
  std::string out;
  std::uint64_t seed = 1;
  VocabularyRequest request{
      .pieces = 2048, .documents = 40000, .maxLength = NetworkShape().maxPositions};
};

void learn(const VocabularyOptions& options) {
  const WordLists lists = WordLists::read(options.words);
  const Generator generator(lists, Split::Training, options.seed);
  makeFolder(options.out);
  writeTokenizer(options.out, generator, options.request);
  std::cout << "wrote " << options.out << "/tokenizer.json\n";
}

}  // namespace

void addDocuments(CLI::App& program, Action& action) {
  const auto options = std::make_shared<DocumentsOptions>();
  CLI::App* command = program.add_subcommand("documents", "Print generated documents");
  command->add_option("--words", options->words, "folder of word lists")->required();
  command->add_option("--seed", options->seed, "seed of the documents")
      ->capture_default_str()
      ->transform(wholeNumber());
  command->add_option("--count", options->count, "documents to print")
      ->capture_default_str()
      ->transform(atLeastOne());
  command->add_flag("--held-out", options->heldOut, "documents of the held-out split");
  command->callback([options, &action] { action = [options] { show(*options); }; });
}

void addVocabulary(CLI::App& program, Action& action) {
  const auto options = std::make_shared<VocabularyOptions>();
  CLI::App* command =
      program.add_subcommand("vocabulary", "Learn the tokenizer from training documents");
  command->add_option("--words", options->words, "folder of word lists")->required();
  command->add_option("--out", options->out, "folder of the model")->required();
  command->add_option("--pieces", options->request.pieces, "pieces of the vocabulary")
      ->capture_default_str()
      ->transform(atLeastOne());
  command
      ->add_option("--documents", options->request.documents,
                   "documents from which the pieces are learned")
      ->capture_default_str()
      ->transform(atLeastOne());
  command->add_option("--seed", options->seed, "seed of the documents")
      ->capture_default_str()
      ->transform(wholeNumber());
  command->callback([options, &action] { action = [options] { learn(*options); }; });
}

}  // namespace equipatch
