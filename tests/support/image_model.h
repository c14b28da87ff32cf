// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/test_data.h"

namespace equipatch::test {

/// Pieces a, b, c and runs of newlines, with the image tokens of the golden checkpoint.
inline constexpr const char* kImageTokenizer = R"({"version": "1.0", "added_tokens": [
  {"id": 2, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false,
   "normalized": false, "special": true},
  {"id": 180, "content": "<start_of_image>", "single_word": false, "lstrip": false,
   "rstrip": false, "normalized": false, "special": true},
  {"id": 181, "content": "<end_of_image>", "single_word": false, "lstrip": false,
   "rstrip": false, "normalized": false, "special": true},
  {"id": 185, "content": "<image_soft_token>", "single_word": false, "lstrip": false,
   "rstrip": false, "normalized": false, "special": true}],
  "normalizer": null, "pre_tokenizer": null, "decoder": {"type": "Fuse"},
  "post_processor": {"type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
               {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}},
             {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}}},
  "model": {"type": "BPE", "dropout": null, "unk_token": null,
    "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
    "vocab": {"a": 3, "b": 4, "c": 5, "\n": 6, "\n\n": 7, "\n\n\n\n": 8},
    "merges": ["\n \n", "\n\n \n\n"]}})";

/// The characters that the model's tokenizer has pieces for.
enum class Letters {
  Few,  ///< a, b, c and newlines
  All,  ///< all printable ASCII characters too
};

/// kImageTokenizer with pieces for these letters.
inline std::string imageTokenizer(Letters letters) {
  std::string text = kImageTokenizer;
  if (letters == Letters::Few) return text;
  int id = 9;
  std::string more;
  for (char c = ' '; c <= '~'; ++c) {
    if (c >= 'a' && c <= 'c') continue;
    const std::string piece =
        c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    more += ", \"" + piece + "\": " + std::to_string(id++);
  }
  const std::string last = "\"\\n\\n\\n\\n\": 8";
  return text.insert(text.find(last) + last.size(), more);
}

/// Writes a model that reads images of four tokens: the golden checkpoint, to which a
/// tokenizer and a chat template are added. @returns the folder
inline std::filesystem::path writeImageModel(const std::filesystem::path& folder,
                                             Letters letters = Letters::Few) {
  std::filesystem::create_directories(folder);
  for (const char* name :
       {"config.json", "model.safetensors", "preprocessor_config.json"})
    std::filesystem::copy_file(data("images/gemma3_mm") / name, folder / name);
  std::ofstream(folder / "tokenizer.json") << imageTokenizer(letters);
  std::ofstream(folder / "chat_template.jinja")
      << "<s>{% for m in messages %}{% if m.content is string %}{{ m.content }}"
         "{% else %}{% for p in m.content %}{% if p.type == 'image' %}"
         "<start_of_image>{% else %}{{ p.text }}{% endif %}{% endfor %}{% endif %}"
         "{% endfor %}c";
  return folder;
}

}  // namespace equipatch::test
