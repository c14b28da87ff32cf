#include "trainer/commands/held_out_loss.h"

#include <fstream>
#include <iomanip>
#include <iostream>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::uint64_t kSeed = 2;
constexpr std::uint64_t kDocumentsPerSkill = 64;

}  // namespace

HeldOutLoss::HeldOutLoss(const WordLists& lists,
                         std::shared_ptr<const Tokenizer> tokenizer) {
  const Generator generator(lists, Split::HeldOut, kSeed);
  const BatchMaker maker(generator, std::move(tokenizer));
  for (int i = 0; i < kSkills; ++i)
    for (std::uint64_t number = 0; number < kDocumentsPerSkill; ++number) {
      const auto skill = static_cast<Skill>(i);
      m_batches[skill].push_back(maker.make(generator.document(skill, number)));
    }
}

void HeldOutLoss::measure(const Trainer& trainer,
                          const std::filesystem::path& file) const {
  const bool isNew = !std::filesystem::exists(file);
  std::ofstream stream(file, std::ios::app);
  if (isNew) {
    stream << "step,tokens,seconds";
    for (const auto& [skill, batches] : m_batches) stream << ',' << skillName(skill);
    stream << '\n';
  }
  const TrainingState& state = trainer.state();
  stream << state.step << ',' << state.tokens << ','
         << static_cast<std::int64_t>(state.seconds);
  for (const auto& [skill, batches] : m_batches) {
    const double loss = trainer.loss(batches);
    stream << ',' << loss;
    std::cout << "  " << skillName(skill) << ' ' << std::setprecision(3) << loss;
  }
  std::cout << std::endl;
  stream << '\n';
  if (!stream.flush())
    throw Error(ErrorKind::Resource,
                file.string() + " could not be written; is the disk full?");
}

}  // namespace equipatch
