// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace equipatch::test {

/// A synthetic tokenizer.json of Gemma 3's size: 36 MB, 262,144 pieces, 514,906 merges,
/// 6,415 added tokens. Its other pieces are the shortest words over eight letters; each
/// merge is a way to cut a word in two.
inline std::string largeTokenizerJson() {
  constexpr std::size_t kPieces = 262'144;
  constexpr std::size_t kMerges = 514'906;
  constexpr std::size_t kAdded = 6'415;
  std::vector<std::string> pieces{"<unk>"};
  std::string added;
  for (std::size_t i = 0; i < kAdded; ++i) {
    if (i > 0) pieces.push_back("<unused" + std::to_string(i) + ">");
    added += (i ? "," : "") + std::string("\n    {\"id\": ") + std::to_string(i) +
             ", \"content\": \"" + pieces[i] +
             "\",\n      \"single_word\": false,\n      \"lstrip\": false,\n"
             "      \"rstrip\": false,\n      \"normalized\": false,\n"
             "      \"special\": false}";
  }
  std::vector<std::string> words{""};  // in order of length: parts come before wholes
  for (std::size_t i = 0; pieces.size() < kPieces; ++i)
    for (const char* letter : {"a", "b", "c", "d", "e", "f", "g", "▁"}) {
      if (pieces.size() == kPieces) break;
      words.push_back(words[i] + letter);
      pieces.push_back(words.back());
    }
  std::string vocabulary;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    vocabulary += (i ? "," : "") + std::string("\n      \"") + pieces[i] +
                  "\": " + std::to_string(i);
  std::string merges;
  std::size_t count = 0;
  for (const std::string& word : words)
    for (std::size_t cut = 1; cut < word.size() && count < kMerges; ++cut) {
      if ((static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80) continue;
      merges += (count++ ? "," : "") + std::string("\n        [\n          \"") +
                word.substr(0, cut) + "\",\n          \"" + word.substr(cut) +
                "\"\n        ]";
    }
  return "{\"version\": \"1.0\",\n  \"added_tokens\": [" + added +
         "],\n  \"normalizer\": {\"type\": \"Replace\", \"pattern\": {\"String\": \" "
         "\"}, "
         "\"content\": \"▁\"},\n  \"pre_tokenizer\": null,\n  \"decoder\": null,\n"
         "  \"model\": {\"type\": \"BPE\", \"unk_token\": \"<unk>\", \"fuse_unk\": true, "
         "\"byte_fallback\": true,\n    \"vocab\": {" +
         vocabulary + "},\n    \"merges\": [" + merges + "]}}";
}

}  // namespace equipatch::test
