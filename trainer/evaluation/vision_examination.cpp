// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/evaluation/vision_examination.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/base/number_format.h"
#include "core/run/prompt_images.h"
#include "trainer/scenes/drawing.h"

namespace equipatch {
namespace {

class VisionExaminer {
 public:
  VisionExaminer(std::shared_ptr<const Session> session,
                 const ExaminationRequest& request, Progress& progress)
      : m_session(std::move(session)), m_request(request), m_progress(progress) {}

  KindScore score(QuestionKind kind) {
    KindScore result;
    for (std::uint64_t number = 0; result.score.prompts < m_request.prompts; ++number) {
      m_progress.report(static_cast<double>(result.score.prompts) /
                            static_cast<double>(m_request.prompts),
                        "Asking: " + std::string(kindName(kind)));
      m_progress.throwIfStopped();
      const Scene scene = m_generator.scene(number);
      Random random(m_request.seed, number);
      if (const auto question = ask(kind, scene, random))
        add(number, scene, *question, result);
    }
    return result;
  }

  std::vector<VisionMistake> takeMistakes() { return std::move(m_mistakes); }

 private:
  void add(std::uint64_t number, const Scene& scene, const Question& question,
           KindScore& result) {
    const auto own = m_session->tokenizer().encode(question.answer, SpecialTokens::Omit);
    const std::int64_t tokens = std::ssize(own) + 2;  // a longer answer is wrong
    const Answer seen = answer(m_session, promptOf(question, scene, *m_session), tokens);
    const Answer blind =
        answer(m_session, preparePrompt({.text = question.text}, *m_session), tokens);
    Score& score = result.score;
    ++score.prompts;
    ++result.answers[question.answer];
    score.steps += seen.steps;
    score.matches += seen.matches;
    score.ended += seen.ended ? 1 : 0;
    score.rightWithoutContext += blind.text == question.answer ? 1 : 0;
    if (seen.text == question.answer)
      ++score.right;
    else
      m_mistakes.push_back({number, question, seen.text});
  }

  std::shared_ptr<const Session> m_session;
  ExaminationRequest m_request;
  Progress& m_progress;
  SceneGenerator m_generator{Split::HeldOut, m_request.seed};
  std::vector<VisionMistake> m_mistakes;
};

}  // namespace

PreparedPrompt promptOf(const Question& question, const Scene& scene,
                        const Session& session) {
  const std::string bytes = pngOf(drawScene(scene));
  const auto picture = std::make_shared<const PictureFile>(
      PictureFile{.name = "scene.png", .sha256 = sha256(bytes), .bytes = bytes});
  const std::string place =
      imagePlaceholder(requireVision(session.spec()), session.tokenizer());
  return preparePrompt({.text = place + question.text, .images = {picture}}, session);
}

double KindScore::mostFrequentShare() const {
  std::int64_t most = 0;
  for (const auto& [answer, count] : answers) most = std::max(most, count);
  return score.share(most);
}

Score VisionExamination::total() const {
  Score total;
  for (const auto& [kind, part] : kinds) total += part.score;
  return total;
}

VisionExamination examineVision(std::shared_ptr<const Session> session,
                                const ExaminationRequest& request, Progress& progress) {
  VisionExaminer examiner(std::move(session), request, progress);
  VisionExamination result;
  for (int i = 0; i < kQuestionKinds; ++i)
    result.kinds[static_cast<QuestionKind>(i)] =
        examiner.score(static_cast<QuestionKind>(i));
  result.mistakes = examiner.takeMistakes();
  return result;
}

std::string reportOf(const VisionExamination& examination) {
  const auto percent = [](double share) { return fixedText(100 * share, 1) + " %"; };
  const auto row = [&](std::string_view name, const Score& score,
                       const std::string& mostFrequent) {
    return "| " + std::string(name) + " | " + percent(score.share(score.right)) + " | " +
           percent(score.share(score.rightWithoutContext)) + " | " + mostFrequent +
           " | " + percent(score.matchedShare()) + " of " + std::to_string(score.steps) +
           " |\n";
  };
  const std::int64_t prompts = examination.kinds.begin()->second.score.prompts;
  std::string text =
      "Of " + std::to_string(prompts) +
      " questions of each kind about held-out scenes:\n\n"
      "| question | right | without the image | always the most frequent answer | "
      "patched pass agrees |\n|---|---|---|---|---|\n";
  for (const auto& [kind, part] : examination.kinds)
    text += row(kindName(kind), part.score, percent(part.mostFrequentShare()));
  return text + row("all", examination.total(), "");
}

}  // namespace equipatch
