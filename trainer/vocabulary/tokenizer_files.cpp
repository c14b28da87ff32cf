// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vocabulary/tokenizer_files.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/text/pipeline/normalizer.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/pipeline/unigram.h"

namespace equipatch {
namespace {

std::vector<std::string> specialsOf(const VocabularyRequest& request) {
  std::vector<std::string> specials = {"<pad>", "<eos>", "<bos>", "<unk>"};
  for (const auto& [name, token] : request.specials) specials.push_back(token);
  return specials;
}

/// A space, as SentencePiece writes it.
constexpr const char* kSpace = "▁";

Json normalizer() {
  return {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kSpace}};
}

/// A word, one digit or a run of other characters, each with the space before it.
Json preTokenizer() {
  return {{"type", "Split"},
          {"pattern", {{"Regex", R"(▁?\p{L}+|▁?\p{N}|▁?[^\p{L}\p{N}▁\n]+)"}}},
          {"behavior", "Isolated"},
          {"invert", false}};
}

Json decoder() {
  return {{"type", "Sequence"},
          {"decoders",
           {{{"type", "Replace"}, {"pattern", {{"String", kSpace}}}, {"content", " "}},
            {{"type", "ByteFallback"}},
            {{"type", "Fuse"}}}}};
}

Json postProcessor() {
  const Json bos = {{"SpecialToken", {{"id", "<bos>"}, {"type_id", 0}}}};
  const auto sequence = [](const char* name, int type) {
    return Json{{"Sequence", {{"id", name}, {"type_id", type}}}};
  };
  return {{"type", "TemplateProcessing"},
          {"single", {bos, sequence("A", 0)}},
          {"pair", {bos, sequence("A", 0), sequence("B", 1)}},
          {"special_tokens",
           {{"<bos>",
             {{"id", "<bos>"},
              {"ids", Json::array({kBosId})},
              {"tokens", Json::array({"<bos>"})}}}}}};
}

Json addedTokens(const std::vector<std::string>& specials) {
  Json added = Json::array();
  for (std::size_t id = 0; id < specials.size(); ++id)
    added.push_back({{"id", id},
                     {"content", specials[id]},
                     {"single_word", false},
                     {"lstrip", false},
                     {"rstrip", false},
                     {"normalized", false},
                     {"special", true}});
  return added;
}

PreTokenCounts countPreTokens(const Texts& texts, std::uint64_t documents) {
  const Json normal = normalizer();
  const Json splits = preTokenizer();
  const auto normalize = Normalizer::parse(&normal, "normalizer");
  const auto preTokenize = PreTokenizer::parse(&splits, "pre_tokenizer");
  PreTokenCounts counts;
  for (std::uint64_t i = 0; i < documents; ++i) {
    const std::string text = texts(i);
    PreTokenizedText split(normalize->normalize(AlignedText(text)));
    preTokenize->apply(split);
    for (const ByteSpan range : split.preTokens)
      ++counts[std::string(split.bytes(range))];
  }
  return counts;
}

Json model(const PreTokenCounts& counts, const std::vector<std::string>& specials,
           std::size_t size) {
  Json vocabulary = Json::object();
  const auto add = [&](const std::string& piece) {
    vocabulary.emplace(piece, vocabulary.size());
  };
  for (const std::string& special : specials) add(special);
  for (unsigned byte = 0; byte < 256; ++byte) add(byteTokenName(byte));
  for (const std::string& character : charactersOf(counts)) add(character);
  if (vocabulary.size() > size)
    throw badInput("a vocabulary of " + std::to_string(size) +
                   " pieces has no room for the " + std::to_string(vocabulary.size()) +
                   " special tokens, bytes and characters; choose a larger one");
  Json merges = Json::array();
  for (const auto& [left, right] : learnMerges(counts, size - vocabulary.size())) {
    add(left + right);
    merges.push_back(Json::array({left, right}));
  }
  return {{"type", "BPE"},
          {"dropout", nullptr},
          {"unk_token", "<unk>"},
          {"continuing_subword_prefix", nullptr},
          {"end_of_word_suffix", nullptr},
          {"fuse_unk", true},
          {"byte_fallback", true},
          {"ignore_merges", false},
          {"vocab", vocabulary},
          {"merges", merges}};
}

void write(const std::filesystem::path& path, const Json& json) {
  writeText(path, json.dump(1) + '\n');
}

}  // namespace

void writeTokenizer(const std::filesystem::path& folder, const Texts& texts,
                    const VocabularyRequest& request) {
  const PreTokenCounts counts = countPreTokens(texts, request.documents);
  const std::vector<std::string> specials = specialsOf(request);
  write(folder / "tokenizer.json", {{"version", "1.0"},
                                    {"truncation", nullptr},
                                    {"padding", nullptr},
                                    {"added_tokens", addedTokens(specials)},
                                    {"normalizer", normalizer()},
                                    {"pre_tokenizer", preTokenizer()},
                                    {"post_processor", postProcessor()},
                                    {"decoder", decoder()},
                                    {"model", model(counts, specials, request.pieces)}});
  Json config = {{"tokenizer_class", "PreTrainedTokenizerFast"},
                 {"bos_token", "<bos>"},
                 {"eos_token", "<eos>"},
                 {"pad_token", "<pad>"},
                 {"unk_token", "<unk>"},
                 {"add_bos_token", true},
                 {"clean_up_tokenization_spaces", false},
                 {"model_max_length", request.maxLength}};
  for (const auto& [name, token] : request.specials)
    config["extra_special_tokens"][name] = config[name] = token;
  write(folder / "tokenizer_config.json", config);
}

void writeTokenizer(const std::filesystem::path& folder, const Generator& generator,
                    const VocabularyRequest& request) {
  const Texts texts = [&](std::uint64_t number) {
    return generator.document(number).text;
  };
  writeTokenizer(folder, texts, request);
}

void writeText(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path);
  file << text;
  file.finish();
}

namespace {

std::vector<std::string> charactersIn(std::string_view word) {
  std::vector<std::string> characters;
  while (!word.empty()) {
    const std::size_t length = utf8Length(word.front());
    characters.emplace_back(word.substr(0, length));
    word.remove_prefix(characters.back().size());
  }
  return characters;
}

/// A distinct pre-token.
struct Word {
  std::vector<std::string> pieces;
  std::int64_t count = 0;
};

/// All words and, for each pair of adjacent pieces, the words that contain the pair.
class Corpus {
 public:
  explicit Corpus(const PreTokenCounts& words) {
    for (const auto& [word, count] : words) {
      m_words.push_back({charactersIn(word), count});
      enter(m_words.size() - 1);
    }
  }

  struct Candidate {
    Merge merge;
    std::int64_t count = 0;
  };

  Candidate mostFrequent() const {
    Candidate best;
    for (const auto& [merge, pair] : m_pairs)
      if (pair.count > best.count) best = {merge, pair.count};
    return best;
  }

  void apply(const Merge& merge) {
    const std::set<std::size_t> places = m_pairs.at(merge).words;
    for (const std::size_t index : places) {
      remove(index);
      join(m_words[index].pieces, merge);
      enter(index);
    }
  }

 private:
  struct Pair {
    std::int64_t count = 0;
    std::set<std::size_t> words;  ///< indices
  };

  static void join(std::vector<std::string>& pieces, const Merge& merge) {
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool matches = i + 1 < pieces.size() && pieces[i] == merge.first &&
                           pieces[i + 1] == merge.second;
      joined.push_back(matches ? merge.first + merge.second : pieces[i]);
      if (matches) ++i;
    }
    pieces = std::move(joined);
  }

  void enter(std::size_t index) {
    const Word& word = m_words[index];
    for (std::size_t i = 0; i + 1 < word.pieces.size(); ++i) {
      Pair& pair = m_pairs[{word.pieces[i], word.pieces[i + 1]}];
      pair.count += word.count;
      pair.words.insert(index);
    }
  }

  void remove(std::size_t index) {
    const Word& word = m_words[index];
    for (std::size_t i = 0; i + 1 < word.pieces.size(); ++i) {
      const auto found = m_pairs.find({word.pieces[i], word.pieces[i + 1]});
      found->second.words.erase(index);
      found->second.count -= word.count;
      // If a word contains the pair twice, the count is not 0 before the second time, so
      // `find` never fails.
      if (found->second.count == 0) m_pairs.erase(found);
    }
  }

  std::vector<Word> m_words;
  std::map<Merge, Pair> m_pairs;
};

}  // namespace

std::vector<Merge> learnMerges(const PreTokenCounts& counts, std::size_t count) {
  Corpus corpus(counts);
  std::vector<Merge> merges;
  while (merges.size() < count) {
    const Corpus::Candidate best = corpus.mostFrequent();
    if (best.count < 2) break;
    corpus.apply(best.merge);
    merges.push_back(best.merge);
  }
  return merges;
}

std::vector<std::string> charactersOf(const PreTokenCounts& counts) {
  std::set<std::string> characters;  // UTF-8 sorts as code points do
  for (const auto& [word, count] : counts)
    for (std::string& character : charactersIn(word))
      characters.insert(std::move(character));
  return {characters.begin(), characters.end()};
}

}  // namespace equipatch
