#include "trainer/evaluation/answer.h"

#include <algorithm>
#include <utility>

#include "core/run/backend.h"

namespace equipatch {
namespace {

bool endsSequence(const ModelSpec& spec, TokenId token) {
  return std::ranges::find(spec.endOfSequence, token) != spec.endOfSequence.end();
}

}  // namespace

Answer answer(std::shared_ptr<const Session> session, std::string_view prompt,
              const AnswerLimits& limits) {
  std::vector<Token> tokens = session->tokenizer().encode(prompt, SpecialTokens::Add);
  if (limits.sight == Sight::LastToken) tokens.erase(tokens.begin(), tokens.end() - 1);
  const auto comparison = backend().makeComparison(
      session, {.prompt = std::move(tokens), .steps = limits.tokens, .bare = false});
  SilentProgress silent;
  comparison->prefill(silent);
  Answer result;
  std::vector<TokenId> written;
  while (!comparison->done()) {
    const auto record = comparison->step();
    ++result.steps;
    result.matches += record->match ? 1 : 0;
    result.ended = endsSequence(session->spec(), record->continued);
    if (!result.ended) written.push_back(record->continued);
  }
  result.text = session->tokenizer().decode(written, SpecialTokens::Omit);
  return result;
}

}  // namespace equipatch
