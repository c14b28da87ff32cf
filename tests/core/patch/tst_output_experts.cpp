// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/output_experts.h"

#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr Eigen::Index kWidth = 17;

struct MoeSetting {
  explicit MoeSetting(unsigned seed, std::size_t count = 3) : random(seed) {
    for (std::size_t index = 0; index < count; ++index) {
      const auto inside = static_cast<Eigen::Index>(5 + 3 * index);
      const double gate = std::abs(random.vector(1)[0]) + 0.05;
      experts.push_back({gate, random.vector(inside)});
      matrices.push_back(random.matrix(kWidth, inside));
    }
    missing = random.vector(kWidth);
  }

  /// Σ s_e (W_e + ΔW_e) h_e, where s_e is the gate of expert e.
  Vector output(const std::vector<RankOne>* changes) const {
    Vector sum = Vector::Zero(kWidth);
    for (std::size_t index = 0; index < experts.size(); ++index) {
      Eigen::MatrixXd W = matrices[index];
      if (changes) W += (*changes)[index].u * (*changes)[index].w.transpose();
      sum += experts[index].gate * (W * experts[index].h);
    }
    return sum;
  }

  test::Random random;
  std::vector<ExpertOutput> experts;
  std::vector<Eigen::MatrixXd> matrices;
  Vector missing;
};

double squares(const std::vector<RankOne>& changes) {
  double sum = 0.0;
  for (const RankOne& change : changes) sum += change.norm() * change.norm();
  return sum;
}

}  // namespace

class tst_output_experts : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void sumOfExpertsGainsTheMissingOutput();
  void leastNormSplitHasTheSmallestNorm();
  void aLoneExpertIsPatchedAsADownProjection();
  void leastNormSplitAllowsGatesThatCancel();
  void onlyTheEqualSplitRefusesOneZeroInput();
};

/// Lemma 11.
void tst_output_experts::sumOfExpertsGainsTheMissingOutput() {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const MoeSplit split : {MoeSplit::LeastNorm, MoeSplit::Equal}) {
      const MoeSetting setting(seed, 1 + seed % 5);
      const auto changes = outputExperts(setting.missing, setting.experts, split);
      QVERIFY(changes.has_value());
      const Vector gained = setting.output(&*changes) - setting.output(nullptr);
      QVERIFY((gained - setting.missing).norm() < 1e-13 * setting.missing.norm());
    }
}

/// Any shift of output from one expert to another, with the same sum, increases the norm
/// of the change.
void tst_output_experts::leastNormSplitHasTheSmallestNorm() {
  MoeSetting setting(7);
  const auto least =
      *outputExperts(setting.missing, setting.experts, MoeSplit::LeastNorm);
  QVERIFY(squares(least) <
          squares(*outputExperts(setting.missing, setting.experts, MoeSplit::Equal)));
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<RankOne> other = least;
    const Vector shift = 0.1 * setting.random.vector(kWidth);
    const auto move = [&](std::size_t index, double sign) {
      const ExpertOutput& expert = setting.experts[index];
      // The old change and the shift both have w ∝ h, so their sum has rank one.
      const double unit = other[index].w.norm();
      const Vector w = expert.h / expert.h.squaredNorm();
      other[index] = {other[index].u * (unit / w.norm()) + sign / expert.gate * shift, w};
    };
    move(0, 1.0);
    move(1, -1.0);
    const Vector gained = setting.output(&other) - setting.output(nullptr);
    QVERIFY((gained - setting.missing).norm() < 1e-12);
    QVERIFY(squares(other) > squares(least));
  }
}

void tst_output_experts::aLoneExpertIsPatchedAsADownProjection() {
  MoeSetting setting(3, 1);
  setting.experts[0].gate = 1.0;
  const Vector& h = setting.experts[0].h;
  for (const MoeSplit split : {MoeSplit::LeastNorm, MoeSplit::Equal}) {
    const auto changes = *outputExperts(setting.missing, setting.experts, split);
    QVERIFY((changes[0].u - setting.missing).norm() < 1e-15);
    QVERIFY((changes[0].w - h / h.squaredNorm()).norm() < 1e-15);
  }
}

void tst_output_experts::leastNormSplitAllowsGatesThatCancel() {
  MoeSetting setting(4, 2);
  setting.experts[0].gate = 0.5;
  setting.experts[1].gate = -0.5;
  QVERIFY(!outputExperts(setting.missing, setting.experts, MoeSplit::Equal));
  const auto changes =
      outputExperts(setting.missing, setting.experts, MoeSplit::LeastNorm);
  QVERIFY(changes.has_value());
  const Vector gained = setting.output(&*changes) - setting.output(nullptr);
  QVERIFY((gained - setting.missing).norm() < 1e-13);
}

void tst_output_experts::onlyTheEqualSplitRefusesOneZeroInput() {
  MoeSetting setting(5, 2);
  setting.experts[0].h.setZero();
  QVERIFY(!outputExperts(setting.missing, setting.experts, MoeSplit::Equal));
  QVERIFY(outputExperts(setting.missing, setting.experts, MoeSplit::LeastNorm));
  setting.experts[1].gate = 0.0;
  QVERIFY(!outputExperts(setting.missing, setting.experts, MoeSplit::LeastNorm));
}

EQUIPATCH_TEST(tst_output_experts)
#include "tst_output_experts.moc"
