// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <random>

namespace equipatch::test {

/// Seeded normal values for property tests. The values depend on the standard library, so
/// no test may expect particular ones.
class Random {
 public:
  explicit Random(unsigned seed) : m_engine(seed) {}

  double number() { return m_normal(m_engine); }
  Eigen::VectorXd vector(Eigen::Index size) {
    return Eigen::VectorXd::NullaryExpr(size, [this] { return number(); });
  }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this] { return number(); });
  }

 private:
  std::mt19937 m_engine;
  std::normal_distribution<double> m_normal;
};

}  // namespace equipatch::test
