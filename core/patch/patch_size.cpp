#include "core/patch/patch_size.h"

namespace equipatch {
namespace {

class Counter {
 public:
  explicit Counter(const ModelSpec& spec) : m_spec(spec) {}

  void matrix(std::int64_t outputs, std::int64_t inputs) {
    m_size.changed += outputs * inputs;
    m_size.made += outputs + inputs;
  }
  void vector(std::int64_t size) {
    m_size.changed += size;
    m_size.made += size;
  }
  /// W_gate and W_up, or W_in; and W_down where it takes part.
  void feedForward(std::int64_t inside, bool withDown) {
    const int first = m_spec.mlpForm == MlpForm::Gated ? 2 : 1;
    for (int i = 0; i < first; ++i) matrix(inside, m_spec.width);
    if (withDown) matrix(m_spec.width, inside);
  }
  PatchSize size() const { return m_size; }

 private:
  const ModelSpec& m_spec;
  PatchSize m_size;
};

void addMoe(const ModelSpec& spec, Counter& counter) {
  const MoeSpec& moe = *spec.moe;
  const bool withDown = !spec.closesWithNormBias();
  counter.matrix(moe.experts, spec.width);
  for (std::int64_t expert = 0; expert < moe.active; ++expert)
    counter.feedForward(moe.expertWidth, withDown);
  if (moe.sharedWidth == 0) return;
  counter.matrix(1, spec.width);
  counter.feedForward(moe.sharedWidth, withDown);
}

}  // namespace

PatchSize patchSize(const ModelSpec& spec) {
  Counter counter(spec);
  // A bias behind the down projection takes what the matrix would have to.
  const bool denseBias = spec.mlpBias && !spec.scalesBranch();
  for (const LayerSpec& layer : spec.layers) {
    if (layer.moe)
      addMoe(spec, counter);
    else
      counter.feedForward(spec.mlpWidth, !spec.closesWithNormBias() && !denseBias);
    const bool bias = spec.closesWithNormBias() || (!layer.moe && denseBias);
    if (bias || spec.scalesBranch()) counter.vector(spec.width);
  }
  return counter.size();
}

}  // namespace equipatch
