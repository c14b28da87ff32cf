// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace equipatch {

/// A small model on the hub whose architecture has a golden check.
struct KnownModel {
  const char* name;
  double gigabytes;  ///< of its weights, about; a loaded model takes a tenth more
  const char* licence;
  bool needsToken;  ///< because its terms must be accepted on its page
};

inline constexpr std::array<KnownModel, 9> kKnownModels{{
    {"HuggingFaceTB/SmolLM2-135M-Instruct", 0.27, "Apache 2.0", false},
    {"EleutherAI/pythia-160m", 0.37, "Apache 2.0", false},
    {"openai-community/gpt2", 0.55, "MIT", false},
    {"Qwen/Qwen2.5-0.5B-Instruct", 0.99, "Apache 2.0", false},
    {"Qwen/Qwen3-0.6B", 1.5, "Apache 2.0", false},
    {"google/gemma-3-1b-it", 2.0, "Gemma", true},
    {"TinyLlama/TinyLlama-1.1B-Chat-v1.0", 2.2, "Apache 2.0", false},
    {"meta-llama/Llama-3.2-1B-Instruct", 2.5, "Llama 3.2", true},
    {"allenai/OLMo-2-0425-1B-Instruct", 3.0, "Apache 2.0", false},
}};

}  // namespace equipatch
