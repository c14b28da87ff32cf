#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// The parts that a tokenizer.json describes.
/// @param config decides about BOS and EOS only where tokenizer.json does not.
/// @param source names the file in errors.
Pipeline readTokenizerJson(const Json& json, const TokenizerConfig& config,
                           const std::string& source);

/// Settles which tokens stand around a text.
/// @throws Error{BadInput} naming `source` for tokens and ids that there are not.
void decideFrame(Pipeline& parts, const TokenizerConfig& config,
                 const std::string& source);

/// A tokenizer.json.
class TokenizerJson : public PipelineTokenizer {
 public:
  /// @param bytes of the file; the others as above.
  TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                const std::string& source);
};

}  // namespace equipatch
