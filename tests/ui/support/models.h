// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/model_list.h"

namespace equipatch::test {

/// A list of a good model, an unsupported one, and one whose stored dtype needs more than
/// the free memory.
inline ModelList someModels() {
  ModelEntry good{.name = "owner/good",
                  .folder = "/cache/good",
                  .architecture = "LlamaForCausalLM",
                  .parameters = 1'235'000'000,
                  .dtype = DType::BF16,
                  .bytes = 2'470'000'000,
                  .hasTokenizer = true,
                  .needs = {{.dtype = DType::F32, .weights = 4'940'000'000},
                            {.dtype = DType::BF16, .weights = 2'470'000'000}}};
  ModelEntry bad{
      .name = "owner/bad",
      .folder = "/cache/bad",
      .architecture = "T5Model",
      .problem = "/cache/bad/config.json: architecture \"T5Model\" is not supported",
      .supported = false};
  ModelEntry huge = good;
  huge.name = huge.folder = "/models/huge";
  huge.needs[1].weights = 30'000'000'000;
  const ParityBadge equal{.state = ParityState::Equal,
                          .largest = 2e-6,
                          .problem = {},
                          .text = "✓ architecture equals Hugging Face's within 2e-06"};
  return {.models = {{ModelOrigin::HubCache, good, equal},
                     {ModelOrigin::HubCache, bad, {}},
                     {ModelOrigin::Used, huge, {}}},
          .freeBytes = 16'000'000'000};
}

}  // namespace equipatch::test
